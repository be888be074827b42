import { columns, opposite, setTable, store, type State, type Table } from "../app.js";
import { cellAt, indexOf, shown, typed } from "../board/cells.js";
import { attribute, h, say, show } from "../h.js";
import { spoken } from "../notice/live.js";
import * as moves from "../play/moves.js";
import { owes, type Due } from "../shapes.js";
import { t } from "../text/index.js";
import { button, iconButton } from "./screen.js";

/** What a board is asked for by its controls. */
export interface Aimed {
    /** The cell that has the tab stop. */
    readonly active: () => number;
    readonly zoom: (isZoomed: boolean) => void;
    readonly follow: (cell: number) => void;
}

/** Below the boards: what a press came to, what is chosen, and the buttons that fire and give away. */
export class Controls extends HTMLElement {
    readonly #word = h("p", { class: "word" });
    readonly #count = h("span", { class: "count" });
    readonly #fire = button("", () => this.#act(), { class: "main" });
    readonly #clear = button(t.clear, () => this.#clearAll(), { class: "plain" });
    readonly #cell = h("input", {
        id: "cell",
        type: "text",
        size: 4,
        maxlength: 4,
        autocomplete: "off",
        autocapitalize: "characters",
        spellcheck: "false",
    });
    readonly #other: HTMLDetailsElement;
    readonly #zoom: HTMLButtonElement;
    #isZoomed = false;

    constructor(readonly aimed: Aimed) {
        super();
        this.#zoom = button(t.zoom, () => this.#toggleZoom(), { class: "chip", "aria-pressed": "false" });
        const arrow = (name: "left" | "up" | "down" | "right", label: string, columns: number, rows: number) =>
            iconButton(name, label, () => this.#step(columns, rows), { class: "plain arrow" });
        this.#other = h(
            "details",
            { class: "ways-to-aim" },
            h("summary", {}, t.otherWays),
            h(
                "form",
                { class: "row", onsubmit: (event: SubmitEvent) => this.#typed(event) },
                h("label", { class: "field inline", for: "cell" }, h("span", {}, t.cell), this.#cell),
                h("button", { class: "chip" }, t.aim),
                h(
                    "span",
                    { class: "row arrows", role: "group", "aria-label": t.moveAim },
                    arrow("left", t.aimLeft, -1, 0),
                    arrow("up", t.aimUp, 0, -1),
                    arrow("down", t.aimDown, 0, 1),
                    arrow("right", t.aimRight, 1, 0),
                ),
                this.#zoom,
            ),
        );
        this.append(h("div", { class: "bar" }, this.#word, this.#count, this.#clear, this.#fire), this.#other);
    }

    update({ table, settings }: State): void {
        const game = table?.game;
        if (!table || !game?.you) {
            return;
        }
        const due = owes(game, game.you);
        const isDebt = due?.action === "reveal";
        const chosen = isDebt ? table.picked : table.aim;
        const most = isDebt ? due.count : moves.shotsOf(table);
        const names = chosen.map((cell) => shown(cell, columns()));
        const isLost = table.link === "lost";
        say(
            this.#word,
            table.busy === "fire"
                ? t.firing
                : (table.word ?? (isLost ? t.waitsForConnection : hintOf(due, table, settings))),
        );
        say(this.#count, most > 1 && (due || chosen.length > 0) ? t.chosenOf(chosen.length, most) : "");
        const isWhole = chosen.length === most && most > 0;
        say(
            this.#fire,
            isDebt ? t.giveAway(names.join(", ")) : most > 1 ? t.fireShots(most) : t.fireAt(names[0] ?? ""),
        );
        putAway(this.#fire, !isWhole);
        attribute(this.#fire, "aria-disabled", isWhole && due && !table.busy ? null : "true");
        putAway(this.#clear, chosen.length === 0 || most === 1);
        show(this.#other, !isDebt);
    }

    /** Shows the other ways to aim where cells are small. */
    unfold(): void {
        this.#other.open = true;
    }

    #act(): void {
        const game = store.state.table?.game;
        if (game && owes(game, game.you)?.action === "reveal") {
            void moves.give();
        } else {
            void moves.fire();
        }
    }

    #clearAll(): void {
        setTable({ picked: [] });
        moves.clearAim();
    }

    #typed(event: SubmitEvent): void {
        event.preventDefault();
        const game = store.state.table?.game;
        if (!game) {
            return;
        }
        const cell = typed(this.#cell.value, game.options.grid, columns());
        if (cell === null) {
            const words = t.noSuchCell(this.#cell.value);
            setTable({ word: words });
            spoken(words);
            return;
        }
        this.#cell.value = "";
        moves.aimAt(cell);
        this.aimed.follow(indexOf(cell, game.options.grid));
    }

    /** Moves the last cell that is aimed at, over those that cannot be fired at. */
    #step(columns: number, rows: number): void {
        const { table } = store.state;
        const game = table?.game;
        if (!table || !game?.you) {
            return;
        }
        const { grid } = game.options;
        const shots = new Set(game.boards[opposite(game.you)].shots.map(({ cell }) => cell));
        const from = table.aim.at(-1);
        let [column, row] =
            from === undefined
                ? [this.aimed.active() % grid, Math.floor(this.aimed.active() / grid)]
                : [indexOf(from, grid) % grid, Math.floor(indexOf(from, grid) / grid)];
        let cell = cellAt(row * grid + column, grid);
        let isFirst = from === undefined;
        do {
            if (!isFirst) {
                column += columns;
                row += rows;
            }
            isFirst = false;
            if (column < 0 || row < 0 || column >= grid || row >= grid) {
                return;
            }
            cell = cellAt(row * grid + column, grid);
        } while (shots.has(cell) || table.aim.includes(cell));
        setTable({ aim: table.aim.slice(0, -1) });
        moves.aimAt(cell);
        this.aimed.follow(row * grid + column);
        spoken(shown(cell, store.state.rules?.columns ?? []));
    }

    #toggleZoom(): void {
        this.#isZoomed = !this.#isZoomed;
        attribute(this.#zoom, "aria-pressed", String(this.#isZoomed));
        this.aimed.zoom(this.#isZoomed);
    }
}

/** Takes a button away, or brings it back. The bar keeps its height, so that nothing below it jumps. */
function putAway(element: HTMLElement, isAway: boolean): void {
    attribute(element, "data-away", isAway);
    attribute(element, "aria-hidden", isAway ? "true" : null);
    element.tabIndex = isAway ? -1 : 0;
}

/** What one can do next, where there is nothing else to say. */
function hintOf(due: Due | undefined, { game, aim, picked }: Table, { confirm }: State["settings"]): string {
    if (due?.action === "reveal") {
        return picked.length === 0 ? t.hintGive : "";
    }
    if (due?.action !== "fire" || aim.length > 0 || !game) {
        return "";
    }
    const aims =
        game.options.salvo ||
        confirm === "always" ||
        (confirm === "automatic" && matchMedia("(pointer: coarse)").matches);
    return aims ? t.hintAim : t.hintFire;
}

customElements.define("nb-controls", Controls);
