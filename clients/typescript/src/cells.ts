import type { Cell, Seat } from "./shapes.js";

/** A ship as far as it says which cells are its own; `across` where it says no direction. */
export interface Lying {
    readonly start: Cell;
    readonly length: number;
    readonly direction?: "across" | "down" | null;
}

/** Columns of the largest grid. */
const WIDEST = 15;

/** A cell's place, row by row on the largest grid, so that places sort as the API's lists do. */
export function placeOf(cell: Cell): number {
    const match = /^([A-O])([1-9]|1[0-5])$/.exec(cell);
    if (match === null) {
        throw new RangeError(`${JSON.stringify(cell)} is no cell`);
    }
    const [, column = "", row] = match;
    return (Number(row) - 1) * WIDEST + column.charCodeAt(0) - "A".charCodeAt(0);
}

/** The cell at a place. */
export function cellAt(place: number): Cell {
    return nameOf(place % WIDEST, Math.floor(place / WIDEST));
}

/** The cell in a column and row, both from 0. */
export function nameOf(column: number, row: number): Cell {
    return `${String.fromCharCode("A".charCodeAt(0) + column)}${row + 1}`;
}

/** The number of a cell of a grid, row by row from 0: A1 is 0, B1 is 1; `null` outside of it. */
export function indexOf(cell: Cell, grid: number): number | null {
    const place = placeOf(cell);
    const [column, row] = [place % WIDEST, Math.floor(place / WIDEST)];
    return column < grid && row < grid ? row * grid + column : null;
}

/** The cells in the order of the API's lists: row by row. */
export function inOrder(cells: Iterable<Cell>): Cell[] {
    return [...cells].sort((one, other) => placeOf(one) - placeOf(other));
}

/** The cells of a ship, from its start on; some may lie outside the grid. */
export function cellsOf(ship: Lying): Cell[] {
    const place = placeOf(ship.start);
    const [column, row] = [place % WIDEST, Math.floor(place / WIDEST)];
    const isDown = ship.direction === "down" && ship.length > 1;
    return Array.from({ length: ship.length }, (_, step) =>
        isDown ? nameOf(column, row + step) : nameOf(column + step, row),
    );
}

/** The cells of a grid that touch a cell at a side or a corner, or at a corner alone. */
export function around(cell: Cell, grid: number, cornersAlone = false): Cell[] {
    const place = placeOf(cell);
    const found: Cell[] = [];
    for (const down of [-1, 0, 1]) {
        for (const right of [-1, 0, 1]) {
            const [column, row] = [(place % WIDEST) + right, Math.floor(place / WIDEST) + down];
            const isCorner = right !== 0 && down !== 0;
            const isItself = right === 0 && down === 0;
            if (!isItself && (isCorner || !cornersAlone) && inside(column, grid) && inside(row, grid)) {
                found.push(nameOf(column, row));
            }
        }
    }
    return found;
}

function inside(line: number, grid: number): boolean {
    return line >= 0 && line < grid;
}

/** The seat across the table. */
export function across(seat: Seat): Seat {
    return seat === "host" ? "guest" : "host";
}
