import "../core.js";

import type { Event, Game, Seat } from "naval-battle-client";

import { ProblemError } from "../client.js";
import { once, opposite, store, type State } from "../app.js";
import { BoardGrid } from "../board/grid.js";
import { lastMoves, NOTHING, viewOf } from "../board/view.js";
import { attribute, h, keyed, say, show } from "../h.js";
import { endOf, nameOf, reasonOf, watersOf } from "../notice/tell.js";
import { sentence } from "../play/refusals.js";
import { rematch } from "../play/enter.js";
import { session } from "../play/open.js";
import { go, link } from "../route.js";
import * as seats from "../seats.js";
import { SEATS } from "../shapes.js";
import { t } from "../text/index.js";
import { FleetList } from "./afloat.js";
import { judge, LuckList } from "./luck.js";
import { MoveList } from "./moves.js";
import { bdi, button, mixed, Screen } from "./screen.js";
import { copied } from "./share.js";

/** What somebody did in a game. */
export interface Deeds {
    readonly shots: number;
    readonly hits: number;
    readonly mines: number;
    readonly given: number;
    readonly longest: number;
}

/** What a seat did, by the log. */
export function deedsOf(events: readonly Event[], seat: Seat): Deeds {
    let [hits, run, longest, given] = [0, 0, 0, 0];
    const outcomes = events
        .flatMap((event) => (event.type === "fired" && event.seat === seat ? event.shots : []))
        .map(({ outcome }) => outcome);
    for (const outcome of outcomes) {
        const isHit = outcome === "hit" || outcome === "sunk";
        hits += Number(isHit);
        run = isHit ? run + 1 : 0;
        longest = Math.max(longest, run);
    }
    for (const event of events) {
        given += event.type === "revealed" && event.seat === seat ? event.cells.length : 0;
    }
    return {
        shots: outcomes.length,
        hits,
        mines: outcomes.filter((outcome) => outcome === "mine").length,
        given,
        longest,
    };
}

/** How a game ended, with both boards whole. */
export class EndScreen extends Screen {
    readonly #reason = h("p", { class: "lead" });
    readonly #banner = h("section", { class: "banner" });
    readonly #boards = h("div", { class: "boards", "data-large": "both" });
    readonly #waters = SEATS.map(() => ({ board: new BoardGrid(), fleet: new FleetList(), name: h("h2") }));
    readonly #table = h("table", { class: "deeds" });
    readonly #luck = new LuckList();
    readonly #moves = new MoveList();
    readonly #rematch = button(t.rematch, () => rematch(session()?.id ?? ""), { class: "main" });
    readonly #word = h("p", { class: "word" });
    readonly #replay = button(t.replay, () => this.#go("replay"), { class: "chip" });
    readonly #check = button(t.check, () => this.#go("check"), { class: "chip" });
    #wish = "";
    #isJudged = false;
    /** A rematch that came to nothing: another one can be asked for. */
    #lapsed: string | null = null;

    constructor() {
        super();
        this.#boards.append(
            ...this.#waters.map(({ board, fleet, name }) =>
                h("section", { class: "waters" }, h("header", {}, name, fleet), h("div", { class: "frame" }, board)),
            ),
        );
        this.#moves.press = (seq) => go({ screen: "replay", game: session()?.id ?? "", seq, eyes: null });
        this.append(
            h("header", { class: "head" }, this.heading, this.#reason),
            this.#banner,
            h(
                "div",
                { class: "row acts" },
                this.#rematch,
                this.#replay,
                this.#check,
                button(t.copyLink, () => this.#copy(), { class: "chip" }),
                button(t.newGame, () => go({ screen: "start" }), { class: "chip" }),
            ),
            this.#word,
            this.#boards,
            h("div", { class: "below" }, this.#moves, h("div", { class: "side" }, this.#table, this.#luck)),
        );
    }

    update(state: State): void {
        const { table, settings } = state;
        const game = table?.game;
        if (!table || !game) {
            return;
        }
        say(this.heading, endOf(game));
        say(this.#reason, sentence(reasonOf(game)));
        const order: readonly Seat[] = game.you ? [opposite(game.you), game.you] : SEATS;
        order.forEach((side, index) => {
            const waters = this.#waters[index];
            if (waters) {
                const words = game.you === side ? t.yourWaters : watersOf(game, side);
                say(waters.name, words);
                waters.board.update({
                    ...viewOf(game, side, words, settings, { ...NOTHING, last: lastMoves(table, side) }),
                    isStill: true,
                });
                waters.fleet.update(game, side);
            }
        });
        const hasBattle = game.status === "finished";
        show(this.#boards, hasBattle || game.you !== null);
        show(this.#table, hasBattle);
        const isNext = table.next !== null && table.next !== this.#lapsed;
        show(this.#rematch, game.you !== null && game.players.guest !== null && !isNext);
        attribute(this.#rematch, "aria-disabled", table.busy ? "true" : null);
        this.#deeds(game, table.events);
        if (hasBattle && !this.#isJudged) {
            this.#isJudged = true;
            void this.#judge(game);
        }
        this.#moves.update(table.events, game, table.proofs);
        say(this.#word, table.word ?? "");
        this.#invite(game, isNext ? table.next : null);
    }

    /** Shows how lucky both were, as soon as it is reckoned. */
    async #judge(game: Game): Promise<void> {
        try {
            this.#luck.update(await judge(), game);
        } catch (error) {
            say(this.#word, error instanceof ProblemError ? sentence(error.problem.detail) : t.noAnswer);
        }
    }

    #deeds(game: Game, events: readonly Event[]): void {
        const both = SEATS.map((seat) => deedsOf(events, seat));
        const rows: [string, keyof Deeds][] = [
            [t.statShots, "shots"],
            [t.statHits, "hits"],
            [t.statMines, "mines"],
            [t.statGiven, "given"],
            [t.statLongest, "longest"],
        ];
        if (!this.#table.tHead) {
            this.#table.append(
                h("caption", {}, t.statistics),
                h(
                    "thead",
                    {},
                    h("tr", {}, h("td"), ...SEATS.map((seat) => h("th", { scope: "col" }, bdi(nameOf(game, seat))))),
                ),
                h("tbody"),
            );
        }
        const [body] = this.#table.tBodies;
        if (body) {
            keyed(
                body,
                rows,
                ([words]) => words,
                ([words]) => h("tr", {}, h("th", { scope: "row" }, words), h("td"), h("td")),
                (row, [, deed]) =>
                    both.forEach(
                        (deeds, index) =>
                            row.cells[index + 1] && say(row.cells[index + 1] as Node, String(deeds[deed])),
                    ),
            );
        }
    }

    /** A rematch that the other side wants, or that is being played. */
    #invite(game: Game, next: string | null): void {
        show(this.#banner, next !== null);
        if (next === null || this.#wish === next) {
            return;
        }
        this.#wish = next;
        void this.#look(next);
        const other = bdi(nameOf(game, opposite(game.you ?? "guest")));
        const isOurs = seats.seatOf(next) !== null;
        const acts =
            game.you === null || isOurs
                ? button(isOurs ? t.rematch : t.watchRematch, () => go({ screen: "game", game: next }), {
                      class: "main",
                  })
                : button(t.accept, () => rematch(session()?.id ?? ""), { class: "main" });
        this.#banner.replaceChildren(
            ...[...mixed(game.you === null || isOurs ? t.rematchGoesOn : t.wantsRematchMixed, other), " ", acts].filter(
                (child) => child !== null && child !== false,
            ),
        );
    }

    /** Whether a rematch came to nothing. */
    async #look(next: string): Promise<void> {
        const game = await once()
            .table(next)
            .look()
            .catch(() => null);
        if (game?.status === "aborted") {
            this.#lapsed = next;
            this.update(store.state);
        }
    }

    #go(screen: "replay" | "check"): void {
        const open = session();
        if (open?.table?.game) {
            go(
                screen === "check"
                    ? { screen, game: open.id }
                    : { screen, game: open.id, seq: open.table.game.version, eyes: null },
            );
        }
    }

    async #copy(): Promise<void> {
        const field = h("input", { type: "text", class: "unseen", tabindex: -1, "aria-hidden": "true" });
        field.value = link({ screen: "game", game: session()?.id ?? "" });
        this.append(field);
        say(this.#word, (await copied(field.value, field)) ? t.copied : field.value);
        field.remove();
    }
}

customElements.define("nb-end", EndScreen);
