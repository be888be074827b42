import type { Event, Eyes, Game, Seat } from "naval-battle-client";
import { positions } from "naval-battle-client/positions.js";

import { opposite, type State } from "../app.js";
import { indexOf } from "../board/cells.js";
import { BoardGrid } from "../board/grid.js";
import { lastMoves, NOTHING, viewOf } from "../board/view.js";
import { attribute, h, keyed, say, show } from "../h.js";
import { sentenceOf, watersOf } from "../notice/tell.js";
import { t } from "../text/index.js";
import { FleetList } from "./afloat.js";
import { eyesOf, nameOfEyes, ownEyes } from "./eyes.js";
import { MoveList } from "./moves.js";
import { iconButton } from "./screen.js";

/** A second between two events, in milliseconds. */
const PACE = 1_000;

/** Where a replay stands. */
export interface Moment {
    readonly seq: number;
    readonly eyes: Eyes | null;
}

/** Chances of the cells that were not fired at before the last event; of the others there is nothing to believe. */
function unfired(chances: readonly number[], known: readonly Event[], side: Seat): number[] {
    const grid = Math.sqrt(chances.length);
    const before = known.slice(0, -1);
    const shots = before.flatMap((event) => (event.type === "fired" && event.seat !== side ? event.shots : []));
    const fired = new Set(shots.map(({ cell }) => indexOf(cell, grid)));
    return chances.map((chance, index) => (fired.has(index) ? 0 : chance));
}

/** Plays a game again: a slider over its positions, through the eyes of whom one likes. */
export class ReplayPlayer extends HTMLElement {
    readonly #waters = [0, 1].map(() => ({ board: new BoardGrid(), fleet: new FleetList(), name: h("h2") }));
    readonly #range = h("input", {
        type: "range",
        min: 1,
        step: 1,
        oninput: () => this.#to(Number(this.#range.value)),
    });
    readonly #position = h("p", { class: "lead" });
    readonly #eyes = h("div", { class: "row", role: "radiogroup" });
    readonly #moves = new MoveList();
    readonly #play = iconButton("play", t.play, () => this.#toggle(), { class: "chip" });
    #timer: number | undefined;
    #shown: { game: Game; events: readonly Event[]; eyes: Eyes; all: Game[] } | null = null;
    #moment: Moment = { seq: 1, eyes: null };

    /** Is told where one wishes to go. */
    go: (moment: Moment) => void = () => undefined;
    /** Chances to draw over the board that was fired at, by the event before which they were reckoned. */
    heat: { seq: number; chances: readonly number[] } | null = null;
    /** What stands beside events in the list of moves. */
    notes: ReadonlyMap<number, string> = new Map();

    constructor(between: HTMLElement | null = null) {
        super();
        attribute(this.#range, "aria-label", t.positionSlider);
        attribute(this.#eyes, "aria-label", t.eyes);
        const step = (name: "first" | "left" | "right" | "end", label: string, to: () => number) =>
            iconButton(name, label, () => this.#to(to()), { class: "chip" });
        this.append(
            h(
                "div",
                { class: "scrubber" },
                h(
                    "div",
                    { class: "row" },
                    step("first", t.stepFirst, () => 1),
                    step("left", t.stepBack, () => this.#moment.seq - 1),
                    this.#play,
                    step("right", t.stepOn, () => this.#moment.seq + 1),
                    step("end", t.stepLast, () => Infinity),
                ),
                this.#range,
                this.#position,
                this.#eyes,
            ),
            ...(between ? [between] : []),
            h(
                "div",
                { class: "boards", "data-large": "both" },
                ...this.#waters.map(({ board, fleet, name }) =>
                    h(
                        "section",
                        { class: "waters" },
                        h("header", {}, name, fleet),
                        h("div", { class: "frame" }, board),
                    ),
                ),
            ),
            this.#moves,
        );
        this.#moves.press = (seq) => this.#to(seq);
        this.addEventListener("keydown", (event) => this.#key(event));
    }

    /** The event that the position shows, and the seat whose waters it is about. */
    get event(): Event | undefined {
        return this.#shown?.events[this.#moment.seq - 1];
    }

    update(game: Game, events: readonly Event[], moment: Moment, { settings }: State): void {
        const wanted = moment.eyes ?? ownEyes(game);
        const eyes = eyesOf(game).includes(wanted) ? wanted : ownEyes(game);
        if (this.#shown?.game !== game || this.#shown.events !== events || this.#shown.eyes !== eyes) {
            this.#shown = { game, events, eyes, all: positions(game, events, eyes) };
        }
        const seq = Math.min(Math.max(1, moment.seq), events.length);
        this.#moment = { seq, eyes: moment.eyes };
        const seen = this.#shown.all[seq - 1];
        const event = events[seq - 1];
        if (!seen || !event) {
            return;
        }
        const position: Game = { ...seen, you: eyes === "host" || eyes === "guest" ? eyes : null };
        attribute(this.#range, "max", events.length);
        this.#range.value = String(seq);
        attribute(this.#range, "aria-valuetext", `${t.position(seq, events.length)}: ${sentenceOf(event, game)}`);
        say(this.#position, `${t.position(seq, events.length)}: ${sentenceOf(event, game)}`);
        const order: readonly Seat[] =
            eyes === "guest" || (eyes !== "host" && game.you === "guest") ? ["host", "guest"] : ["guest", "host"];
        const known = events.slice(0, seq);
        order.forEach((side, index) => {
            const waters = this.#waters[index];
            const words = watersOf(game, side);
            if (waters) {
                const isShot = event.type === "fired" && opposite(event.seat) === side && this.heat?.seq === event.seq;
                say(waters.name, words);
                waters.board.update({
                    ...viewOf(position, side, words, settings, {
                        ...NOTHING,
                        last: lastMoves({ events: known }, side),
                    }),
                    ...(isShot && this.heat ? { heat: unfired(this.heat.chances, known, side) } : {}),
                    isStill: true,
                });
                waters.fleet.update(position, side);
            }
        });
        this.#choices(game, eyes);
        this.#moves.update(events, game, new Map(), seq, this.notes);
        if (seq === events.length) {
            this.#stop();
        }
    }

    leave(): void {
        this.#stop();
    }

    #choices(game: Game, eyes: Eyes): void {
        const open = eyesOf(game);
        show(this.#eyes, open.length > 1);
        keyed(
            this.#eyes,
            open,
            (one) => one,
            (one) => {
                const input = h("input", {
                    type: "radio",
                    name: "eyes",
                    value: one,
                    onchange: () => this.go({ seq: this.#moment.seq, eyes: one }),
                });
                return h("label", { class: "chip" }, input, h("span", {}, nameOfEyes(game, one)));
            },
            (label, one) => {
                const input = label.querySelector("input");
                if (input) {
                    input.checked = one === eyes;
                }
            },
        );
    }

    #to(seq: number): void {
        const last = this.#shown?.events.length ?? 1;
        this.go({ seq: Math.min(last, Math.max(1, seq)), eyes: this.#moment.eyes });
    }

    #toggle(): void {
        if (this.#timer !== undefined) {
            this.#stop();
            return;
        }
        if (this.#moment.seq === this.#shown?.events.length) {
            this.#to(1);
        }
        this.#timer = window.setInterval(() => this.#to(this.#moment.seq + 1), PACE);
        this.#name(t.pause);
    }

    #stop(): void {
        clearInterval(this.#timer);
        this.#timer = undefined;
        this.#name(t.play);
    }

    #name(words: string): void {
        attribute(this.#play, "aria-label", words);
        attribute(this.#play, "title", words);
        attribute(this.#play, "aria-pressed", String(words === t.pause));
    }

    #key(event: KeyboardEvent): void {
        // In a board arrows move the focus, and the slider has keys of its own.
        const isBoard = event.target instanceof Element && event.target.closest("[role=grid], input") !== null;
        const steps: Readonly<Record<string, number>> = {
            ArrowLeft: this.#moment.seq - 1,
            ArrowRight: this.#moment.seq + 1,
            Home: 1,
            End: Infinity,
        };
        const next = steps[event.key];
        if (next !== undefined && !isBoard && !event.ctrlKey && !event.altKey && !event.metaKey) {
            event.preventDefault();
            this.#to(next);
        }
    }
}

customElements.define("nb-player", ReplayPlayer);
