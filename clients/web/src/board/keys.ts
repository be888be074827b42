import { columnOf } from "./cells.js";

/** Letter and digits are one cell where they are typed no further apart than this, in milliseconds. */
const APART = 1_000;

/** Finds the cell that a key leads to, as ARIA's grids have it, and by typing a cell's name. */
export class Keys {
    #column = -1;
    #row = "";
    #at = 0;

    /** The cell that a key leads to from another, or `null` where it leads nowhere. */
    next(event: KeyboardEvent, from: number, grid: number, columns: readonly string[]): number | null {
        const column = from % grid;
        const row = Math.floor(from / grid);
        const clamp = (value: number) => Math.min(grid - 1, Math.max(0, value));
        const to = (x: number, y: number) => clamp(y) * grid + clamp(x);
        switch (event.key) {
            case "ArrowLeft":
                return to(column - 1, row);
            case "ArrowRight":
                return to(column + 1, row);
            case "ArrowUp":
                return to(column, row - 1);
            case "ArrowDown":
                return to(column, row + 1);
            case "Home":
                return event.ctrlKey ? to(0, 0) : to(0, row);
            case "End":
                return event.ctrlKey ? to(grid - 1, grid - 1) : to(grid - 1, row);
            case "PageUp":
                return to(column, 0);
            case "PageDown":
                return to(column, grid - 1);
            default:
                return event.ctrlKey || event.altKey || event.metaKey ? null : this.#typed(event, row, grid, columns);
        }
    }

    #typed(event: KeyboardEvent, row: number, grid: number, columns: readonly string[]): number | null {
        if (event.timeStamp - this.#at > APART) {
            this.#column = -1;
            this.#row = "";
        }
        const column = /^\p{L}$/u.test(event.key) ? columnOf(event.key, columns) : -1;
        if (column >= 0 && column < grid) {
            this.#column = column;
            this.#row = "";
            this.#at = event.timeStamp;
            return row * grid + column;
        }
        if (/^[0-9]$/.test(event.key) && this.#column >= 0) {
            const wanted = Number(this.#row + event.key);
            if (wanted >= 1 && wanted <= grid) {
                this.#row += event.key;
                this.#at = event.timeStamp;
                return (wanted - 1) * grid + this.#column;
            }
        }
        return null;
    }
}
