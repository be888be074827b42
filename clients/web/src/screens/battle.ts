import type { Game, Seat } from "naval-battle-client";

import { opposite, type State, type Table } from "../app.js";
import { cellAt } from "../board/cells.js";
import { BoardGrid } from "../board/grid.js";
import { lastMoves, viewOf } from "../board/view.js";
import { attribute, h, property, say, show } from "../h.js";
import { nameOf, turnOf, watersOf } from "../notice/tell.js";
import * as moves from "../play/moves.js";
import { session } from "../play/open.js";
import { go, link } from "../route.js";
import { owes } from "../shapes.js";
import { t } from "../text/index.js";
import { FleetList } from "./afloat.js";
import { ClockFace } from "./clock.js";
import { confirmed } from "./confirm.js";
import { Controls } from "./controls.js";
import { MoveList } from "./moves.js";
import { wordsOf } from "./words.js";
import { bdi, button, icon, Screen } from "./screen.js";
import { openSeat } from "./dialogs.js";
import { copied } from "./share.js";

/** One side's waters with their fleet. */
class Waters {
    readonly board = new BoardGrid();
    readonly fleet = new FleetList();
    readonly name = h("span", { class: "whose" });
    readonly frame = h("div", { class: "frame" }, this.board);
    readonly figure = h(
        "section",
        { class: "waters" },
        h("header", {}, h("h2", {}, this.name), this.fleet),
        this.frame,
    );

    title(words: string): void {
        say(this.name, words);
        attribute(this.figure, "aria-label", words);
    }
}

/** The battle, for both sides and for whoever watches: firing, waiting, paying a debt. */
export class BattleScreen extends Screen {
    readonly #clock = new ClockFace();
    readonly #link = h("span", { class: "link-state" });
    readonly #players = h("p", { class: "players" });
    readonly #theirs = new Waters();
    readonly #ours = new Waters();
    readonly #boards = h("div", { class: "boards" });
    readonly #moves = new MoveList();
    readonly #controls = new Controls({
        active: () => this.#theirs.board.active,
        zoom: (isZoomed) => {
            attribute(this.#theirs.frame, "data-zoomed", isZoomed);
            this.#follow(this.#theirs.board.active);
        },
        follow: (cell) => this.#follow(cell),
    });
    readonly #word = h("span", { class: "quiet" });
    readonly #options = h("p", { class: "quiet options-line" });
    readonly #seal = h("p", { class: "seal false", role: "alert" });
    readonly #sealed = h("p", { class: "sealed quiet" }, icon("lock"), t.sealed);
    readonly #note = h("p", { class: "notice" });
    readonly #resign = button(t.resign, () => this.#giveUp(), { class: "plain danger" });
    readonly #seat = button(t.moveSeat, () => openSeat(), { class: "plain" });
    #wasDebt = false;
    #isFresh = true;

    constructor() {
        super();
        this.#theirs.figure.classList.add("theirs");
        this.#ours.figure.classList.add("ours");
        this.#boards.append(this.#theirs.figure, this.#ours.figure);
        this.append(
            h(
                "header",
                { class: "head" },
                this.heading,
                this.#clock,
                h("div", { class: "about" }, this.#players, this.#link),
                this.#note,
            ),
            this.#seal,
            this.#boards,
            this.#controls,
            h(
                "div",
                { class: "below" },
                this.#moves,
                h(
                    "div",
                    { class: "side" },
                    this.#options,
                    this.#sealed,
                    h(
                        "div",
                        { class: "row" },
                        button(t.copyLink, () => this.#copy(), { class: "plain" }),
                        button(t.replay, () => this.#replay(), { class: "plain" }),
                        this.#seat,
                        this.#resign,
                    ),
                    this.#word,
                ),
            ),
        );
        this.#theirs.board.acts = { press: (index, by) => this.#press(index, by) };
        this.#ours.board.acts = { press: (index) => this.#pressOwn(index) };
        this.addEventListener("keydown", () => session()?.hurry(), { capture: true });
    }

    update(state: State): void {
        const { table, settings, rules } = state;
        const game = table?.game;
        if (!table || !game) {
            return;
        }
        const side: Seat = game.you ?? "host";
        const due = owes(game, game.you);
        const isDebt = due?.action === "reveal";
        say(this.heading, turnOf(game));
        this.#clock.update(state);
        this.#say(game, table);
        say(this.#options, wordsOf(game.options, rules).join(" · "));
        const theirs = opposite(side);
        const isFalse = table.seal === "false";
        this.#theirs.title(watersOf(game, theirs));
        this.#ours.title(game.you ? t.yourWaters : watersOf(game, side));
        property(this, "--n", game.options.grid);
        const canFire = game.you !== null && game.status === "battle" && !isDebt && !isFalse;
        const choice = {
            aim: game.you ? table.aim : [],
            picked: [],
            last: lastMoves(table, theirs),
            canFire,
            count: moves.shotsOf(table),
            isLit: table.aim.length === 1 && moves.shotsOf(table) === 1,
        };
        this.#theirs.board.update(viewOf(game, theirs, this.#theirs.name.textContent ?? "", settings, choice));
        this.#ours.board.update(
            viewOf(game, side, this.#ours.name.textContent ?? "", settings, {
                aim: [],
                picked: table.picked,
                last: lastMoves(table, side),
                canFire: false,
                count: 0,
                isLit: false,
            }),
        );
        this.#theirs.fleet.update(game, theirs);
        this.#ours.fleet.update(game, side);
        attribute(this.#boards, "data-large", game.you === null ? "both" : isDebt ? "ours" : "theirs");
        show(this.#controls, game.you !== null && !isFalse);
        this.#controls.update(state);
        this.#moves.update(table.events, game, table.proofs);
        show(this.#resign, game.you !== null);
        show(this.#seat, game.you !== null);
        const isLie = [...table.proofs.values()].includes(false);
        show(this.#seal, isFalse || isLie);
        say(this.#seal, isFalse ? t.notSealed : isLie ? t.answerFalse : "");
        show(this.#sealed, table.seal === "true");
        say(this.#note, game.you === null ? (table.word ?? "") : "");
        show(this.#note, game.you === null && table.word !== null);
        if (isDebt !== this.#wasDebt && !this.#isFresh) {
            // One's own shot has made the debt, so one's own board may take the focus, and gives it back.
            (isDebt ? this.#ours : this.#theirs).board.focusCell();
        }
        this.#wasDebt = isDebt;
        if (this.#isFresh) {
            this.#isFresh = false;
            requestAnimationFrame(
                () => this.#theirs.board.isConnected && this.#theirs.board.cellSize < 24 && this.#controls.unfold(),
            );
        }
    }

    override leave(): void {
        this.#clock.stop();
    }

    #say(game: Game, table: Table): void {
        const [host, guest] = [nameOf(game, "host"), nameOf(game, "guest")];
        const words = `${host}\n${guest}`;
        if (this.#players.dataset["names"] !== words) {
            this.#players.dataset["names"] = words;
            this.#players.replaceChildren(bdi(host), " – ", bdi(guest));
        }
        const state = { opening: t.connecting, open: t.connecting, live: t.live, lost: t.connectionLost }[table.link];
        say(this.#link, state);
        attribute(this.#link, "data-link", table.link);
    }

    #press(index: number, by: Parameters<typeof moves.press>[1]): void {
        const grid = Math.sqrt(this.#theirs.board.querySelectorAll("[data-cell]").length);
        moves.press(cellAt(index, grid), by);
    }

    #pressOwn(index: number): void {
        const grid = Math.sqrt(this.#ours.board.querySelectorAll("[data-cell]").length);
        moves.pick(cellAt(index, grid));
    }

    #follow(cell: number): void {
        this.#theirs.board.button(cell)?.scrollIntoView({ block: "nearest", inline: "center" });
    }

    #replay(): void {
        const { game, version } = { game: session()?.id ?? "", version: session()?.table?.game?.version ?? 1 };
        go({ screen: "replay", game, seq: version, eyes: null });
    }

    async #copy(): Promise<void> {
        const field = h("input", { type: "text", class: "unseen", tabindex: -1, "aria-hidden": "true" });
        field.value = link({ screen: "game", game: session()?.id ?? "" });
        this.append(field);
        say(this.#word, (await copied(field.value, field)) ? t.copied : field.value);
        field.remove();
    }

    async #giveUp(): Promise<void> {
        if (await confirmed(t.resignTitle, t.resignText, t.resign)) {
            await moves.resign();
        }
    }
}

customElements.define("nb-battle", BattleScreen);
