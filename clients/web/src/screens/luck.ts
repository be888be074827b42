import type { Analysis, Game } from "naval-battle-client";

import { once } from "../app.js";
import { h, property } from "../h.js";
import { nameOf } from "../notice/tell.js";
import { session } from "../play/open.js";
import { SEATS } from "../shapes.js";
import { language, t } from "../text/index.js";
import { bdi } from "./screen.js";

/** Luck of so many hits fills half of the line. */
const MOST = 5;

let asked: { readonly game: string; readonly analysis: Promise<Analysis> } | null = null;

/** What could be reckoned in the game that is open, which is over: asked for once, and again after a failure. */
export function judge(): Promise<Analysis> {
    const open = session();
    if (!open) {
        return Promise.reject(new Error("no game is open"));
    }
    if (asked?.game !== open.id) {
        const asking = { game: open.id, analysis: open.who(once()).analysis() };
        asking.analysis.catch(() => (asked = asked === asking ? null : asked));
        asked = asking;
    }
    return asked.analysis;
}

const style = "percent";

/** A share, in whole per cent. */
export const percent = (share: number): string =>
    new Intl.NumberFormat(language, { style, maximumFractionDigits: 0 }).format(share);

const signed = (luck: number): string =>
    new Intl.NumberFormat(language, { signDisplay: "exceptZero", maximumFractionDigits: 1 }).format(luck);

const plain = (value: number): string => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);

/** How lucky each side was: a line from bad luck to good, with its figures in words. */
export class LuckList extends HTMLElement {
    readonly #list = h("ul", { class: "luck" });

    constructor() {
        super();
        this.hidden = true;
        this.append(h("h2", {}, t.luck), this.#list);
    }

    update({ seats }: Analysis, game: Game): void {
        this.hidden = false;
        this.#list.replaceChildren(
            ...SEATS.map((seat) => {
                const { hits, expected_hits, luck, choices_as_good } = seats[seat];
                const words = [
                    t.luckText(hits, plain(expected_hits)),
                    ...(choices_as_good === null ? [] : [t.choicesAsGood(percent(choices_as_good))]),
                ];
                const line = h("span", { class: "balance", "aria-hidden": "true" }, h("span"));
                property(line, "--luck", Math.max(-1, Math.min(1, luck / MOST)));
                return h(
                    "li",
                    { "data-seat": seat },
                    bdi(nameOf(game, seat)),
                    ": ",
                    h("strong", {}, signed(luck)),
                    line,
                    h("span", { class: "quiet" }, `${words.join("; ")}.`),
                );
            }),
        );
    }
}

customElements.define("nb-luck", LuckList);
