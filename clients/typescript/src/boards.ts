import { around, cellsOf, inOrder, placeOf, type Lying } from "./cells.js";
import type { Board, Cell, Shot } from "./shapes.js";

/** What a seat has hidden, with the salt that came with the reply to `place`. */
export interface SaltedLayout {
    readonly ships: readonly Lying[];
    readonly mines?: readonly Cell[] | null;
    readonly salt: string;
}

/** A board before its seat has placed. */
export const EMPTY: Board = { ships: [], mines: [], shots: [], revealed: [], known_empty: [], salt: null };

/** A board whose ships and mines are known, with what was done to it before. */
export function laid(board: Board, layout: SaltedLayout): Board {
    const isSunk = new Set(board.shots.filter((shot) => shot.outcome === "sunk").map((shot) => shot.cell));
    const ships = layout.ships.map(({ start, length, direction }) => ({
        start,
        length,
        direction: length > 1 ? (direction ?? "across") : "across",
        sunk: isSunk.has(start),
    }));
    return { ...board, ships: byStart(ships), mines: inOrder(layout.mines ?? []), salt: layout.salt };
}

/** The board after these shots at it. */
export function struck(board: Board, shots: readonly Shot[], grid: number): Board {
    const marks = new Map(board.shots.map(({ cell, outcome }) => [cell, outcome]));
    const ships = new Map(board.ships.map((ship) => [ship.start, ship]));
    const mines = new Set(board.mines);
    for (const { cell, outcome, ship } of shots) {
        marks.set(cell, outcome);
        if (outcome === "mine") {
            mines.add(cell);
        }
        if (ship) {
            const { start, length, direction } = ship;
            ships.set(start, { start, length, direction, sunk: true });
            cellsOf(ship).forEach((hit) => marks.set(hit, "sunk"));
        }
    }
    const found = inOrder(marks.keys()).map((cell) => ({ cell, outcome: marks.get(cell) ?? "miss" }));
    return withEmpty({ ...board, ships: byStart([...ships.values()]), mines: inOrder(mines), shots: found }, grid);
}

/** The board after its owner has given these cells away. */
export function given(board: Board, cells: readonly Cell[], grid: number): Board {
    return withEmpty({ ...board, revealed: inOrder(new Set([...board.revealed, ...cells])) }, grid);
}

/** The cells that the owner can give: of ships, neither hit nor given yet. */
export function revealable(board: Board): Cell[] {
    const gone = new Set([...board.shots.map((shot) => shot.cell), ...board.revealed]);
    return inOrder(board.ships.flatMap(cellsOf).filter((cell) => !gone.has(cell)));
}

/**
 * What is known to be empty by the public record alone: around sunk ships and struck mines, and at the corners of
 * cells hit or given away.
 */
function withEmpty(board: Board, grid: number): Board {
    const empty = new Set<Cell>();
    for (const { cell, outcome } of board.shots) {
        if (outcome !== "miss") {
            around(cell, grid, outcome === "hit").forEach((near) => empty.add(near));
        }
    }
    for (const cell of board.revealed) {
        around(cell, grid, true).forEach((near) => empty.add(near));
    }
    board.shots.forEach(({ cell }) => empty.delete(cell));
    return { ...board, known_empty: inOrder(empty) };
}

function byStart<T extends { start: Cell }>(ships: T[]): T[] {
    return ships.sort((one, other) => placeOf(one.start) - placeOf(other.start));
}
