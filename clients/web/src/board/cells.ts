import type { Cell } from "naval-battle-client";

export const LATIN: readonly string[] = [..."ABCDEFGHIJKLMNO"];
export const RUSSIAN: readonly string[] = [..."АБВГДЕЖЗИКЛМНОП"];

/** The cell at a place, counted row by row from 0. */
export function cellAt(index: number, grid: number): Cell {
    return `${LATIN[index % grid]}${Math.floor(index / grid) + 1}`;
}

/** The place of a cell, counted row by row from 0. */
export function indexOf(cell: Cell, grid: number): number {
    return (Number(cell.slice(1)) - 1) * grid + LATIN.indexOf(cell.slice(0, 1));
}

/** A cell in the letters that are shown. Letters are for display: a request has the Latin ones. */
export function shown(cell: Cell, columns: readonly string[]): string {
    return `${columns[LATIN.indexOf(cell.slice(0, 1))] ?? cell.slice(0, 1)}${cell.slice(1)}`;
}

/**
 * The column that a typed letter means, or -1. Letters of both alphabets are taken: a Cyrillic В is the third column, a
 * Latin B the second.
 */
export function columnOf(letter: string, columns: readonly string[] = LATIN): number {
    const capital = letter.toUpperCase();
    const latin = LATIN.indexOf(capital);
    if (latin >= 0) {
        return latin;
    }
    const other = columns.indexOf(capital);
    return other >= 0 ? other : RUSSIAN.indexOf(capital);
}

/** The cell that somebody typed, in either alphabet, or `null` where it is none of this grid. */
export function typed(text: string, grid: number, columns: readonly string[] = LATIN): Cell | null {
    const found = /^\s*(\p{L})\s*0*([1-9][0-9]?)\s*$/u.exec(text);
    if (!found) {
        return null;
    }
    const column = columnOf(found[1] ?? "", columns);
    const row = Number(found[2]);
    return column >= 0 && column < grid && row <= grid ? cellAt((row - 1) * grid + column, grid) : null;
}
