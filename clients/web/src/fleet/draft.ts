import type { Game, Layout } from "naval-battle-client";

import { cellAt, indexOf } from "../board/cells.js";
import type { Drafted } from "../seats.js";
import { berthOf, cellsOf, inside, shipOf, turned, type Berth } from "./geometry.js";

/** What is taken hold of in a draft: a ship or a mine, by its place in the fleet. */
export type Piece = { readonly kind: "ship" | "mine"; readonly index: number };

/** The ships and mines of one side while they are being placed. A draft never changes: each change gives a new one. */
export class Draft {
    constructor(
        readonly grid: number,
        readonly lengths: readonly number[],
        readonly drafted: Drafted,
    ) {}

    /** All in the dock. */
    static empty({ options, setup }: Pick<Game, "options" | "setup">): Draft {
        return new Draft(options.grid, setup.ships, {
            ships: setup.ships.map(() => ({ start: null, across: true })),
            mines: Array.from({ length: setup.mines }, () => null),
        });
    }

    /** What was kept, where it is of this game's fleet. */
    static kept(game: Pick<Game, "options" | "setup">, drafted: Drafted): Draft | null {
        const { options, setup } = game;
        const cells = options.grid ** 2;
        const isCell = (cell: number | null) => cell === null || (Number.isInteger(cell) && cell >= 0 && cell < cells);
        const isOfThis =
            drafted.ships.length === setup.ships.length &&
            drafted.mines.length === setup.mines &&
            drafted.ships.every((ship) => isCell(ship.start)) &&
            drafted.mines.every(isCell);
        if (!isOfThis) {
            return null;
        }
        const draft = new Draft(options.grid, setup.ships, drafted);
        return setup.ships.every((_, index) => {
            const berth = draft.berth(index);
            return berth === null || inside(berth, options.grid).start === berth.start;
        })
            ? draft
            : null;
    }

    /** A whole layout, as the server draws one. */
    static of(game: Pick<Game, "options" | "setup">, layout: Layout): Draft {
        const grid = game.options.grid;
        const left = layout.ships.map((ship) => berthOf(ship, grid));
        const ships = game.setup.ships.map((length) => {
            const found = left.findIndex((berth) => berth.length === length);
            const [berth] = found < 0 ? [] : left.splice(found, 1);
            return { start: berth?.start ?? null, across: berth?.across ?? true };
        });
        const mines = Array.from({ length: game.setup.mines }, (_, index) => {
            const cell = layout.mines?.[index];
            return cell === undefined ? null : indexOf(cell, grid);
        });
        return new Draft(grid, game.setup.ships, { ships, mines });
    }

    /** Where a ship lies, or `null` in the dock. */
    berth(index: number): Berth | null {
        const ship = this.drafted.ships[index];
        const length = this.lengths[index];
        return ship && length !== undefined && ship.start !== null
            ? { start: ship.start, length, across: ship.across }
            : null;
    }

    cells(piece: Piece): number[] {
        if (piece.kind === "mine") {
            const mine = this.drafted.mines[piece.index] ?? null;
            return mine === null ? [] : [mine];
        }
        const berth = this.berth(piece.index);
        return berth ? cellsOf(berth, this.grid) : [];
    }

    /** Every ship and mine, ships first. */
    get pieces(): Piece[] {
        return [
            ...this.lengths.map((_, index): Piece => ({ kind: "ship", index })),
            ...this.drafted.mines.map((_, index): Piece => ({ kind: "mine", index })),
        ];
    }

    isDocked(piece: Piece): boolean {
        return this.cells(piece).length === 0;
    }

    /** What lies at a cell; where two do, the later one. */
    at(cell: number): Piece | null {
        return this.pieces.findLast((piece) => this.cells(piece).includes(cell)) ?? null;
    }

    /** The same with a ship or mine at a cell, pushed inside, or in the dock with `null`. */
    with(piece: Piece, start: number | null, across?: boolean): Draft {
        const { ships, mines } = this.drafted;
        if (piece.kind === "mine") {
            return this.#of({ ships, mines: mines.with(piece.index, start) });
        }
        const lies = across ?? ships[piece.index]?.across ?? true;
        const length = this.lengths[piece.index] ?? 1;
        const placed = start === null ? null : inside({ start, length, across: lies }, this.grid).start;
        return this.#of({ ships: ships.with(piece.index, { start: placed, across: lies }), mines });
    }

    /** The same with a ship turned about its first cell. */
    turned(piece: Piece): Draft {
        const berth = piece.kind === "ship" ? this.berth(piece.index) : null;
        if (berth === null) {
            return this;
        }
        const after = turned(berth, this.grid);
        return this.with(piece, after.start, after.across);
    }

    /** What lies on the board, as the API takes it, and the pieces in the order in which they are sent. */
    get sent(): { layout: Layout & { mines: string[] }; ships: Piece[]; mines: Piece[] } {
        const ships = this.pieces.filter((piece) => piece.kind === "ship" && !this.isDocked(piece));
        const mines = this.pieces.filter((piece) => piece.kind === "mine" && !this.isDocked(piece));
        const layout = {
            ships: ships.flatMap((piece) => {
                const berth = this.berth(piece.index);
                return berth ? [shipOf(berth, this.grid)] : [];
            }),
            mines: mines.flatMap((piece) => this.cells(piece).map((cell) => cellAt(cell, this.grid))),
        };
        return { layout, ships, mines };
    }

    get isWhole(): boolean {
        return this.pieces.every((piece) => !this.isDocked(piece));
    }

    #of(drafted: Drafted): Draft {
        return new Draft(this.grid, this.lengths, drafted);
    }
}

export const isSame = (one: Piece | null, other: Piece | null): boolean =>
    one?.kind === other?.kind && one?.index === other?.index;
