import type { Cell, Layout } from "naval-battle-client";

import { cellAt, indexOf } from "../board/cells.js";

/** A straight row of cells: its first cell, counted row by row from 0, and which way it lies. */
export interface Berth {
    readonly start: number;
    readonly length: number;
    readonly across: boolean;
}

/** The cells of a ship, by their places. */
export function cellsOf({ start, length, across }: Berth, grid: number): number[] {
    return Array.from({ length }, (_, step) => start + step * (across ? 1 : grid));
}

/** A ship that reaches beyond the grid, pushed inside it. */
export function inside(berth: Berth, grid: number): Berth {
    const least = Math.min(berth.length, grid);
    const column = berth.start % grid;
    const row = Math.floor(berth.start / grid);
    const start = berth.across
        ? row * grid + Math.min(column, grid - least)
        : Math.min(row, grid - least) * grid + column;
    return { ...berth, start };
}

/** A ship turned about its first cell, and pushed inside at an edge. */
export function turned(berth: Berth, grid: number): Berth {
    return inside({ ...berth, across: !berth.across }, grid);
}

/** A ship whose first cell is so many columns and rows further; as far as the grid goes. */
export function moved(berth: Berth, columns: number, rows: number, grid: number): Berth {
    const column = Math.min(grid - 1, Math.max(0, (berth.start % grid) + columns));
    const row = Math.min(grid - 1, Math.max(0, Math.floor(berth.start / grid) + rows));
    return inside({ ...berth, start: row * grid + column }, grid);
}

/** The cells beside some cells, corners included, without these. */
export function around(cells: readonly number[], grid: number): Set<number> {
    const found = new Set<number>();
    for (const cell of cells) {
        const column = cell % grid;
        const row = Math.floor(cell / grid);
        for (let y = Math.max(0, row - 1); y <= Math.min(grid - 1, row + 1); y += 1) {
            for (let x = Math.max(0, column - 1); x <= Math.min(grid - 1, column + 1); x += 1) {
                found.add(y * grid + x);
            }
        }
    }
    for (const cell of cells) {
        found.delete(cell);
    }
    return found;
}

/** A ship as the API writes it, by its places. */
export function berthOf(ship: { start: Cell; length: number; direction?: string | null }, grid: number): Berth {
    return { start: indexOf(ship.start, grid), length: ship.length, across: ship.direction !== "down" };
}

/** A ship as the API takes it. */
export function shipOf({ start, length, across }: Berth, grid: number): Layout["ships"][number] {
    return { start: cellAt(start, grid), length, direction: across ? "across" : "down" };
}
