import type { State } from "../app.js";
import { attribute, h, say, show } from "../h.js";
import { spoken } from "../notice/live.js";
import { digits, isShort } from "../play/clock.js";
import { session } from "../play/open.js";
import { t } from "../text/index.js";
import { duration } from "./words.js";

/** Told to screen readers when so many seconds are left, and not otherwise. */
const TOLD = [60, 10];

/** How much time is left, by the server's clock. */
export class ClockFace extends HTMLElement {
    readonly #time = h("span", { class: "time", role: "timer" });
    #until: string | null = null;
    #seconds = 0;
    #timer: number | undefined;
    #left = Infinity;

    constructor() {
        super();
        this.append(this.#time);
        this.hidden = true;
    }

    update({ table }: State): void {
        const game = table?.game;
        const until = game?.awaiting.find((due) => due.action !== "join")?.until ?? null;
        if (until !== this.#until) {
            this.#until = until;
            this.#seconds = game?.options.turn_seconds ?? 0;
            this.#left = Infinity;
            clearInterval(this.#timer);
            this.#timer = until === null ? undefined : window.setInterval(() => this.#tick(), 250);
        }
        show(this, until !== null);
        this.#tick();
    }

    stop(): void {
        clearInterval(this.#timer);
    }

    #tick(): void {
        const clock = session()?.clock;
        if (this.#until === null || !clock) {
            return;
        }
        const left = clock.left(this.#until);
        const days = Math.floor(left / 86_400_000);
        say(this.#time, days >= 2 ? duration(days * 86_400) : digits(left));
        attribute(this.#time, "aria-label", t.timeLeft(days >= 2 ? duration(days * 86_400) : digits(left)));
        attribute(this, "data-short", isShort(left, this.#seconds));
        const seconds = Math.ceil(left / 1_000);
        for (const told of TOLD) {
            if (this.#left > told && seconds <= told && this.#left !== Infinity) {
                spoken(t.timeLeft(duration(told)));
            }
        }
        this.#left = seconds;
    }
}

customElements.define("nb-clock", ClockFace);
