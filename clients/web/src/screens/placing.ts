import { store, opposite, type State } from "../app.js";
import { BoardGrid } from "../board/grid.js";
import { viewOf } from "../board/view.js";
import * as yard from "../fleet/yard.js";
import { h, say, show } from "../h.js";
import { nameOf } from "../notice/tell.js";
import { resign } from "../play/moves.js";
import * as seats from "../seats.js";
import { isRematch, owes } from "../shapes.js";
import { t } from "../text/index.js";
import { ClockFace } from "./clock.js";
import { confirmed } from "./confirm.js";
import { wordsOf } from "./words.js";
import { button, icon, Screen } from "./screen.js";
import { openSeat } from "./dialogs.js";
import { ShareBox } from "./share.js";
import { YardBoard } from "./yard.js";

/** Before the battle, for whoever has a seat: the link to share, the fleet to hide, and waiting for the other. */
export class PlacingScreen extends Screen {
    readonly #clock = new ClockFace();
    readonly #options = h("p", { class: "quiet" });
    readonly #share = new ShareBox();
    readonly #yard = new YardBoard();
    readonly #own = new BoardGrid();
    readonly #hidden = h("section", { class: "hidden-fleet" });
    readonly #sealWords = h("span");
    readonly #seal = h("p", { class: "seal" }, icon("lock"), this.#sealWords);
    readonly #leave = h("p", { class: "quiet" });
    readonly #yardTitle = h("h2", {}, t.placeYours);
    readonly #cancel = button("", () => this.#giveUp(), { class: "plain danger" });

    constructor() {
        super();
        this.#hidden.append(h("div", { class: "sheet small" }, this.#own), this.#leave);
        this.append(
            h("header", { class: "head" }, this.heading, this.#clock, this.#options),
            this.#share,
            this.#seal,
            this.#yardTitle,
            this.#yard,
            this.#hidden,
            h(
                "div",
                { class: "row end" },
                button(t.moveSeat, () => openSeat(), { class: "plain" }),
                this.#cancel,
            ),
        );
    }

    update(state: State): void {
        const { table, rules, settings } = state;
        const game = table?.game;
        if (!table || !game?.you) {
            return;
        }
        const due =
            owes(game, game.you)?.action === "place" || (game.status === "waiting" && !game.players[game.you]?.placed);
        const isInvite = game.status === "waiting";
        const other = nameOf(game, opposite(game.you));
        const isFalse = table.seal === "false";
        const isAsked = isInvite && isRematch(game, table.events);
        const wanted = seats.seatOf(table.id)?.other ?? t.theOther;
        say(
            this.heading,
            isAsked ? t.rematchAsked(wanted) : isInvite ? t.inviteTitle : due ? t.placeYours : t.theyPlace(other),
        );
        say(this.#options, wordsOf(game.options, rules).join(" · "));
        this.#clock.update(state);
        show(this.#share, isInvite && !isAsked);
        if (isInvite && !isAsked) {
            this.#share.update(state);
        }
        const showsYard = due && !isFalse && !table.isLocked;
        show(this.#yard, showsYard);
        show(this.#yardTitle, showsYard && isInvite);
        show(this.#hidden, !showsYard);
        if (showsYard) {
            this.#yard.update(state);
            if (table.draft === null && !table.busy) {
                void yard.begin();
            }
        } else {
            this.#own.update(viewOf(game, game.you, t.yourWaters, settings));
            const mayLeave = game.options.turn_seconds === null;
            say(this.#leave, mayLeave ? t.mayClose(isInvite ? t.theOther : other) : "");
        }
        show(this.#seal, table.seal !== null);
        say(this.#sealWords, table.seal === null ? "" : isFalse ? t.notSealed : t.sealed);
        this.#seal.className = `seal ${isFalse ? "false" : "true"}`;
        say(this.#cancel, isInvite ? t.cancelGame : t.callOff);
        if (table.isReady && game.status === "placing" && !table.busy) {
            store.set({ table: { ...table, isReady: false } });
            void yard.ready();
        }
    }

    override leave(): void {
        this.#clock.stop();
    }

    async #giveUp(): Promise<void> {
        if (await confirmed(t.callOffTitle, t.callOffText, t.callOff)) {
            await resign();
        }
    }
}

customElements.define("nb-placing", PlacingScreen);
