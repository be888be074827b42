import { attribute, h, keyed, property, say, svg } from "../h.js";
import { cellAt } from "./cells.js";
import { drawn, effect, marksOf } from "./drawn.js";
import { Keys } from "./keys.js";
import { chart, placed, SHAPES } from "./marks.js";
import type { BoardView, CellView, Look } from "./view.js";

export type PressedBy = "touch" | "pointer" | "key";

/** What a board asks of whoever shows it. */
export interface BoardActs {
    /** A cell was pressed, by a finger, by another pointer or by a key. */
    readonly press?: (index: number, by: PressedBy) => void;
    /** A key went down on a cell; `true` where it was taken. */
    readonly key?: (event: KeyboardEvent, index: number) => boolean;
}

const GROUNDS: readonly Look[] = ["hit", "mine", "given"];

/** A board: a grid of buttons over a drawn sea. Its cells are made once, so that focus is never lost. */
export class BoardGrid extends HTMLElement {
    acts: BoardActs = {};
    #grid = 0;
    #active = 0;
    #buttons: HTMLButtonElement[] = [];
    #isTouch = false;
    #wasPressed = false;
    #isFresh = true;
    readonly #keys = new Keys();
    #columns: readonly string[] = [];
    #heads: HTMLElement[] = [];
    #looks: readonly Look[] = [];
    readonly #lines = svg("path", { class: "lines" });
    readonly #crosses = svg("path", { class: "crosses" });
    readonly #lit = svg("g", { class: "lit" });
    readonly #heat = svg("g", { class: "heat" });
    readonly #hulls = svg("g", { class: "hulls" });
    readonly #grounds = svg("g", { class: "grounds" });
    readonly #marks = svg("g", { class: "marks" });
    readonly #numbers = svg("g", { class: "numbers" });
    readonly #effects = svg("g", { class: "effects" });
    readonly #sea = svg(
        "svg",
        { class: "sea", "aria-hidden": "true", focusable: "false" },
        this.#lines,
        this.#crosses,
        this.#lit,
        this.#hulls,
        this.#grounds,
        this.#marks,
        this.#heat,
        this.#numbers,
        this.#effects,
    );
    readonly #table = h("div", { class: "grid", role: "grid" });

    connectedCallback(): void {
        if (this.#table.isConnected) {
            return;
        }
        this.append(this.#sea, this.#table);
        this.#table.addEventListener("pointerdown", (event) => (this.#isTouch = event.pointerType === "touch"));
        this.#table.addEventListener("click", (event) => {
            const index = this.#indexOf(event.target);
            // The second half of a double press that opened the screen means nothing on it.
            this.#wasPressed ||= event.detail <= 1;
            if (index !== null && this.#wasPressed) {
                this.#activate(index);
                // A click that was made by a key has no pointer.
                this.acts.press?.(index, event.detail === 0 ? "key" : this.#isTouch ? "touch" : "pointer");
            }
        });
        this.#table.addEventListener("focusin", ({ target }) => this.#activate(this.#indexOf(target) ?? this.#active));
        this.#table.addEventListener("keydown", (event) => this.#press(event));
    }

    /** The cell that has the one tab stop of the board. */
    get active(): number {
        return this.#active;
    }

    /** The cell under a point of the window. */
    cellUnder(x: number, y: number): number | null {
        const { left, top, width, height } = this.#sea.getBoundingClientRect();
        const column = Math.floor(((x - left) / width) * this.#grid);
        const row = Math.floor(((y - top) / height) * this.#grid);
        return column >= 0 && column < this.#grid && row >= 0 && row < this.#grid ? row * this.#grid + column : null;
    }

    /** The width of a cell, in CSS pixels. */
    get cellSize(): number {
        return this.#sea.getBoundingClientRect().width / this.#grid;
    }

    button(index: number): HTMLButtonElement | undefined {
        return this.#buttons[index];
    }

    /** Moves the focus to a cell. */
    focusCell(index = this.#active): void {
        this.#activate(index);
        this.#buttons[index]?.focus();
    }

    update(view: BoardView): void {
        if (view.grid !== this.#grid) {
            this.#make(view.grid);
        }
        const isStill = this.#isFresh || view.isStill === true;
        this.#isFresh = false;
        attribute(this, "data-still", isStill);
        attribute(this.#table, "aria-label", view.label);
        attribute(this.#table, "data-side", view.side);
        this.#columns = view.columns;
        this.#heads.forEach((head, column) => say(head, view.columns[column] ?? ""));
        view.cells.forEach((cell, index) => this.#cell(index, cell));
        this.#draw(view);
        if (!isStill) {
            view.cells.forEach(({ look }, index) => this.#splash(look, this.#looks[index], index));
        }
        this.#looks = view.cells.map(({ look }) => look);
    }

    #make(grid: number): void {
        this.#grid = grid;
        this.#active = Math.min(this.#active, grid * grid - 1);
        this.#isFresh = true;
        property(this, "--n", grid);
        attribute(this.#sea, "viewBox", `0 0 ${grid} ${grid}`);
        const { lines, crosses } = chart(grid);
        attribute(this.#lines, "d", lines);
        attribute(this.#crosses, "d", crosses);
        this.#heads = Array.from({ length: grid }, () => h("span", { role: "columnheader" }));
        this.#buttons = Array.from({ length: grid * grid }, (_, index) =>
            h("button", { type: "button", tabindex: -1, "data-cell": cellAt(index, grid) }),
        );
        const rows = Array.from({ length: grid }, (_, row) =>
            h(
                "div",
                { role: "row", class: "row" },
                h("span", { role: "rowheader" }, String(row + 1)),
                ...this.#buttons
                    .slice(row * grid, (row + 1) * grid)
                    .map((button) => h("div", { role: "gridcell" }, button)),
            ),
        );
        this.#activate(this.#active);
        this.#table.replaceChildren(h("div", { role: "row", class: "row heads" }, ...this.#heads), ...rows);
    }

    #cell(index: number, { look, label, isPressed, isDim, isOpen }: CellView): void {
        const button = this.#buttons[index];
        if (button) {
            attribute(button, "aria-label", label);
            attribute(button, "aria-pressed", isPressed === null ? null : String(isPressed));
            attribute(button, "aria-disabled", isDim ? "true" : null);
            attribute(button, "data-look", look);
            attribute(button, "data-open", isOpen);
        }
    }

    #draw(view: BoardView): void {
        const { grid, cells, aim } = view;
        const [x, y] = [(index: number) => index % grid, (index: number) => Math.floor(index / grid)];
        const grounds = cells.flatMap(({ look }, index) => {
            const shown = view.picked?.includes(index) ? "given" : look;
            return GROUNDS.includes(shown) ? [{ look: shown, index }] : [];
        });
        keyed(
            this.#grounds,
            grounds,
            ({ look, index }) => `${look} ${index}`,
            ({ look, index }) =>
                svg("rect", {
                    class: look,
                    x: x(index) + 0.04,
                    y: y(index) + 0.04,
                    width: 0.92,
                    height: 0.92,
                    rx: 0.16,
                }),
        );
        keyed(
            this.#hulls,
            view.hulls,
            ({ name, kind, start, across, length }) => `${name} ${kind} ${start} ${across} ${length}`,
            (ship) => drawn(ship, grid),
        );
        keyed(
            this.#marks,
            marksOf(view),
            ({ name, index }) => `${name} ${index}`,
            (mark) =>
                svg("path", {
                    class: `mark ${mark.kind}`,
                    d: SHAPES[mark.shape],
                    transform: placed(mark.index, grid, mark.scale, mark.shift),
                }),
        );
        const numbered = aim.length > 1 || cells.length === 0 ? aim.map((index, order) => ({ index, order })) : [];
        keyed(
            this.#numbers,
            numbered,
            ({ index }) => String(index),
            () => svg("text"),
            (text, { index, order }) => {
                attribute(text, "x", x(index) + 0.5);
                attribute(text, "y", y(index) + 0.5);
                say(text, String(order + 1));
            },
        );
        const lit = view.isLit ? aim.slice(-1) : [];
        keyed(
            this.#lit,
            lit.flatMap((index) => [
                { way: "row", index },
                { way: "column", index },
            ]),
            ({ way, index }) => `${way} ${index}`,
            ({ way, index }) =>
                svg(
                    "rect",
                    way === "row"
                        ? { x: 0, y: y(index), width: grid, height: 1 }
                        : { x: x(index), y: 0, width: 1, height: grid },
                ),
        );
        const heat = (view.heat ?? []).map((chance, index) => ({ chance, index })).filter(({ chance }) => chance > 0);
        keyed(
            this.#heat,
            heat,
            ({ index }) => String(index),
            ({ index }) =>
                svg(
                    "g",
                    {},
                    svg("rect", { x: x(index), y: y(index), width: 1, height: 1 }),
                    svg("text", { x: x(index) + 0.5, y: y(index) + 0.92 }),
                ),
            (group, { chance }) => {
                property(group, "--chance", chance);
                const text = group.lastElementChild;
                if (text) {
                    say(text, String(Math.round(chance * 100)));
                }
            },
        );
    }

    /** A short play of water, smoke or fire where a cell has just been fired at. */
    #splash(look: Look, before: Look | undefined, index: number): void {
        const isNew =
            look !== before &&
            (look === "miss" || look === "mine" || look === "hit" || (look === "sunk" && before !== "hit"));
        if (
            !isNew ||
            matchMedia("(prefers-reduced-motion: reduce)").matches ||
            document.documentElement.dataset["motion"] === "none"
        ) {
            return;
        }
        const played = effect(look, index, this.#grid);
        this.#effects.append(played);
        setTimeout(() => played.remove(), 1_200);
    }

    #indexOf(target: EventTarget | null): number | null {
        const button = target instanceof Element ? target.closest("button") : null;
        const index = button ? this.#buttons.indexOf(button) : -1;
        return index < 0 ? null : index;
    }

    #activate(index: number): void {
        if (index !== this.#active) {
            this.#buttons[this.#active]?.setAttribute("tabindex", "-1");
            this.#active = index;
        }
        this.#buttons[index]?.setAttribute("tabindex", "0");
    }

    #press(event: KeyboardEvent): void {
        const index = this.#indexOf(event.target);
        if (index === null) {
            return;
        }
        if (this.acts.key?.(event, index)) {
            event.preventDefault();
            return;
        }
        const next = this.#keys.next(event, index, this.#grid, this.#columns);
        if (next !== null) {
            event.preventDefault();
            this.focusCell(next);
        }
    }
}

customElements.define("nb-board", BoardGrid);
