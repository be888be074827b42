import type { Event } from "naval-battle-client";

import * as seats from "../seats.js";

/** What is known of a game's log, and the heads that were seen of it. */
export class Log {
    readonly #events = new Map<number, Event>();
    readonly #heads: Map<number, string>;

    constructor(
        readonly game: string,
        /** Whether heads are kept for a later check: those of one's own games are. */
        readonly isKept: boolean,
    ) {
        this.#heads = seats.headsOf(game);
    }

    /** Takes events and gives those that were not known. */
    take(events: readonly Event[]): Event[] {
        const fresh = events.filter((event) => !this.#events.has(event.seq));
        for (const event of fresh) {
            this.#events.set(event.seq, event);
            this.#heads.set(event.seq, this.#heads.get(event.seq) ?? event.head);
        }
        if (this.isKept && fresh.length > 0) {
            seats.keepHeads(this.game, this.#heads);
        }
        return fresh;
    }

    /** Everything up to a version, in order. */
    upTo(version: number): Event[] {
        return [...this.#events.values()]
            .filter((event) => event.seq <= version)
            .sort((one, other) => one.seq - other.seq);
    }

    /** The last event before which nothing is missing. */
    get whole(): number {
        let last = 0;
        while (this.#events.has(last + 1)) {
            last += 1;
        }
        return last;
    }
}
