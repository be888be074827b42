import type { Board, Cell, Game, Seat } from "naval-battle-client";

import { columns, type Table } from "../app.js";
import { around, berthOf, cellsOf, type Berth } from "../fleet/geometry.js";
import type { Settings } from "../seats.js";
import { cellAt, indexOf } from "./cells.js";
import { wordsOf } from "./words.js";

/** What a cell is, before anything that is chosen. */
export type Look = "water" | "miss" | "hit" | "sunk" | "mine" | "given" | "empty" | "mineless" | "ship" | "ownMine";

export interface CellView {
    readonly look: Look;
    /** Given away, and fired at since: a mark in the corner. */
    readonly wasGiven: boolean;
    /** Place, state and what else there is to tell. */
    readonly label: string;
    /** Whether it is chosen, where it can be. */
    readonly isPressed: boolean | null;
    /** Pressing it does nothing but say why. */
    readonly isDim: boolean;
    /** Can be given away now. */
    readonly isOpen: boolean;
    /** Giving it away tells least. */
    readonly isStarred: boolean;
}

export interface Hull extends Berth {
    readonly kind: "own" | "sunk" | "wrong" | "held" | "ghost";
    readonly name: string;
}

/** All that a board shows. Lists of cells have their places, counted row by row from 0. */
export interface BoardView {
    readonly side: Seat;
    readonly grid: number;
    readonly columns: readonly string[];
    readonly label: string;
    readonly cells: readonly CellView[];
    readonly hulls: readonly Hull[];
    /** Cells aimed at, in the order of their numbers. */
    readonly aim: readonly number[];
    /** Cells chosen to be given away. */
    readonly picked?: readonly number[];
    /** Whether the row and column of the aim are lit. */
    readonly isLit: boolean;
    readonly last: readonly number[];
    /** Chances from 0 to 1, row by row. */
    readonly heat?: readonly number[];
    /** Where one more mine could lie. */
    readonly free?: readonly number[];
    /** Mines that lie wrongly. */
    readonly wrong?: readonly number[];
    /** What it shows is another position rather than what happened: nothing moves. */
    readonly isStill?: boolean;
}

/** What is chosen on a board. */
export interface Choice {
    readonly aim: readonly Cell[];
    readonly picked: readonly Cell[];
    readonly last: readonly Cell[];
    readonly canFire: boolean;
    readonly count: number;
    readonly isLit: boolean;
}

export const NOTHING: Choice = { aim: [], picked: [], last: [], canFire: false, count: 0, isLit: false };

/** One side's board of a game, as the game has it. */
export function viewOf(game: Game, side: Seat, label: string, settings: Settings, choice: Choice = NOTHING): BoardView {
    const { grid } = game.options;
    const board = game.boards[side];
    const letters = columns();
    const place = (cell: Cell) => indexOf(cell, grid);
    const looks = looksOf(game, side, settings);
    const revealed = new Set(board.revealed.map(place));
    const open = new Set(side === game.you ? (game.revealable ?? []).map(place) : []);
    const starred = open.size > 0 ? tellsLeast(board, grid) : new Set<number>();
    const aim = choice.aim.map(place);
    const picked = new Set(choice.picked.map(place));
    const last = choice.last.map(place);
    const lengths = new Map<number, number>();
    for (const ship of board.ships) {
        for (const cell of cellsOf(berthOf(ship, grid), grid)) {
            lengths.set(cell, ship.length);
        }
    }
    const cells = looks.map((look, index): CellView => {
        const isOpen = open.has(index);
        const order = aim.indexOf(index);
        const isShot = ["miss", "hit", "sunk", "mine"].includes(look);
        const isPressed = isOpen ? picked.has(index) : choice.canFire && !isShot ? order >= 0 : null;
        return {
            look,
            wasGiven: revealed.has(index) && look !== "given",
            isPressed,
            isDim: open.size > 0 ? !isOpen : !choice.canFire || isShot,
            isOpen,
            isStarred: isOpen && starred.has(index),
            label: wordsOf({
                cell: cellAt(index, grid),
                letters,
                look,
                length: lengths.get(index) ?? null,
                isOwn: side === game.you,
                wasGiven: revealed.has(index),
                isFiredAt: isShot,
                isLast: last.includes(index),
                isStarred: isOpen && starred.has(index),
                shot: order < 0 ? null : order + 1,
                shots: choice.count,
                isPicked: picked.has(index),
            }),
        };
    });
    const hulls = board.ships.map((ship): Hull => {
        const berth = berthOf(ship, grid);
        return { ...berth, kind: ship.sunk ? "sunk" : "own", name: `${berth.start}` };
    });
    return { side, grid, columns: letters, label, cells, hulls, aim, picked: [...picked], last, isLit: choice.isLit };
}

/** What each cell of a board is, row by row. */
export function looksOf(game: Game, side: Seat, settings: Pick<Settings, "empty" | "mineless">): Look[] {
    const { grid } = game.options;
    const board = game.boards[side];
    const looks = Array.from({ length: grid * grid }, (): Look => "water");
    const set = (cell: Cell, look: Look) => {
        looks[indexOf(cell, grid)] = look;
    };
    const isOwn = side === game.you;
    if (settings.mineless && !isOwn && game.options.mines && game.setup.mines > board.mines.length) {
        const found = board.shots
            .filter(({ outcome }) => outcome === "hit" || outcome === "sunk")
            .map(({ cell }) => indexOf(cell, grid));
        for (const cell of around(found, grid)) {
            looks[cell] = "mineless";
        }
    }
    if (settings.empty && !isOwn) {
        board.known_empty.forEach((cell) => set(cell, "empty"));
    }
    for (const ship of board.ships) {
        cellsOf(berthOf(ship, grid), grid).forEach((cell) => (looks[cell] = "ship"));
    }
    board.mines.forEach((cell) => set(cell, "ownMine"));
    board.revealed.forEach((cell) => set(cell, "given"));
    board.shots.forEach(({ cell, outcome }) => set(cell, outcome));
    return looks;
}

/** Cells of ships that were found already: giving one of them away tells least. */
function tellsLeast(board: Board, grid: number): Set<number> {
    const known = new Set(
        [...board.revealed, ...board.shots.map((shot) => shot.cell)].map((cell) => indexOf(cell, grid)),
    );
    const found = board.ships
        .map((ship) => cellsOf(berthOf(ship, grid), grid))
        .filter((cells) => cells.some((cell) => known.has(cell)));
    return new Set(found.flat());
}

/** The cells of the last move of each side, on the board of the other. */
export function lastMoves(table: Pick<Table, "events">, side: Seat): Cell[] {
    const event = table.events.findLast(
        (event) =>
            (event.type === "fired" && event.seat !== side) || (event.type === "revealed" && event.seat === side),
    );
    return event?.type === "fired"
        ? event.shots.map((shot) => shot.cell)
        : event?.type === "revealed"
          ? event.cells
          : [];
}
