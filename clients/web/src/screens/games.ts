import { store, type Glance, type State } from "../app.js";
import { h, keyed, say, show } from "../h.js";
import { GLANCES } from "../play/lobby.js";
import { write } from "../route.js";
import * as seats from "../seats.js";
import { t } from "../text/index.js";
import { anchor, button } from "./screen.js";

/** One's own games, by the seats that this browser keeps. */
export class GamesList extends HTMLElement {
    readonly #list = h("ul", { class: "rows" });
    readonly #more = h("p", { class: "quiet" });

    constructor() {
        super();
        this.append(h("h2", {}, t.yourGames), this.#list, this.#more);
    }

    update({ seats: kept, glances, rules }: State): void {
        show(this, kept.length > 0);
        keyed(
            this.#list,
            kept.slice(0, GLANCES),
            ({ game }) => game,
            ({ game }) =>
                h(
                    "li",
                    {},
                    anchor("", write({ screen: "game", game }), { class: "grow" }),
                    button(t.forget, () => this.#forget(game), { class: "plain quiet" }),
                ),
            (row, { game, seat }) => {
                const link = row.querySelector("a");
                const glance = glances.get(game);
                const words =
                    glance === undefined
                        ? ""
                        : glance === null
                          ? t.gone
                          : (turnOf(glance) ??
                            (glance.status === "battle"
                                ? t.theirTurn(seat.other ?? t.theOther)
                                : (rules?.statuses[glance.status] ?? glance.status)));
                const title = seat.other ? t.against(seat.other) : t.gameOf(when(seat.at));
                if (link) {
                    keyed(
                        link,
                        [title, words].filter((word) => word !== ""),
                        (word) => word,
                        (word) =>
                            h(
                                "span",
                                { class: word === title ? "name" : glance && turnOf(glance) ? "turn" : "quiet" },
                                word,
                            ),
                    );
                }
                const forget = row.querySelector("button");
                forget?.setAttribute("aria-label", `${t.forget}: ${title}`);
            },
        );
        say(this.#more, kept.length > GLANCES ? t.moreGames(kept.length - GLANCES) : "");
        show(this.#more, kept.length > GLANCES);
    }

    #forget(game: string): void {
        seats.forget(game);
        store.set({ seats: seats.allSeats() });
    }
}

/** Whose turn it is, where it is ours. */
function turnOf({ you, awaiting }: Glance): string | null {
    return awaiting.some(({ seat, action }) => seat === you && action !== "join") ? t.yourTurn : null;
}

/** When a seat was taken, in the words of the language. */
export function when(at: number): string {
    return new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }).format(
        at,
    );
}

customElements.define("nb-games", GamesList);
