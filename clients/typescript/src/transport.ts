import type { AnswerOf, BodyOf, PathOf, QueryOf } from "./document.js";
import { NoAnswer, ProblemError, isLost, parsed, refusal, unanswered } from "./errors.js";
import { newKey, type RandomBytes } from "./keys.js";
import { Patience, pause, stopIfEnded } from "./patience.js";
import { DEFAULT_RETRIES, pauseBefore, type Retries } from "./retries.js";

/** How requests travel. */
export interface TransportOptions {
    /** What sends them; the platform's own by default. */
    readonly fetch?: typeof fetch;
    readonly retries?: Partial<Retries>;
    /** Milliseconds that an answer may take beyond what the server was asked to wait; 10,000 by default. */
    readonly patience?: number;
    /** The language of titles and details, as `Accept-Language` has it: `de`, or `fi, en;q=0.5`. */
    readonly language?: string;
    /** Where random bytes come from; the platform's `crypto` by default. */
    readonly random?: RandomBytes;
    /**
     * Whether the body of a response can be read while it comes. Where it cannot, as in React Native, games are
     * followed by long polls. It is found out by default; say `true` for a `fetch` that can what the platform's cannot.
     */
    readonly streams?: boolean;
}

/** Who calls about which game, and how. */
export interface About {
    readonly game?: string;
    readonly token?: string;
    /** The `seq` of an event. */
    readonly seq?: number;
    readonly ifMatch?: string;
    readonly ifNoneMatch?: string;
    readonly signal?: AbortSignal;
    /** Seconds that the server is asked to wait. */
    readonly wait?: number;
    /** The `Idempotency-Key`; a new one by default. */
    readonly key?: string;
    /**
     * Whether it may be done on each turn. Where another request of the same seat came first, the server refuses
     * it as `in_flight`, lest it count on a later turn than the one it was meant for; so would it when sent again.
     */
    readonly ofATurn?: boolean;
}

/** What came back. */
export interface Answer {
    readonly status: number;
    readonly text: string;
    readonly tag: string | null;
}

/** A request as it is sent, each time the same. */
interface Request {
    readonly url: string;
    readonly method: string;
    readonly headers: Headers;
    readonly body: string | null;
}

/** Sends requests of the document, typed by it, until there is an answer or patience ends. */
export class Transport {
    readonly fetch: typeof fetch;
    readonly retries: Retries;
    /** Whether the body of a response can be read while it comes. */
    readonly streams: boolean;
    readonly #base: string;
    readonly #patience: number;
    readonly #language: string | undefined;
    readonly #random: RandomBytes | undefined;

    constructor(address: string | URL, options: TransportOptions = {}) {
        const { patience = 10_000, language, random } = options;
        // Not every platform has a `URL` that can more than keep what it is given.
        this.#base = String(address).trim().replace(/\/+$/, "");
        if (!/^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(this.#base)) {
            throw new TypeError(`${JSON.stringify(String(address))} is no address such as http://127.0.0.1:8080`);
        }
        // A browser's fetch insists on being called without another `this`.
        this.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request));
        this.streams = options.streams ?? (options.fetch !== undefined || canStream());
        this.retries = { ...DEFAULT_RETRIES, ...options.retries };
        this.#patience = patience;
        this.#language = language;
        this.#random = random;
    }

    async get<P extends PathOf<"get">>(path: P, about: About = {}, query?: QueryOf<P>): Promise<AnswerOf<P, "get">> {
        return parsed((await this.ask("GET", path, about, query)).text, null) as AnswerOf<P, "get">;
    }

    async post<P extends PathOf<"post">>(path: P, about: About, body: BodyOf<P>): Promise<AnswerOf<P, "post">> {
        const headers = this.headers(about);
        headers.set("Content-Type", "application/json");
        const key = about.key ?? (this.retries.most > 0 ? newKey(this.#random) : null);
        if (key !== null) {
            headers.set("Idempotency-Key", key);
        }
        const request = { url: this.url(path, about), method: "POST", headers, body: JSON.stringify(body) };
        return parsed((await this.#send(request, about)).text, null) as AnswerOf<P, "post">;
    }

    /** Asks for what a path has, as it comes. */
    ask(method: "GET" | "HEAD", path: string, about: About, query?: object): Promise<Answer> {
        const url = this.url(path, about, query);
        return this.#send({ url, method, headers: this.headers(about), body: null }, about);
    }

    /** Asks once. */
    askOnce(url: string, headers: Headers, about: About): Promise<Answer> {
        return this.#attempt({ url, method: "GET", headers, body: null }, about);
    }

    /** Where a path of the document is. */
    url(path: string, about: About, query: object = {}): string {
        // What a URL would drop from its path is no id, and must not lead elsewhere.
        const game = encodeURIComponent((about.game ?? "").replace(/^\.*$/, "-"));
        const way = path.replace("{game_id}", game).replace("{seq}", encodeURIComponent(String(about.seq)));
        const pairs = Object.entries(query)
            .filter(([, value]) => value !== undefined)
            .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
        return this.#base + way + (pairs.length > 0 ? `?${pairs.join("&")}` : "");
    }

    headers(about: About): Headers {
        const headers = new Headers();
        const own: [string, string | undefined][] = [
            ["Accept-Language", this.#language],
            ["Authorization", about.token && `Bearer ${about.token}`],
            ["If-Match", about.ifMatch],
            ["If-None-Match", about.ifNoneMatch],
        ];
        for (const [name, value] of own) {
            if (value !== undefined) {
                headers.set(name, value);
            }
        }
        return headers;
    }

    async #send(request: Request, about: About): Promise<Answer> {
        let wasLost = false;
        for (let retry = 0; ; retry += 1) {
            let failure: ProblemError | NoAnswer;
            try {
                return await this.#attempt(request, about);
            } catch (cause) {
                if (!(cause instanceof ProblemError || cause instanceof NoAnswer)) {
                    throw cause;
                }
                failure = cause;
            }
            const isExact = !about.ofATurn || about.ifMatch !== undefined || wasLost;
            if (isLost(failure)) {
                wasLost = true;
            } else if (!isTurnedAway(failure, isExact)) {
                throw failure;
            }
            const milliseconds = pauseBefore(this.retries, retry, failure.retryAfter);
            if (milliseconds === null) {
                throw failure;
            }
            await pause(milliseconds, about.signal ?? null);
        }
    }

    /** Sends a request once; whatever comes instead of an answer is thrown. */
    async #attempt({ url, method, headers, body }: Request, about: About): Promise<Answer> {
        stopIfEnded(about.signal);
        const patience = new Patience(about.signal);
        patience.lasts(this.#patience + (about.wait ?? 0) * 1_000);
        try {
            // What it throws before it is waited for is a fault in the program, not one of the way.
            const coming = this.fetch(url, { method, headers, body, signal: patience.signal, cache: "no-store" });
            return await whole(coming, about.signal);
        } finally {
            patience.leave();
        }
    }
}

/** The answer that a response brings, read whole. */
async function whole(coming: Promise<Response>, signal: AbortSignal | undefined): Promise<Answer> {
    let response: Response;
    let text: string;
    try {
        response = await coming;
        text = await response.text();
    } catch (cause) {
        stopIfEnded(signal);
        throw unanswered(cause);
    }
    if (!response.ok && response.status !== 304) {
        throw refusal(response, text);
    }
    return { status: response.status, text, tag: response.headers.get("ETag") };
}

/** Whether a request had no effect, for now. */
function isTurnedAway(failure: ProblemError | NoAnswer, isExact: boolean): boolean {
    return failure.status === 429 || (failure instanceof ProblemError && failure.code === "in_flight" && isExact);
}

/** Whether the platform's responses have a body that can be read while it comes. */
function canStream(): boolean {
    const { Response, ReadableStream } = globalThis as { Response?: { prototype: object }; ReadableStream?: unknown };
    return typeof ReadableStream === "function" && Response !== undefined && "body" in Response.prototype;
}
