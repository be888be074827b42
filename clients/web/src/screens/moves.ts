import type { Event, Game } from "naval-battle-client";

import { attribute, h, keyed, say, show } from "../h.js";
import { sentenceOf } from "../notice/tell.js";
import { t } from "../text/index.js";
import { icon } from "./screen.js";

/** Every event of a game, newest first, each with its subject; beside an answer whether its proof is true. */
export class MoveList extends HTMLElement {
    readonly #list = h("ol", { class: "moves", reversed: true, tabindex: 0, "aria-label": t.moves });
    press: ((seq: number) => void) | null = null;

    constructor() {
        super();
        this.append(h("h2", {}, t.moves), this.#list);
    }

    update(
        events: readonly Event[],
        game: Game,
        proofs: ReadonlyMap<number, boolean> = new Map(),
        current: number | null = null,
        notes: ReadonlyMap<number, string> = new Map(),
    ): void {
        keyed(
            this.#list,
            events.toReversed(),
            ({ seq }) => String(seq),
            ({ seq }) => {
                const words = this.press
                    ? h("button", { type: "button", class: "link", onclick: () => this.press?.(seq) })
                    : h("span");
                return h(
                    "li",
                    { value: seq },
                    words,
                    h("span", { class: "note quiet" }),
                    h("span", { class: "proof", hidden: true }, icon("lock"), h("span")),
                );
            },
            (item, event) => {
                const [words, note, proof] = item.children;
                if (words && note && proof instanceof HTMLElement) {
                    say(words, sentenceOf(event, game));
                    attribute(words, "aria-current", event.seq === current ? "true" : null);
                    say(note, notes.get(event.seq) ?? "");
                    const isTrue = proofs.get(event.seq);
                    show(proof, isTrue !== undefined);
                    say(proof.lastElementChild ?? proof, isTrue ? t.proven : t.disproven);
                    attribute(proof, "data-true", isTrue === undefined ? null : String(isTrue));
                }
            },
        );
    }
}

customElements.define("nb-moves", MoveList);
