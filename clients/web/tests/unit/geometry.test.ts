import assert from "node:assert/strict";
import { test } from "node:test";

import { around, berthOf, cellsOf, inside, moved, shipOf, turned, type Berth } from "../../src/fleet/geometry.js";

const GRIDS = [8, 10, 12, 15];

/** Every place at which a ship of each length could be dropped, also beyond an edge. */
function* berths(grid: number): Generator<Berth> {
    for (const length of [1, 2, 3, 4, 5]) {
        for (const across of [true, false]) {
            for (let start = 0; start < grid * grid; start += 1) {
                yield { start, length, across };
            }
        }
    }
}

const isInside = (berth: Berth, grid: number): boolean => {
    const cells = cellsOf(berth, grid);
    const row = (cell: number) => Math.floor(cell / grid);
    const stays = berth.across ? cells.every((cell) => row(cell) === row(berth.start)) : true;
    return stays && cells.every((cell) => cell >= 0 && cell < grid * grid);
};

test("a ship that reaches beyond an edge is pushed inside, and one that does not stays", () => {
    for (const grid of GRIDS) {
        for (const berth of berths(grid)) {
            const pushed = inside(berth, grid);
            assert(isInside(pushed, grid), JSON.stringify({ berth, grid }));
            assert.equal(pushed.across, berth.across);
            if (isInside(berth, grid)) {
                assert.deepEqual(pushed, berth);
            }
        }
    }
});

test("a ship turns about its first cell, at each edge inside the grid", () => {
    for (const grid of GRIDS) {
        for (const berth of berths(grid)) {
            const lies = inside(berth, grid);
            const other = turned(lies, grid);
            assert(isInside(other, grid));
            assert.notEqual(other.across, lies.across);
            const fits = isInside({ ...lies, across: !lies.across }, grid);
            assert.equal(other.start === lies.start, fits, "it moves only where it has to");
            if (fits) {
                assert.deepEqual(turned(other, grid), lies);
            }
        }
    }
});

test("a ship moves as far as the grid goes", () => {
    const grid = 10;
    const ship = { start: 0, length: 4, across: true };
    assert.deepEqual(moved(ship, 1, 1, grid), { ...ship, start: 11 });
    assert.deepEqual(moved(ship, -1, -1, grid), ship);
    assert.deepEqual(moved(ship, 99, 99, grid), { ...ship, start: 96 });
    for (const berth of berths(grid)) {
        assert(isInside(moved(inside(berth, grid), 1, 0, grid), grid));
        assert(isInside(moved(inside(berth, grid), 0, 1, grid), grid));
    }
});

test("around some cells lie those that touch them, corners too, and never these", () => {
    assert.deepEqual(
        [...around([0], 8)].sort((one, other) => one - other),
        [1, 8, 9],
    );
    assert.equal(around([9], 8).size, 8);
    assert.equal(around([9, 10, 11], 8).size, 12);
    for (const grid of GRIDS) {
        for (const berth of berths(grid)) {
            const cells = cellsOf(inside(berth, grid), grid);
            const beside = around(cells, grid);
            assert(cells.every((cell) => !beside.has(cell)));
            for (const cell of beside) {
                assert(
                    cells.some(
                        (of) =>
                            Math.abs((of % grid) - (cell % grid)) < 2 &&
                            Math.abs(Math.floor(of / grid) - Math.floor(cell / grid)) < 2,
                    ),
                );
            }
        }
    }
});

test("a ship is written as the API takes it, and read as it gives it", () => {
    for (const grid of GRIDS) {
        for (const berth of berths(grid)) {
            const lies = inside(berth, grid);
            assert.deepEqual(berthOf(shipOf(lies, grid), grid), lies);
        }
    }
    assert.deepEqual(shipOf({ start: 11, length: 3, across: false }, 10), {
        start: "B2",
        length: 3,
        direction: "down",
    });
    assert.deepEqual(berthOf({ start: "B2", length: 3 }, 10), { start: 11, length: 3, across: true });
});
