import { store, type State } from "../app.js";
import { BoardGrid } from "../board/grid.js";
import { deck, hull, SHAPES } from "../board/marks.js";
import { draggable } from "../fleet/drag.js";
import { Draft, isSame, type Piece } from "../fleet/draft.js";
import { faultsOf } from "../fleet/faults.js";
import { viewOfDraft } from "../fleet/view.js";
import * as yard from "../fleet/yard.js";
import { attribute, h, keyed, property, say, show, svg } from "../h.js";
import * as seats from "../seats.js";
import { t } from "../text/index.js";
import { button } from "./screen.js";

/** Where a fleet is arranged: a board, a dock, and what is still wrong. */
export class YardBoard extends HTMLElement {
    readonly #board = new BoardGrid();
    readonly #dock = h("div", { class: "dock", role: "group" });
    readonly #none = h("p", { class: "quiet" });
    readonly #way = button("", () => yard.turn(), { class: "chip", "aria-pressed": "false" });
    readonly #last = button(t.lastTime, () => yard.lastTime(), { class: "chip" });
    readonly #faults = h("ul", { class: "faults" });
    readonly #word = h("p", { class: "word" });
    readonly #ready = button(t.ready, () => yard.ready(), { class: "main", "aria-describedby": "ready-note" });
    readonly #note = h("p", { class: "quiet", id: "ready-note" });

    constructor() {
        super();
        attribute(this.#dock, "aria-label", t.dock);
        this.append(
            h("div", { class: "sheet" }, this.#board),
            h(
                "div",
                { class: "beside" },
                h(
                    "div",
                    { class: "row" },
                    button(t.shuffle, () => yard.shuffle(), { class: "chip" }),
                    button(t.clear, () => yard.clear(), { class: "chip" }),
                    this.#last,
                    this.#way,
                ),
                h("h2", {}, t.dock),
                this.#dock,
                this.#none,
                h("p", { class: "quiet hint" }, t.placingHint),
                this.#faults,
                this.#word,
                h("div", { class: "bar" }, this.#ready, this.#note),
            ),
        );
        this.#board.acts = {
            press: (index, by) => yard.press(index, by),
            key: (event) => {
                const taken = yard.key(event);
                if (typeof taken === "number") {
                    this.#board.focusCell(taken);
                }
                return taken !== false;
            },
        };
        draggable(this, this.#board, (target) => this.#pieceUnder(target));
    }

    update(state: State): void {
        const { table } = state;
        const game = table?.game;
        if (!table || !game) {
            return;
        }
        const draft = table.draft ?? Draft.empty(game);
        const checked = table.checked?.draft === draft ? table.checked : null;
        this.#board.update(viewOfDraft(draft, game, table));
        const docked = draft.pieces.filter((piece) => draft.isDocked(piece));
        keyed(
            this.#dock,
            docked,
            ({ kind, index }) => `${kind} ${index}`,
            (piece) => this.#berth(piece, draft),
            (element, piece) => attribute(element, "aria-pressed", String(isSame(table.held, piece))),
        );
        say(this.#none, docked.length === 0 ? t.dockEmpty : "");
        show(this.#none, docked.length === 0);
        const lies =
            table.held?.kind === "ship" && !draft.isDocked(table.held)
                ? (draft.drafted.ships[table.held.index]?.across ?? true)
                : table.across;
        say(this.#way, lies ? `↔ ${t.across}` : `↓ ${t.down}`);
        attribute(this.#way, "aria-label", lies ? t.liesAcross : t.liesDown);
        attribute(this.#way, "aria-pressed", String(!lies));
        show(this.#last, seats.lastLayout(game.options) !== null);
        const faults = checked ? faultsOf(checked) : [];
        keyed(
            this.#faults,
            faults,
            (words) => words,
            (words) => h("li", {}, words),
        );
        say(this.#word, table.word ?? "");
        const isLegal = checked?.legal === true;
        attribute(this.#ready, "aria-disabled", isLegal && !table.busy ? null : "true");
        say(
            this.#note,
            table.isReady
                ? t.placedOnceJoined
                : isLegal
                  ? t.readyIsFinal
                  : checked === null
                    ? t.stillChecking
                    : t.readyLocked,
        );
    }

    /** A ship or mine in the dock. */
    #berth(piece: Piece, draft: Draft): HTMLButtonElement {
        const length = piece.kind === "mine" ? 1 : (draft.lengths[piece.index] ?? 1);
        const shape =
            piece.kind === "mine"
                ? svg("path", {
                      class: "own mine",
                      d: SHAPES.ownMine,
                  })
                : svg(
                      "g",
                      { class: "hull own" },
                      svg("path", { class: "body", d: hull(length) }),
                      svg("path", { class: "deck", d: deck(length) }),
                  );
        const drawing = svg("svg", { viewBox: `0 0 ${length} 1`, "aria-hidden": "true", focusable: "false" }, shape);
        property(drawing, "--length", length);
        const name = piece.kind === "mine" ? t.mine : t.shipOf(length);
        const element = h(
            "button",
            {
                type: "button",
                class: "piece",
                "aria-label": name,
                title: name,
                "data-piece": `${piece.kind} ${piece.index}`,
            },
            drawing,
        );
        let isTouch = false;
        element.addEventListener("pointerdown", (event) => (isTouch = event.pointerType === "touch"));
        element.addEventListener("click", (event) => {
            const by = event.detail === 0 ? "key" : isTouch ? "touch" : "pointer";
            yard.choose(piece, by, this.#board.active);
            if (by === "key") {
                this.#board.focusCell(store.state.table?.draft?.cells(piece)[0] ?? this.#board.active);
            }
        });
        return element;
    }

    #pieceUnder(target: Element): { piece: Piece; grip: readonly [number, number] } | null {
        const draft = store.state.table?.draft;
        const docked = target.closest<HTMLElement>("[data-piece]")?.dataset["piece"];
        if (docked && draft) {
            const [kind, index] = docked.split(" ");
            const length = draft.lengths[Number(index)] ?? 1;
            const middle = Math.floor((length - 1) / 2);
            const grip: [number, number] =
                kind === "mine" ? [0, 0] : store.state.table?.across ? [middle, 0] : [0, middle];
            return { piece: { kind: kind === "mine" ? "mine" : "ship", index: Number(index) }, grip };
        }
        const cell = target.closest<HTMLElement>("[data-cell]");
        const index = cell ? [...this.querySelectorAll("[data-cell]")].indexOf(cell) : -1;
        const piece = draft?.at(index) ?? null;
        const [first = index] = piece && draft ? draft.cells(piece) : [];
        return piece && draft
            ? {
                  piece,
                  grip: [
                      (index % draft.grid) - (first % draft.grid),
                      Math.floor(index / draft.grid) - Math.floor(first / draft.grid),
                  ],
              }
            : null;
    }
}

customElements.define("nb-yard", YardBoard);
