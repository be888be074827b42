import { NoAnswer, ProblemError, mayPass, parsed, refusal, unanswered } from "./errors.js";
import { Lines } from "./lines.js";
import { Patience, pause, stopIfEnded } from "./patience.js";
import { pauseOfStream } from "./retries.js";
import type { About, Transport } from "./transport.js";

/** How to listen to events. */
export interface ListenOptions {
    /** Ends it. */
    readonly signal?: AbortSignal;
    /** Called at anything that comes, comments too, which come every 15 seconds: the connection is alive. */
    readonly heard?: () => void;
    /** Called when a connection is lost or refused, before it is tried again: `null` where it just ended. */
    readonly lost?: (failure: ProblemError | NoAnswer | null) => void;
}

/** Whether an event is the one behind the last one that came. */
export type Place = "next" | "had" | "later";

/** Where events come from, and how far one has come with them. */
export interface Source<E> {
    readonly about: About;
    readonly path: string;
    /** The query of the stream. */
    readonly query: object;
    /** What a long poll has in its query besides. */
    readonly page: object;
    /** How far one has come, as `Last-Event-ID` and as `after`. */
    reached(): string;
    /** Takes an event if it is the next one. */
    take(event: E): Place;
    /** Whether nothing comes any more. */
    isOver(): boolean;
    /** Notes that nothing comes any more. */
    end(): void;
    /** Finds out whether nothing comes any more, where nothing has come. */
    settle(about: About): Promise<void>;
}

/** Silence for so long is a connection that is gone, in milliseconds: a comment comes every 15 seconds. */
const SILENCE = 40_000;

/** Seconds that a server without a stream is asked to wait. */
const WAIT = 25;

/**
 * Listens to events live: every event once, in order, up to the last one. A stream that breaks off is opened again
 * behind the last event that came, for as long as it takes: a server that is away is waited for until the signal ends.
 * What the server refuses for good is thrown. Where responses cannot be read while they come, it polls.
 */
export async function* listen<E>(
    transport: Transport,
    source: Source<E>,
    { signal, heard, lost }: ListenOptions,
): AsyncGenerator<E, void, undefined> {
    let failures = 0;
    let streams = transport.streams;
    for (;;) {
        stopIfEnded(signal);
        const patience = new Patience(signal);
        let failure: ProblemError | NoAnswer | null = null;
        try {
            const pages = streams ? stream(transport, source, patience, signal) : poll(transport, source, signal);
            for await (const events of pages) {
                failures = 0;
                heard?.();
                let place: Place = "had";
                for (const event of events) {
                    place = source.take(event);
                    if (place === "later") {
                        break;
                    }
                    if (place === "next") {
                        yield event;
                    }
                    if (source.isOver()) {
                        return;
                    }
                }
                // What was left out comes behind the last event that came.
                if (place === "later" || source.isOver()) {
                    break;
                }
            }
            if (source.isOver()) {
                return;
            }
        } catch (cause) {
            stopIfEnded(signal);
            if (cause instanceof NoStream) {
                streams = false;
                continue;
            }
            if (!(cause instanceof ProblemError || cause instanceof NoAnswer) || !mayPass(cause)) {
                throw cause;
            }
            failure = cause;
        } finally {
            patience.end();
        }
        lost?.(failure);
        await pause(pauseOfStream(transport.retries, failures, failure?.retryAfter ?? null), signal ?? null);
        failures += 1;
    }
}

/** No stream comes where one was asked for. */
class NoStream extends Error {}

/** The events of a stream, as many at a time as come together. */
async function* stream<E>(
    transport: Transport,
    source: Source<E>,
    patience: Patience,
    signal: AbortSignal | undefined,
): AsyncGenerator<E[], void, undefined> {
    const headers = transport.headers(source.about);
    headers.set("Accept", "text/event-stream");
    headers.set("Last-Event-ID", source.reached());
    const url = transport.url(source.path, source.about, source.query);
    patience.lasts(SILENCE);
    const coming = transport.fetch(url, { headers, signal: patience.signal, cache: "no-store" });
    const response = await arrived(coming, signal);
    if (response.status === 204) {
        source.end();
        return;
    }
    if (response.status !== 200) {
        throw refusal(response, await arrived(response.text(), signal));
    }
    const body = response.body as ReadableStream<Uint8Array> | null | undefined;
    if (typeof body?.getReader !== "function") {
        throw new NoStream();
    }
    yield [];
    const lines = new Lines();
    const reader = body.getReader();
    for (;;) {
        patience.lasts(SILENCE);
        const { done, value } = await arrived(reader.read(), signal);
        if (done) {
            return;
        }
        const data = lines.push(value).filter((block) => block !== null);
        yield data.map((text) => parsed(text, 200) as E);
    }
}

/** The events that long polls bring. */
async function* poll<E>(
    transport: Transport,
    source: Source<E>,
    signal: AbortSignal | undefined,
): AsyncGenerator<E[], void, undefined> {
    for (;;) {
        const query = { ...source.query, after: source.reached(), wait: WAIT, ...source.page };
        const about = { ...source.about, wait: WAIT, ...(signal && { signal }) };
        const headers = transport.headers(about);
        headers.set("Accept", "application/json");
        const { status, text } = await transport.askOnce(transport.url(source.path, about, query), headers, about);
        if (status === 204) {
            source.end();
            return;
        }
        const { events } = parsed(text, status) as { events: E[] };
        if (events.length === 0) {
            await source.settle(about);
        }
        yield events;
    }
}

/** Asks until there is an answer, as long as it takes. */
export async function outlive<T>(
    transport: Transport,
    signal: AbortSignal | undefined,
    ask: () => Promise<T>,
): Promise<T> {
    for (let failures = 0; ; failures += 1) {
        try {
            return await ask();
        } catch (cause) {
            if (!(cause instanceof ProblemError || cause instanceof NoAnswer) || !mayPass(cause)) {
                throw cause;
            }
            await pause(pauseOfStream(transport.retries, failures, cause.retryAfter), signal ?? null);
        }
    }
}

async function arrived<T>(coming: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
        return await coming;
    } catch (cause) {
        stopIfEnded(signal);
        throw unanswered(cause);
    }
}
