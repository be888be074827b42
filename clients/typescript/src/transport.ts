import { NoAnswer, ProblemError, refusal } from "./errors.js";
import type { paths } from "./openapi.js";
import { DEFAULT_RETRIES, pause, pauseBefore, type Retries } from "./retries.js";

/** How requests travel. */
export interface TransportOptions {
    /** What sends them; the platform's own by default. */
    readonly fetch?: typeof fetch;
    readonly retries?: Partial<Retries>;
    /** Milliseconds that an answer may take beyond what the server was asked to wait; 10,000 by default. */
    readonly patience?: number;
}

type Method = "get" | "post";

/** The paths that have a method. */
export type PathOf<M extends Method> = {
    [P in keyof paths]: paths[P][M] extends object ? P : never;
}[keyof paths];

/** What an operation answers when all is well. */
export type AnswerOf<P extends keyof paths, M extends Method> = paths[P][M] extends { responses: infer R }
    ? { [S in keyof R & (200 | 201)]: JsonOf<R[S]> }[keyof R & (200 | 201)]
    : never;

/** What an operation takes as its body. */
export type BodyOf<P extends keyof paths> = paths[P]["post"] extends { requestBody?: infer B }
    ? JsonOf<Exclude<B, undefined>>
    : never;

/** What an operation takes as its query. */
export type QueryOf<P extends keyof paths> = paths[P]["get"] extends { parameters: { query?: infer Q } }
    ? Q & object
    : never;

type JsonOf<T> = T extends { content: { "application/json": infer J } } ? J : never;

/** Who calls about which game, and how. */
export interface About {
    readonly game?: string;
    readonly token?: string;
    readonly ifMatch?: string;
    readonly signal?: AbortSignal;
    /** Seconds that the server is asked to wait. */
    readonly wait?: number;
    /**
     * Whether it may be done on each turn. Where another request of the same seat came first, the server refuses
     * it as `in_flight`, lest it count on a later turn than the one it was meant for; so would it when sent again.
     */
    readonly ofATurn?: boolean;
}

/** Sends requests of the document, typed by it, until there is an answer or patience ends. */
export class Transport {
    readonly fetch: typeof fetch;
    readonly retries: Retries;
    readonly #base: string;
    readonly #patience: number;

    constructor(address: string | URL, options: TransportOptions = {}) {
        this.#base = new URL(address).href.replace(/\/$/, "");
        // A browser's fetch insists on being called without another `this`.
        this.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request));
        this.retries = { ...DEFAULT_RETRIES, ...options.retries };
        this.#patience = options.patience ?? 10_000;
    }

    get<P extends PathOf<"get">>(path: P, about: About = {}, query?: QueryOf<P>): Promise<AnswerOf<P, "get">> {
        return this.#send(this.url(path, about, query), "GET", headersOf(about), null, about);
    }

    post<P extends PathOf<"post">>(path: P, about: About, body: BodyOf<P>): Promise<AnswerOf<P, "post">> {
        const headers = headersOf(about);
        headers.set("Content-Type", "application/json");
        if (about.ifMatch !== undefined) {
            headers.set("If-Match", about.ifMatch);
        }
        if (this.retries.most > 0) {
            headers.set("Idempotency-Key", newKey());
        }
        return this.#send(this.url(path, about), "POST", headers, JSON.stringify(body), about);
    }

    /** Where a path of the document is. */
    url(path: string, about: About, query: object = {}): string {
        // What a URL would drop from its path is no id, and must not lead elsewhere.
        const game = (about.game ?? "").replace(/^\.*$/, "-");
        const url = new URL(this.#base + path.replace("{game_id}", encodeURIComponent(game)));
        for (const [name, value] of Object.entries(query)) {
            if (value !== undefined) {
                url.searchParams.set(name, String(value));
            }
        }
        return url.href;
    }

    async #send<T>(url: string, method: string, headers: Headers, body: string | null, about: About): Promise<T> {
        let wasLost = false;
        for (let retry = 0; ; retry += 1) {
            about.signal?.throwIfAborted();
            let asked: number | null = null;
            let failure: unknown;
            try {
                const late = AbortSignal.timeout(this.#patience + (about.wait ?? 0) * 1_000);
                const signal = about.signal ? AbortSignal.any([about.signal, late]) : late;
                const response = await this.fetch(url, { method, headers, body, signal, cache: "no-store" });
                if (response.ok) {
                    // Read as text first, so that what is torn is not taken for what is no JSON.
                    return JSON.parse(await response.text()) as T;
                }
                failure = await refusal(response);
            } catch (cause) {
                about.signal?.throwIfAborted();
                if (cause instanceof SyntaxError) {
                    throw new NoAnswer("an answer that is no JSON", null, { cause });
                }
                failure = new NoAnswer("the server gave no answer", null, { cause });
            }
            if (failure instanceof ProblemError) {
                asked = failure.retryAfter;
            }
            const isExact = !about.ofATurn || about.ifMatch !== undefined || wasLost;
            if (isLost(failure)) {
                wasLost = true;
            } else if (!isTurnedAway(failure, isExact)) {
                throw failure;
            }
            const milliseconds = pauseBefore(this.retries, retry, asked);
            if (milliseconds === null) {
                throw failure;
            }
            await pause(milliseconds, about.signal ?? null);
        }
    }
}

/** Whether it is not known if a request had an effect. */
export function isLost(failure: unknown): boolean {
    if (failure instanceof NoAnswer || failure instanceof ProblemError) {
        return failure.status === null || [502, 503, 504].includes(failure.status);
    }
    return false;
}

/** Whether a request had no effect, for now. */
function isTurnedAway(failure: unknown, isExact: boolean): boolean {
    return (
        failure instanceof ProblemError && (failure.status === 429 || (failure.code === "in_flight" && isExact))
    );
}

export function headersOf(about: About): Headers {
    const headers = new Headers();
    if (about.token !== undefined) {
        headers.set("Authorization", `Bearer ${about.token}`);
    }
    return headers;
}

/** A key that nobody else has: on create and join it is as secret as the token that it brings back. */
function newKey(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(24));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
