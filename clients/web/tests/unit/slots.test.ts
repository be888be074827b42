import assert from "node:assert/strict";
import { test } from "node:test";

import { SLOTS, withSlot } from "../../src/play/slots.js";

/** The locks of a browser, as far as slots use them. */
function locks(): Pick<LockManager, "request"> {
    const held = new Set<string>();
    const request = async (name: string, options: LockOptions, use: (lock: Lock | null) => Promise<unknown>) => {
        assert.equal(options.ifAvailable, true, "a slot is never waited for");
        if (held.has(name)) {
            return use(null);
        }
        held.add(name);
        try {
            return await use({ name, mode: "exclusive" });
        } finally {
            held.delete(name);
        }
    };
    return { request } as unknown as Pick<LockManager, "request">;
}

/** Work that goes on until it is told to end. */
function work() {
    let end!: () => void;
    let isRunning = false;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const run = async () => {
        isRunning = true;
        await ended;
        isRunning = false;
    };
    return { run, end: () => end(), isRunning: () => isRunning };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("so many tabs stream as there are slots, and the next does not wait", async () => {
    const platform = locks();
    const works = Array.from({ length: SLOTS + 1 }, work);

    const held = works.map(({ run }) => withSlot(run, platform));
    await settled();

    assert.equal(SLOTS, 4, "browsers open six connections, and two are for requests");
    assert.deepEqual(
        works.map((one) => one.isRunning()),
        [true, true, true, true, false],
    );
    assert.equal(await held.at(-1), false);
    works.forEach(({ end }) => end());
    assert.deepEqual(await Promise.all(held.slice(0, SLOTS)), [true, true, true, true]);
});

test("a slot goes on to whoever asks once its holder has ended", async () => {
    const platform = locks();
    const works = Array.from({ length: SLOTS }, work);
    const held = works.map(({ run }) => withSlot(run, platform));
    await settled();
    const next = work();

    works[2]?.end();
    await held[2];
    const taken = withSlot(next.run, platform);
    await settled();

    assert(next.isRunning());
    [...works, next].forEach(({ end }) => end());
    assert.equal(await taken, true);
    await Promise.all(held);
});

test("work that fails lets its slot go, and its failure is told", async () => {
    const platform = locks();
    for (let time = 0; time <= SLOTS; time += 1) {
        await assert.rejects(
            withSlot(() => Promise.reject(new Error("gone")), platform),
            /gone/,
        );
    }
    assert.equal(await withSlot(() => Promise.resolve(), platform), true);
});

test("without locks there is no slot", async () => {
    const { run, isRunning } = work();
    assert.equal(await withSlot(run, null), false);
    assert(!isRunning());
});
