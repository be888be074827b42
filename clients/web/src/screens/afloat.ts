import type { Game, Seat } from "naval-battle-client";

import { deck, hull } from "../board/marks.js";
import { berthOf, cellsOf } from "../fleet/geometry.js";
import { indexOf } from "../board/cells.js";
import { attribute, h, keyed, property, svg } from "../h.js";
import { t } from "../text/index.js";

interface Ship {
    readonly name: string;
    readonly length: number;
    readonly isSunk: boolean;
    readonly hits: number;
}

/** A side's fleet as shapes: what is sunk is struck out, and one's own ships show their hits. */
export class FleetList extends HTMLElement {
    readonly #list = h("ul", { class: "fleet" });

    constructor() {
        super();
        this.append(this.#list);
    }

    update(game: Game, side: Seat): void {
        attribute(this.#list, "aria-label", t.fleet);
        keyed(
            this.#list,
            shipsOf(game, side),
            ({ name }) => name,
            ({ length }) => {
                const drawing = svg(
                    "svg",
                    { viewBox: `0 0 ${length} 1`, "aria-hidden": "true", focusable: "false" },
                    svg("path", { class: "body", d: hull(length) }),
                    svg("path", { class: "deck", d: deck(length) }),
                    svg("path", { class: "strike", d: `M.05 .9L${length - 0.05} .1` }),
                );
                property(drawing, "--length", length);
                return h("li", {}, drawing, h("span", { class: "hits" }), h("span", { class: "unseen" }));
            },
            (item, { length, isSunk, hits }) => {
                attribute(item, "data-sunk", isSunk);
                const [, marks, words] = item.children;
                if (marks && words) {
                    const dots = isSunk ? "" : "✕".repeat(hits);
                    const said = [t.shipOf(length), isSunk ? t.sunk : hits > 0 ? t.hits(hits) : t.afloat].join(", ");
                    if (marks.textContent !== dots) {
                        marks.textContent = dots;
                    }
                    if (words.textContent !== said) {
                        words.textContent = said;
                    }
                }
            },
        );
    }
}

/** The ships of a side, longest first. Of the other side only those that were sunk are known by their place. */
function shipsOf(game: Game, side: Seat): Ship[] {
    const { grid } = game.options;
    const board = game.boards[side];
    const struck = new Set(
        board.shots
            .filter(({ outcome }) => outcome === "hit" || outcome === "sunk")
            .map(({ cell }) => indexOf(cell, grid)),
    );
    const isWhole = board.ships.length === game.setup.ships.length;
    const left = board.ships.map((ship) => ({
        ...ship,
        hits: isWhole ? cellsOf(berthOf(ship, grid), grid).filter((cell) => struck.has(cell)).length : 0,
    }));
    left.sort((one, other) => Number(other.sunk) - Number(one.sunk) || other.hits - one.hits);
    return game.setup.ships.map((length, index) => {
        const found = left.findIndex((ship) => ship.length === length);
        const [ship] = found < 0 ? [] : left.splice(found, 1);
        return { name: String(index), length, isSunk: ship?.sunk ?? false, hits: ship?.hits ?? 0 };
    });
}

customElements.define("nb-fleet", FleetList);
