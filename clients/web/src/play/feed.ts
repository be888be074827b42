import type { Event } from "naval-battle-client";

import { ProblemError } from "../client.js";
import { once } from "../app.js";
import { platformLocks } from "./slots.js";

/** One tab holds the stream of all games that are open in any tab, and hands their events on. */
const NAME = "naval-battle-feed";
/** How often a tab says again what it wants, and how long that is remembered, in milliseconds. */
const RENEWAL = 15_000;
const MEMORY = 40_000;
/** How many games one stream may follow. */
const MOST = 50;

type Message =
    | { readonly kind: "want"; readonly game: string; readonly after: number }
    | { readonly kind: "event"; readonly game: string; readonly event: Event }
    | { readonly kind: "heard" | "broken" | "ask" | "lost" | "none" };

/** Is told whether the connection is there. */
export interface Ear {
    readonly heard: () => void;
    readonly lost: (failure: unknown) => void;
}

interface Follower {
    readonly game: string;
    after: number;
    readonly take: (event: Event) => void;
    readonly ear: Ear;
    readonly fail: (error: Error) => void;
}

let isOffered = true;
let here: Follower | null = null;
let channel: BroadcastChannel | null = null;

/** What the leading tab follows: each game with the last event that came, and when it was last asked for. */
const wanted = new Map<string, { after: number; at: number }>();
let restart: AbortController | null = null;

/** Says something to all tabs, this one included. */
function tell(message: Message): void {
    channel?.postMessage(message);
    take(message);
}

function take(message: Message): void {
    switch (message.kind) {
        case "want":
            want(message.game, message.after);
            break;
        case "event":
            if (here?.game === message.game) {
                here.after = Math.max(here.after, message.event.seq);
                here.take(message.event);
            }
            break;
        case "heard":
            here?.ear.heard();
            break;
        case "broken":
            here?.ear.lost(null);
            break;
        case "ask":
            if (here) {
                tell({ kind: "want", game: here.game, after: here.after });
            }
            break;
        case "lost":
            here?.fail(new Error("the stream of another tab broke off"));
            break;
        case "none":
            isOffered = false;
            here?.fail(new Error("there is no stream for many games"));
    }
}

function want(game: string, after: number): void {
    const known = wanted.get(game);
    wanted.set(game, { after: Math.min(after, known?.after ?? after), at: Date.now() });
    if (restart && (known === undefined || after < known.after)) {
        restart.abort();
    }
}

/** Leaves out the games that are no longer there, where that is why a stream was refused; whether it was. */
function dropGone(error: unknown): boolean {
    const gone = error instanceof ProblemError ? ((error.problem as { games?: readonly string[] }).games ?? []) : [];
    gone.forEach((game) => wanted.delete(game));
    return gone.length > 0;
}

/** Follows all games that any tab wants, while this tab may. */
async function lead(signal: AbortSignal): Promise<void> {
    wanted.clear();
    tell({ kind: "ask" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    try {
        while (!signal.aborted) {
            const now = Date.now();
            const games = [...wanted].filter(([, { at }]) => now - at < MEMORY).slice(-MOST);
            const round = new AbortController();
            let refusal: ProblemError | null = null;
            restart = round;
            const stop = () => round.abort();
            signal.addEventListener("abort", stop, { once: true });
            const isWoken = new Promise<void>((resolve) =>
                round.signal.addEventListener("abort", () => resolve(), { once: true }),
            );
            try {
                if (games.length === 0) {
                    // Whoever wants something says so again and again, hidden tabs once a minute.
                    await isWoken;
                    continue;
                }
                const after = games.map(([, { after }]) => after);
                const heard = () => tell({ kind: "heard" });
                const lost = (failure: unknown) => {
                    tell({ kind: "broken" });
                    if (failure instanceof ProblemError && failure.status === 429) {
                        refusal = failure;
                        round.abort();
                    }
                };
                for await (const event of once().feed(
                    games.map(([game]) => game),
                    { after, signal: round.signal, heard, lost },
                )) {
                    const known = wanted.get(event.game);
                    if (known) {
                        known.after = Math.max(known.after, event.seq);
                    }
                    const { game, ...rest } = event;
                    tell({ kind: "event", game, event: (event.type === "created" ? event : rest) as Event });
                }
                // All have ended: there is nothing to follow until somebody wants something else.
                await isWoken;
            } catch (error) {
                if (refusal !== null || (!round.signal.aborted && !dropGone(error))) {
                    throw refusal ?? error;
                }
            } finally {
                signal.removeEventListener("abort", stop);
            }
        }
    } catch (error) {
        const isUnknown = error instanceof ProblemError && [400, 404, 405].includes(error.status);
        tell({ kind: isUnknown ? "none" : "lost" });
        throw error;
    } finally {
        restart = null;
    }
}

/**
 * Follows a game by the one stream of all tabs, until told to stop. Gives `false` where there is none: the server is
 * older, or the browser has no locks or no channel between tabs.
 */
export async function follow(
    game: string,
    after: number,
    take: Follower["take"],
    ear: Ear,
    signal: AbortSignal,
): Promise<boolean> {
    const locks = platformLocks();
    if (!isOffered || locks === null || typeof BroadcastChannel === "undefined") {
        return false;
    }
    const own = new AbortController();
    const stop = () => own.abort();
    signal.addEventListener("abort", stop, { once: true });
    let renewal: number | undefined;
    try {
        await new Promise<void>((resolve, reject) => {
            own.signal.addEventListener("abort", () => resolve(), { once: true });
            let silence = setTimeout(resolve, MEMORY);
            here = {
                game,
                after,
                take: (event) => {
                    take(event);
                    // Nothing comes after the end, though the stream goes on for other games.
                    if (event.status === "finished" || event.status === "aborted") {
                        resolve();
                    }
                },
                fail: reject,
                ear: {
                    heard: () => {
                        clearTimeout(silence);
                        silence = setTimeout(resolve, MEMORY);
                        ear.heard();
                    },
                    lost: ear.lost,
                },
            };
            listen();
            tell({ kind: "want", game, after });
            renewal = window.setInterval(() => here && tell({ kind: "want", game, after: here.after }), RENEWAL);
            locks.request(NAME, { signal: own.signal }, () => lead(own.signal)).catch(reject);
        });
        return true;
    } catch (error) {
        if (!isOffered) {
            return false;
        }
        throw error;
    } finally {
        signal.removeEventListener("abort", stop);
        clearInterval(renewal);
        own.abort();
        here = null;
        channel?.close();
        channel = null;
    }
}

function listen(): void {
    channel ??= new BroadcastChannel(NAME);
    channel.onmessage = (message: MessageEvent<Message>) => take(message.data);
}
