import type { Event } from "naval-battle-client";

import { ProblemError } from "../client.js";
import { once } from "../app.js";
import { follow as followFeed, type Ear } from "./feed.js";
import { awaitRematch } from "./rematch.js";
import type { Session } from "./session.js";
import { withSlot } from "./slots.js";

/** How often the log is asked for where it is not streamed, in milliseconds. */
const POLL = { visible: 2_000, hidden: 20_000 };
/** A tab that was hidden for so long gives its stream up, in milliseconds. */
const HIDDEN = 60_000;
/** The longest pause between attempts, in milliseconds. */
const LONGEST = 30_000;

/** Follows a game for as long as it is open, however often the connection is lost. */
export class Live {
    #closed = false;
    #isResting = false;
    #round = new AbortController();
    #hiddenFor: number | undefined;
    #isHiddenLong = false;
    #turnedAwayUntil = 0;

    constructor(readonly session: Session) {}

    async run(): Promise<void> {
        document.addEventListener("visibilitychange", this.#seen);
        for (let pause = 500; !this.#closed && !(this.session.isEnded && this.session.isWhole);) {
            this.#round = new AbortController();
            const { signal } = this.#round;
            const answered = this.session.expect();
            try {
                await this.session.catchUp(signal);
                answered();
                pause = 500;
                if (!signal.aborted && !this.session.isEnded) {
                    await this.#listen(signal);
                }
            } catch (error) {
                this.#turnAway(error);
                if (!signal.aborted) {
                    await this.#sleep(pause, signal);
                    pause = Math.min(2 * pause, LONGEST);
                }
            } finally {
                answered();
            }
            while (this.#isResting && !this.#closed) {
                await this.#sleep(LONGEST, this.#round.signal);
            }
        }
        document.removeEventListener("visibilitychange", this.#seen);
        if (!this.#closed) {
            await awaitRematch(this.session, () => this.#closed);
        }
    }

    close(): void {
        this.#closed = true;
        this.#round.abort();
        clearTimeout(this.#hiddenFor);
    }

    wake(): void {
        this.#isResting = false;
        this.#round.abort();
    }

    rest(): void {
        this.#isResting = true;
        this.#round.abort();
        this.#round = new AbortController();
    }

    readonly #seen = (): void => {
        clearTimeout(this.#hiddenFor);
        if (document.visibilityState === "visible") {
            this.#isHiddenLong = false;
            this.wake();
        } else {
            this.#hiddenFor = window.setTimeout(() => {
                this.#isHiddenLong = true;
                this.#round.abort();
            }, HIDDEN);
        }
    };

    async #listen(signal: AbortSignal): Promise<void> {
        const mayStream = !this.#isHiddenLong && Date.now() > this.#turnedAwayUntil;
        const { id, last } = this.session;
        if (mayStream && (await followFeed(id, last, (event) => this.#take(event), this.#ear(), signal))) {
            return;
        }
        if (!mayStream || !(await withSlot(() => this.#stream(signal)))) {
            await this.#sleep(document.visibilityState === "visible" ? POLL.visible : POLL.hidden, signal);
        }
    }

    /** Streams until the game ends. */
    async #stream(signal: AbortSignal): Promise<void> {
        for await (const event of this.session
            .who(once())
            .follow({ after: this.session.last, signal, ...this.#ear() })) {
            this.#take(event);
        }
    }

    /** Hears whether the connection is there: when it breaks off, an answer is expected soon. */
    #ear(): Ear {
        let answered: (() => void) | null = null;
        return {
            heard: () => {
                answered?.();
                answered = null;
                this.session.hear();
            },
            lost: (failure) => {
                answered ??= this.session.expect();
                this.#turnAway(failure);
            },
        };
    }

    /** Where there are too many streams, the log is asked for instead. */
    #turnAway(failure: unknown): void {
        if (failure instanceof ProblemError && failure.status === 429) {
            this.#turnedAwayUntil = Date.now() + HIDDEN;
            this.#round.abort();
        }
    }

    #take(event: Event): void {
        this.session.clock.heard(Date.now(), event.at);
        this.session.receive([event], "live");
    }

    #sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
        return new Promise((resolve) => {
            const timer = setTimeout(resolve, milliseconds);
            signal.addEventListener(
                "abort",
                () => {
                    clearTimeout(timer);
                    resolve();
                },
                { once: true },
            );
        });
    }
}
