import assert from "node:assert/strict";

import type { Cell, Game, Layout, NavalBattle, Options, Player } from "../src/index.js";

/** A classic fleet with room to spare on every grid, and as many mines as the largest has. */
const MINES: Cell[] = ["H8", "A9", "C9"];
export const layout = (mines: number): Layout => ({
    ships: [
        { start: "A1", length: 5 },
        { start: "A3", length: 4 },
        { start: "A5", length: 3 },
        { start: "A7", length: 3, direction: "across" },
        { start: "H1", length: 2, direction: "down" },
    ],
    mines: MINES.slice(0, mines),
});

/** Both seats of a game in battle, where the host fires first. */
export async function inBattle(api: NavalBattle, options: Partial<Options> = {}): Promise<[Player, Player]> {
    const host = await api.create({ name: "Ada", options: { ...options, first: "host" } });
    const guest = await api.table(host.id).join({ name: "Ben" });
    const { setup } = await host.look();
    await host.place(layout(setup.mines));
    await guest.place(layout(setup.mines));
    return [host, guest];
}

/** Plays to the end: the host strikes a mine first, and then both fire where something may be. */
export async function playOut(host: Player, guest: Player): Promise<void> {
    let isFirst = true;
    for (;;) {
        const { awaiting } = await host.look();
        const due = awaiting[0];
        if (due === undefined) {
            return;
        }
        const player = due.seat === "host" ? host : guest;
        const game = await player.look();
        if (due.action === "reveal") {
            assert(game.revealable);
            await player.reveal(game.revealable.slice(-due.count), game.version);
        } else {
            assert.equal(due.action, "fire");
            const unknown = worthAShot(game, player);
            const mine = isFirst ? MINES[0] : undefined;
            const shots = mine === undefined ? unknown : [mine, ...unknown.filter((cell) => cell !== mine)];
            await player.fire(shots.slice(0, due.count), game.version);
            isFirst = false;
        }
    }
}

/** The cells not fired at, those of which nothing is known first. */
function worthAShot(game: Game, player: Player): Cell[] {
    const board = game.boards[player.seat === "host" ? "guest" : "host"];
    const fired = new Set(board.shots.map((shot) => shot.cell));
    const empty = new Set(board.known_empty);
    const all = Array.from({ length: game.options.grid ** 2 }, (_, index) => {
        const [row, column] = [Math.floor(index / game.options.grid), index % game.options.grid];
        return `${String.fromCharCode("A".charCodeAt(0) + column)}${row + 1}`;
    });
    const left = all.filter((cell) => !fired.has(cell));
    return [...left.filter((cell) => !empty.has(cell)), ...left.filter((cell) => empty.has(cell))];
}

/** All that comes. */
export async function collect<E>(events: AsyncIterable<E>): Promise<E[]> {
    const all: E[] = [];
    for await (const event of events) {
        all.push(event);
    }
    return all;
}
