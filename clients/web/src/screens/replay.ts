import "../core.js";

import type { Analysis, Event, Game } from "naval-battle-client";

import { ProblemError } from "../client.js";
import { columns, once, store, type State } from "../app.js";
import { shown } from "../board/cells.js";
import { h, say, show } from "../h.js";
import { session } from "../play/open.js";
import { sentence } from "../play/refusals.js";
import { go, link } from "../route.js";
import { t } from "../text/index.js";
import { judge, LuckList, percent } from "./luck.js";
import { ReplayPlayer, type Moment } from "./player.js";
import { button, Screen } from "./screen.js";
import { copied } from "./share.js";

/** The cell that was likeliest before a shot. */
const bestOf = ({ best }: Analysis["shots"][number]): string =>
    t.best(shown(best.cell, columns()), percent(best.ship_chance));

/** A game played again, with what could be reckoned before each shot. */
export class ReplayScreen extends Screen {
    readonly #analysis = h("section", { class: "analysis card" });
    readonly #switch = h("input", { type: "checkbox", role: "switch", onchange: () => void this.#weigh() });
    readonly #luck = new LuckList();
    readonly #text = h("p", { class: "quiet" });
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
            this.#text,
            this.#best,
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
            this.#luck,
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
        this.#judge(game, this.#player.event);
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
            this.#know(open.table?.game, await judge());
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

    /** Knows the luck of both sides, and the best cell beside each shot. */
    #know(game: Game | null | undefined, judged: Analysis): void {
        if (game && this.#judged !== judged) {
            this.#judged = judged;
            this.#luck.update(judged, game);
            this.#player.notes = new Map(judged.shots.map((shot) => [shot.seq, bestOf(shot)]));
        }
    }

    /** Tells of the shots that are shown how likely they were, and what would have been likeliest. */
    #judge(game: Game, event: Event | undefined): void {
        const isBot = event?.type === "fired" && game.players[event.seat]?.bot;
        say(this.#text, isBot ? t.botBelieved : t.chancesText);
        if (this.#judged) {
            const shots = this.#judged.shots.filter((shot) => shot.seq === event?.seq);
            const words = shots.map((shot) => `${shown(shot.cell, columns())} ${percent(shot.ship_chance)}`);
            const [first] = shots;
            say(this.#best, first ? `${words.join(", ")}. ${bestOf(first)}.` : "");
        }
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
