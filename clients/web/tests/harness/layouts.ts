import assert from "node:assert/strict";

import type { Cell, Game, Layout, NavalBattle, Options, Player } from "naval-battle-client";

import { cellAt, indexOf } from "../../src/board/cells.js";
import { around, berthOf, cellsOf } from "../../src/fleet/geometry.js";

/** A layout that is known, for each fleet and grid; ships first row by row, mines where they have room. */
export function known({ grid, fleet, mines }: Pick<Options, "grid" | "fleet" | "mines">): Layout {
    const classic: Layout["ships"] = [
        { start: "A1", length: 5 },
        { start: "A3", length: 4 },
        { start: "A5", length: 3 },
        { start: "A7", length: 3, direction: "across" },
        { start: "H1", length: 2, direction: "down" },
    ];
    const russian: Layout["ships"] = [
        { start: "A1", length: 4 },
        { start: "A3", length: 3 },
        { start: "E3", length: 3 },
        { start: "A5", length: 2 },
        { start: "D5", length: 2 },
        { start: "A7", length: 2 },
        { start: "F1", length: 1 },
        { start: "H1", length: 1 },
        { start: "G5", length: 1 },
        { start: "D7", length: 1 },
    ];
    const ships = fleet === "classic" ? classic : russian;
    const count = mines ? ({ 8: 1, 10: 1, 12: 2, 15: 3 }[grid] ?? 0) : 0;
    const taken = new Set(ships.flatMap((ship) => cellsOf(berthOf(ship, grid), grid)));
    const near = around([...taken], grid);
    const found: Cell[] = [];
    const blocked = new Set([...taken, ...near]);
    for (let index = grid * grid - 1; index >= 0 && found.length < count; index -= 1) {
        if (!blocked.has(index)) {
            found.push(cellAt(index, grid));
            around([index], grid).forEach((cell) => blocked.add(cell));
        }
    }
    assert.equal(found.length, count, "there is room for the mines");
    return { ships, mines: found };
}

/** Every cell that a ship of this layout lies on. */
export function afloat(layout: Layout, grid: number): Cell[] {
    return layout.ships.flatMap((ship) => cellsOf(berthOf(ship, grid), grid)).map((cell) => cellAt(cell, grid));
}

/** Cells with neither ship nor mine, from the last one on. */
export function water(layout: Layout, grid: number): Cell[] {
    const taken = new Set([...afloat(layout, grid), ...(layout.mines ?? [])]);
    return Array.from({ length: grid * grid }, (_, index) => cellAt(index, grid))
        .filter((cell) => !taken.has(cell))
        .reverse();
}

/** A game in battle between two whom the typed client plays. */
export async function inBattle(
    api: NavalBattle,
    options: Partial<Options> = {},
): Promise<{ host: Player; guest: Player; layout: Layout; game: Game }> {
    const host = await api.create({ name: "Anna", options: { first: "host", ...options } });
    const guest = await api.table(host.id).join({ name: "Boris" });
    const game = await host.look();
    const layout = known(game.options);
    await host.place(layout);
    await guest.place(layout);
    return { host, guest, layout, game: await host.look() };
}

/** Cells not fired at on a board, those of which something may be first. */
export function worthAShot(game: Game, side: "host" | "guest"): Cell[] {
    const board = game.boards[side];
    const fired = new Set(board.shots.map(({ cell }) => indexOf(cell, game.options.grid)));
    const empty = new Set(board.known_empty.map((cell) => indexOf(cell, game.options.grid)));
    const left = Array.from({ length: game.options.grid ** 2 }, (_, index) => index).filter(
        (index) => !fired.has(index),
    );
    return [...left.filter((index) => !empty.has(index)), ...left.filter((index) => empty.has(index))].map((index) =>
        cellAt(index, game.options.grid),
    );
}

/** Does what a player owes: fires where something may be, gives away what tells least of a kind. */
export async function takeTurn(player: Player, wanted: readonly Cell[] = []): Promise<boolean> {
    const game = await player.look();
    const due = game.awaiting.find(({ seat }) => seat === player.seat);
    if (due?.action === "fire") {
        const others = worthAShot(game, player.seat === "host" ? "guest" : "host");
        const first = wanted.filter((cell) => others.includes(cell));
        await player.fire(
            [...first, ...others.filter((cell) => !first.includes(cell))].slice(0, due.count),
            game.version,
        );
    } else if (due?.action === "reveal") {
        await player.reveal((game.revealable ?? []).slice(-due.count), game.version);
    } else {
        return false;
    }
    return true;
}

/** Does what a player owes, and pays for it where that struck a mine. */
export async function answer(player: Player): Promise<void> {
    await takeTurn(player);
    const { awaiting } = await player.look();
    if (awaiting.some(({ seat, action }) => seat === player.seat && action === "reveal")) {
        await takeTurn(player);
    }
}

/** Plays a game to its end. */
export async function playOut(players: readonly Player[], wanted: readonly Cell[] = []): Promise<Game> {
    for (let move = 0; move < 1_000; move += 1) {
        let hasMoved = false;
        for (const player of players) {
            hasMoved = (await takeTurn(player, wanted)) || hasMoved;
        }
        if (!hasMoved) {
            break;
        }
    }
    const [one] = players;
    assert(one);
    return one.look();
}
