import assert from "node:assert/strict";
import { test } from "node:test";

import { Clock, digits, isShort } from "../../src/play/clock.js";

const HOUR = 3_600_000;
const at = (milliseconds: number) => new Date(milliseconds).toISOString();

test("time is the server's, however wrong this machine's clock is", () => {
    for (const wrong of [-HOUR, 0, HOUR]) {
        let server = 1_800_000_000_000;
        const clock = new Clock(() => server + wrong);

        clock.answered(server + wrong - 40, server + wrong, at(server - 20));
        server += 3_000;

        assert.equal(clock.left(at(server + 7_000)), 7_000);
    }
});

test("the fastest of the last five moves tells most of the server's clock", () => {
    const clock = new Clock(() => 0);
    clock.answered(0, 10, at(5 + 1_000));
    assert.equal(clock.offset, 1_000);
    clock.answered(100, 900, at(2_000));
    assert.equal(clock.offset, 1_000, "a slow one tells less");
    for (let move = 0; move < 4; move += 1) {
        clock.answered(1_000, 1_200, at(1_100 + 500));
    }
    assert.equal(clock.offset, 500, "what was long ago is forgotten");
});

test("before the first move what is heard live has to do, and before that nothing", () => {
    const clock = new Clock(() => 0);
    assert.equal(clock.offset, 0);
    clock.heard(1_000, at(61_000));
    assert.equal(clock.offset, 60_000);
    clock.answered(0, 2, at(1 + 500));
    assert.equal(clock.offset, 500);
});

test("a clock warns in its last fifth and in the last ten seconds", () => {
    assert.deepEqual(
        [61_000, 60_000, 59_000].map((left) => isShort(left, 300)),
        [false, true, true],
    );
    assert.deepEqual(
        [10_001, 10_000, 0].map((left) => isShort(left, 30)),
        [false, true, true],
    );
});

test("a clock shows hours, minutes and seconds, and never less than nothing", () => {
    assert.deepEqual([0, -5_000, 1, 45_000, 60_000, 723_000, 7_390_000].map(digits), [
        "0:00",
        "0:00",
        "0:01",
        "0:45",
        "1:00",
        "12:03",
        "2:03:10",
    ]);
});
