import assert from "node:assert/strict";
import { test } from "node:test";

import { cellAt, columnOf, indexOf, LATIN, RUSSIAN, shown, typed } from "../../src/board/cells.js";

const GRIDS = [8, 10, 12, 15];

test("a cell and its place are one to one on each grid", () => {
    for (const grid of GRIDS) {
        const cells = Array.from({ length: grid * grid }, (_, index) => cellAt(index, grid));
        assert.equal(new Set(cells).size, grid * grid);
        assert.deepEqual(
            cells.map((cell) => indexOf(cell, grid)),
            cells.map((_, index) => index),
        );
        assert.deepEqual(
            [cells[0], cells[grid - 1], cells.at(-1)],
            ["A1", `${LATIN[grid - 1]}1`, `${LATIN[grid - 1]}${grid}`],
        );
    }
});

test("Russian columns are the letters of the game, without Ё and Й", () => {
    assert.deepEqual(RUSSIAN.join(""), "АБВГДЕЖЗИКЛМНОП");
    assert.deepEqual(
        ["B7", "C7", "O15", "J10"].map((cell) => shown(cell, RUSSIAN)),
        ["Б7", "В7", "П15", "К10"],
    );
    assert.deepEqual(
        ["B7", "O15"].map((cell) => shown(cell, LATIN)),
        ["B7", "O15"],
    );
});

test("a typed Cyrillic В is the third column, a Latin B the second, whatever is shown", () => {
    for (const columns of [LATIN, RUSSIAN]) {
        assert.deepEqual(
            ["В7", "в7", "B7", "b7"].map((text) => typed(text, 10, columns)),
            ["C7", "C7", "B7", "B7"],
        );
    }
    for (const [index, letter] of RUSSIAN.entries()) {
        assert.equal(columnOf(letter, RUSSIAN), index);
        assert.equal(columnOf(letter.toLowerCase()), index);
        assert.equal(typed(`${letter}15`, 15, RUSSIAN), `${LATIN[index]}15`);
    }
});

test("a typed cell may have spaces and a zero before its row, and is else what it is", () => {
    assert.deepEqual(
        ["  d 4 ", "D04", "d4", "J10"].map((text) => typed(text, 10)),
        ["D4", "D4", "D4", "J10"],
    );
    for (const text of ["", "D", "4", "D0", "K1", "D11", "4D", "DD4", "D4x", "D-4", "Ж99", "Ё1", "D4 E5"]) {
        assert.equal(typed(text, 10), null, text);
    }
    assert.deepEqual([typed("I9", 8), typed("H8", 8), typed("O15", 15), typed("O15", 12)], [null, "H8", "O15", null]);
});
