import "../core.js";

import type { Analysis, Game } from "naval-battle-client";

import { ProblemError } from "../client.js";
import { columns, once, store, type State } from "../app.js";
import { shown } from "../board/cells.js";
import { h, say, show } from "../h.js";
import { nameOf } from "../notice/tell.js";
import { session } from "../play/open.js";
import { sentence } from "../play/refusals.js";
import { go, link } from "../route.js";
import { SEATS } from "../shapes.js";
import { language, t } from "../text/index.js";
import { ReplayPlayer, type Moment } from "./player.js";
import { button, Screen } from "./screen.js";
import { copied } from "./share.js";

const style = "percent";
/** A share, in whole per cent. */
const PERCENT = { style, maximumFractionDigits: 0 } as const;

/** A game played again, with what could be reckoned before each shot. */
export class ReplayScreen extends Screen {
    readonly #analysis = h("section", { class: "analysis card" });
    readonly #switch = h("input", { type: "checkbox", role: "switch", onchange: () => void this.#weigh() });
    readonly #luck = h("ul", { class: "luck" });
    readonly #best = h("p", { class: "quiet" });
    readonly #player = new ReplayPlayer(this.#analysis);
    readonly #word = h("span", { class: "quiet" });
    readonly #chances = new Map<number, readonly number[] | null>();
    #judged: Analysis | null = null;
    #asked = 0;

    constructor() {
        super();
        say(this.heading, t.replay);
        this.#analysis.append(
            h("label", { class: "switch" }, this.#switch, h("span", {}, t.chances)),
            h("p", { class: "quiet" }, t.chancesText),
            this.#best,
            this.#luck,
        );
        this.append(
            h("header", { class: "head" }, this.heading),
            h(
                "div",
                { class: "row" },
                button(t.backToGame, () => go({ screen: "game", game: session()?.id ?? "" }), { class: "chip" }),
                button(t.linkToPosition, () => this.#copy(), { class: "chip" }),
                this.#word,
            ),
            this.#player,
        );
        this.#player.go = (moment) => this.#to(moment);
    }

    update(state: State): void {
        const { route, table } = state;
        const game = table?.game;
        if (route.screen !== "replay" || !game || table.events.length < game.version) {
            return;
        }
        show(this.#analysis, game.status === "finished");
        const before = this.#player.event?.seq;
        const chances = this.#switch.checked ? (this.#chances.get(route.seq) ?? null) : null;
        this.#player.heat = chances ? { seq: route.seq, chances } : null;
        this.#player.update(game, table.events, { seq: route.seq, eyes: route.eyes }, state);
        this.#judge(game, route.seq);
        if (this.#switch.checked && this.#player.event?.seq !== before) {
            void this.#weigh();
        }
    }

    override leave(): void {
        this.#player.leave();
    }

    #to({ seq, eyes }: Moment): void {
        go({ screen: "replay", game: session()?.id ?? "", seq, eyes }, "replace");
    }

    /** Asks what could be reckoned before the shot that is shown. */
    async #weigh(): Promise<void> {
        const open = session();
        const event = this.#player.event;
        this.#asked = event?.seq ?? 0;
        if (!open || !event) {
            return;
        }
        try {
            this.#judged ??= await open.who(once()).analysis();
            if (this.#switch.checked && event.type === "fired" && !this.#chances.has(event.seq)) {
                const { ship_chances } = await open.who(once()).analysis(event.seq);
                this.#chances.set(event.seq, ship_chances.flat());
            }
        } catch (error) {
            say(this.#best, error instanceof ProblemError ? sentence(error.problem.detail) : t.noAnswer);
            return;
        }
        if (this.#asked === event.seq) {
            this.update(store.state);
        }
    }

    #judge(game: Game, seq: number): void {
        const judged = this.#judged;
        if (!judged) {
            return;
        }
        const percent = (share: number) => new Intl.NumberFormat(language, PERCENT).format(share);
        const signed = (luck: number) =>
            new Intl.NumberFormat(language, { signDisplay: "exceptZero", maximumFractionDigits: 1 }).format(luck);
        const plain = (value: number) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
        if (this.#luck.childElementCount === 0) {
            this.#luck.append(
                ...SEATS.map((seat) => {
                    const { hits, expected_hits, luck, choices_as_good } = judged.seats[seat];
                    const words = [
                        t.luckText(hits, plain(expected_hits)),
                        ...(choices_as_good === null ? [] : [t.choicesAsGood(percent(choices_as_good))]),
                    ];
                    return h(
                        "li",
                        {},
                        h("bdi", { class: "name" }, nameOf(game, seat)),
                        `: ${t.luck} ${signed(luck)}; ${words.join("; ")}.`,
                    );
                }),
            );
        }
        const shots = judged.shots.filter((shot) => shot.seq === seq);
        const chance = (cell: string, share: number) => t.best(shown(cell, columns()), percent(share));
        const words = shots.map(
            ({ cell, ship_chance, best }) =>
                `${shown(cell, columns())} ${percent(ship_chance)}. ${chance(best.cell, best.ship_chance)}.`,
        );
        say(this.#best, words.join(" "));
    }

    async #copy(): Promise<void> {
        const { route } = store.state;
        if (route.screen !== "replay") {
            return;
        }
        const field = h("input", { type: "text", class: "unseen", tabindex: -1, "aria-hidden": "true" });
        field.value = link(route);
        this.append(field);
        say(this.#word, (await copied(field.value, field)) ? t.copied : field.value);
        field.remove();
    }
}

customElements.define("nb-replay", ReplayScreen);
