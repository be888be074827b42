//! What is played, the same on both sides.

import { cellsOf } from "./game.mjs";

/** Shots of a whole game: the host's 30, the last of which sinks the last ship, and the guest's 29. */
export const SHOTS = 59;

const HITS = 17;
const WATER = 13;
const ALL = Array.from({ length: 100 }, (_, index) => `${"ABCDEFGHIJ"[index % 10]}${Math.floor(index / 10) + 1}`);

/**
 * A game over two layouts: `{fleets: [host's, guest's], shots: [{seat, cell, isHit}]}`, seats 0 and 1.
 *
 * The host hits every cell of the guest's ships and 13 of water, a ship's cell last; the guest hits 16.
 */
export function plan(fleets, seed) {
    const random = dice(seed);
    const [host, guest] = [1, 0].map((target) => {
        const ships = shuffled(fleets[target].flatMap(cellsOf), random);
        const water = shuffled(ALL.filter((cell) => !ships.includes(cell)), random);
        const last = ships.pop();
        const before = shuffled([...ships, ...water.slice(0, WATER)], random);
        return { shots: target === 1 ? [...before, last] : before, ships: new Set([...ships, last]) };
    });
    const shots = Array.from({ length: SHOTS }, (_, index) => {
        const { shots, ships } = index % 2 === 0 ? host : guest;
        const cell = shots[Math.floor(index / 2)];
        return { seat: index % 2, cell, isHit: ships.has(cell) };
    });
    if (host.ships.size !== HITS || shots.some((shot) => shot.cell === undefined)) throw new Error("not a classic fleet");
    return { fleets, shots };
}

/** Numbers from 0 to below 1: a linear congruential generator modulo 2³². */
function dice(seed) {
    let state = seed >>> 0;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

function shuffled(list, random) {
    const all = [...list];
    for (let last = all.length - 1; last > 0; last -= 1) {
        const other = Math.floor(random() * (last + 1));
        [all[last], all[other]] = [all[other], all[last]];
    }
    return all;
}
