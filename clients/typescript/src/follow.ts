import { NoAnswer, ProblemError, refusal } from "./errors.js";
import { Lines } from "./lines.js";
import { pause, pauseBefore } from "./retries.js";
import type { Event } from "./shapes.js";
import { headersOf, isLost, type About, type Transport } from "./transport.js";

/** Where to begin, and when to stop. */
export interface FollowOptions {
    /** Only events with a greater `seq`; 0, which is all of them, by default. */
    readonly after?: number;
    /** Ends it. */
    readonly signal?: AbortSignal;
}

/** Silence for so long is a connection that is gone, in milliseconds: a comment comes every 15 seconds. */
const SILENCE = 40_000;

/**
 * Follows a game live: every event once, in order, up to the last one of the game. A stream that breaks off is
 * opened again behind the last event that came; anything that comes starts the count of retries anew.
 */
export async function* follow(
    transport: Transport,
    about: About,
    options: FollowOptions,
): AsyncGenerator<Event, void, undefined> {
    let last = options.after ?? 0;
    let failures = 0;
    const url = transport.url("/v1/games/{game_id}/events", about);
    for (;;) {
        options.signal?.throwIfAborted();
        const connection = new Connection(options.signal);
        let failure: unknown = new NoAnswer("the stream of events breaks off again and again", null);
        try {
            const headers = headersOf(about);
            headers.set("Accept", "text/event-stream");
            headers.set("Last-Event-ID", String(last));
            const response = await connection.heard(
                transport.fetch(url, { headers, signal: connection.signal, cache: "no-store" }),
            );
            if (response.status === 204) {
                return;
            }
            if (response.status !== 200 || response.body === null) {
                throw await refusal(response);
            }
            const lines = new Lines();
            const reader = response.body.getReader();
            reading: for (;;) {
                const { done, value } = await connection.heard(reader.read());
                if (done) {
                    break;
                }
                for (const data of lines.push(value)) {
                    failures = 0;
                    if (data === null) {
                        continue;
                    }
                    const event = JSON.parse(data) as Event;
                    if (event.seq <= last) {
                        continue;
                    }
                    if (event.seq > last + 1) {
                        // Something was left out: what is missing comes behind the last event that came.
                        break reading;
                    }
                    last = event.seq;
                    yield event;
                    if (event.result !== undefined) {
                        return;
                    }
                }
            }
        } catch (cause) {
            options.signal?.throwIfAborted();
            failure = whyNothingCame(cause);
        } finally {
            connection.close();
        }
        const asked = failure instanceof ProblemError ? failure.retryAfter : null;
        const mayPass = isLost(failure) || (failure instanceof ProblemError && failure.status === 429);
        const milliseconds = mayPass ? pauseBefore(transport.retries, failures, asked) : null;
        if (milliseconds === null) {
            throw failure;
        }
        failures += 1;
        await pause(milliseconds, options.signal ?? null);
    }
}

function whyNothingCame(cause: unknown): unknown {
    if (cause instanceof ProblemError || cause instanceof NoAnswer) {
        return cause;
    }
    return cause instanceof SyntaxError
        ? new NoAnswer("an event that is no JSON", 200, { cause })
        : new NoAnswer("the server gave no answer", null, { cause });
}

/** One connection, which ends with the caller's patience, with its own, or with the loop that reads it. */
class Connection {
    readonly #own = new AbortController();
    readonly signal: AbortSignal;

    constructor(signal: AbortSignal | undefined) {
        this.signal = signal ? AbortSignal.any([signal, this.#own.signal]) : this.#own.signal;
    }

    /** Waits for what must come before the silence is too long. */
    async heard<T>(coming: Promise<T>): Promise<T> {
        const timer = setTimeout(() => this.close(), SILENCE);
        try {
            return await coming;
        } finally {
            clearTimeout(timer);
        }
    }

    close(): void {
        this.#own.abort();
    }
}
