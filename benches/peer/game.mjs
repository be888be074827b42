//! Battleship for boardgame.io: 10×10, the classic fleet, shots in turn, no mines.

import core from "boardgame.io/dist/cjs/core.js";

const { ActivePlayers, INVALID_MOVE, TurnOrder } = core;

const LENGTHS = "5,4,3,3,2";
const COLUMNS = "ABCDEFGHIJ";
const CELL = /^[A-J]([1-9]|10)$/;

/**
 * The cells of a ship such as `{start: "B2", length: 5, direction: "across"}`.
 */
export function cellsOf({ start, length, direction }) {
    const column = COLUMNS.indexOf(start[0]);
    const row = Number(start.slice(1));
    return Array.from({ length }, (_, step) =>
        direction === "down" ? `${start[0]}${row + step}` : `${COLUMNS[column + step]}${row}`,
    );
}

/** Whether two cells are the same or touch, at a corner too. */
function touch(one, other) {
    const columns = COLUMNS.indexOf(one[0]) - COLUMNS.indexOf(other[0]);
    const rows = Number(one.slice(1)) - Number(other.slice(1));
    return Math.abs(columns) <= 1 && Math.abs(rows) <= 1;
}

/** Whether the ships are the fleet, lie on the grid and do not touch. */
function isLegal(ships) {
    const isFleet = ships.map((ship) => ship.length).sort((one, other) => other - one).join() === LENGTHS;
    const isApart = ships.every((ship, index) =>
        ships.slice(index + 1).every((other) => !ship.some((cell) => other.some((far) => touch(cell, far)))),
    );
    return isFleet && isApart && ships.flat().every((cell) => CELL.test(cell));
}

/** Hides a fleet. */
function place({ G, playerID }, fleet) {
    const ships = fleet.map(cellsOf);
    if (G.boards[playerID] || !isLegal(ships)) return INVALID_MOVE;
    G.boards[playerID] = ships;
    return undefined;
}

/** Fires at a cell of the other side and answers. */
function fire({ G, playerID }, cell) {
    const target = playerID === "0" ? "1" : "0";
    const shots = G.shots[target];
    if (!CELL.test(cell) || shots.some((shot) => shot.cell === cell)) return INVALID_MOVE;
    const ship = G.boards[target].find((cells) => cells.includes(cell));
    const isSunk = ship?.every((part) => part === cell || shots.some((shot) => shot.cell === part));
    shots.push({ cell, outcome: isSunk ? "sunk" : ship ? "hit" : "miss" });
    return undefined;
}

/** Who has sunk the other's last ship, if somebody has. */
function winner({ boards, shots }) {
    const isLost = (seat) =>
        boards[seat]?.flat().every((cell) => shots[seat].some((shot) => shot.cell === cell));
    return isLost("1") ? "0" : isLost("0") ? "1" : undefined;
}

export const Battleship = {
    name: "battleship",
    minPlayers: 2,
    maxPlayers: 2,
    disableUndo: true,
    // Both by the seat that they belong to: its ships, and the shots fired at it.
    setup: () => ({ boards: { 0: null, 1: null }, shots: { 0: [], 1: [] } }),
    playerView: ({ G, ctx, playerID }) => {
        if (ctx.gameover) return G;
        const boards = { 0: null, 1: null };
        if (playerID in boards) boards[playerID] = G.boards[playerID];
        return { ...G, boards };
    },
    phases: {
        placing: {
            start: true,
            next: "battle",
            turn: { activePlayers: ActivePlayers.ALL },
            moves: { place: { move: place, client: false, redact: true } },
            endIf: ({ G }) => Boolean(G.boards[0] && G.boards[1]),
        },
        battle: {
            turn: { minMoves: 1, maxMoves: 1, order: TurnOrder.RESET },
            moves: { fire: { move: fire, client: false } },
        },
    },
    endIf: ({ G }) => {
        const seat = winner(G);
        return seat === undefined ? undefined : { winner: seat };
    },
};
