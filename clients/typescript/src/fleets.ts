import type { SaltedLayout } from "./boards.js";
import { around, cellsOf, indexOf } from "./cells.js";
import type { Cell, Options } from "./shapes.js";

/** The lengths of the ships of a fleet, longest first. */
export const FLEETS: Readonly<Record<Options["fleet"], readonly number[]>> = {
    classic: [5, 4, 3, 3, 2],
    russian: [4, 3, 3, 2, 2, 2, 1, 1, 1, 1],
};

/** How many mines each side hides (R3). */
export function mineCount({ grid, mines }: Options): number {
    return mines ? Math.max(1, Math.floor((grid - 6) / 3)) : 0;
}

/** What is wrong with a layout (R1 to R4); `null` where it is legal. */
export function illegal(layout: SaltedLayout, options: Options): string | null {
    const lengths = layout.ships.map((ship) => ship.length).sort((one, other) => other - one);
    if (lengths.join() !== FLEETS[options.fleet].join()) {
        return "the ships are not those of the fleet";
    }
    const mines = layout.mines ?? [];
    if (mines.length !== mineCount(options)) {
        return "the mines are too few or too many";
    }
    const things = [...layout.ships.map(cellsOf), ...mines.map((mine) => [mine])];
    const near = new Set<Cell>();
    for (const thing of things) {
        if (thing.some((cell) => indexOf(cell, options.grid) === null)) {
            return "something lies outside the grid";
        }
        if (thing.some((cell) => near.has(cell))) {
            return "two things touch or overlap";
        }
        thing.forEach((cell) => [cell, ...around(cell, options.grid)].forEach((taken) => near.add(taken)));
    }
    return null;
}
