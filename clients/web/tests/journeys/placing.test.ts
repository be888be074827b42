import assert from "node:assert/strict";

import type { Layout } from "naval-battle-client";

import { texts as t } from "../../src/text/en.js";
import { journey, type Visit } from "../harness/journey.js";
import type { Person } from "../harness/person.js";
import { seatOf } from "../harness/play.js";
import { arrange, clear, drag, lay, lying, put } from "../harness/yard.js";

/** A Russian fleet on 8×8 that leaves no cell for a mine. */
const CROWDED: Layout = {
    ships: [
        { start: "E7", length: 4 },
        { start: "A6", length: 3 },
        { start: "H3", length: 3, direction: "down" },
        { start: "B1", length: 2 },
        { start: "E3", length: 2 },
        { start: "E5", length: 2 },
        { start: "B4", length: 1 },
        { start: "B8", length: 1 },
        { start: "E1", length: 1 },
        { start: "G1", length: 1 },
    ],
};

/** Somebody who arranges a fleet, with the codes of all faults that the server finds meanwhile. */
async function arranging(
    visit: (visit?: Visit) => Promise<Person>,
    options: object,
    more: Visit = {},
): Promise<[Person, Set<string>]> {
    const anna = await visit({ ...more, settings: { options: { first: "host", ...options } } });
    const codes = new Set<string>();
    anna.page.on("response", (response) => {
        if (response.url().endsWith("/layouts/check")) {
            response
                .json()
                .then(({ faults }) => faults.forEach(({ code }: { code: string }) => codes.add(code)))
                .catch(() => undefined);
        }
    });
    await anna.press(/^easy$/i);
    await anna.sees("placing");
    await clear(anna);
    return [anna, codes];
}

/** Waits until the draft was found to be wrong in this way. */
async function isWrong({ page }: Person, words: RegExp): Promise<void> {
    await page.locator("ul.faults li", { hasText: words }).first().waitFor();
    assert.equal(await page.locator("button.main", { hasText: t.ready }).getAttribute("aria-disabled"), "true");
}

journey("6: each fault of a layout is told in a sentence, and locks Ready", async ({ visit }) => {
    const [anna, codes] = await arranging(visit, { grid: 10, fleet: "classic", mines: true });
    const touch = new RegExp(
        t
            .faultTouch("X", "Y")
            .replace(/.*X(.*)Y.*/, "$1")
            .trim(),
    );
    const overlap = new RegExp(
        t
            .faultOverlap("X", "Y")
            .replace(/.*X(.*)Y.*/, "$1")
            .trim(),
    );

    await isWrong(anna, /./);
    await put(anna, "ship 0", "A1");
    await put(anna, "ship 1", "A2");
    await isWrong(anna, touch);
    await clear(anna);
    await put(anna, "ship 0", "A1");
    await put(anna, "ship 1", "C1", false);
    await isWrong(anna, overlap);
    await clear(anna);
    await put(anna, "ship 0", "A1");
    await put(anna, "mine 0", "F2");
    await isWrong(anna, touch);
    await clear(anna);
    await put(anna, "ship 0", "A1");
    await put(anna, "mine 0", "C1");
    await isWrong(anna, overlap);

    const possible = ["wrong_fleet", "wrong_mine_count", "overlap", "touch", "mine_on_ship", "mine_touches"];
    assert.deepEqual([...codes].sort(), possible.sort());
});

journey("6: a fleet that leaves no room for a mine says so, and shuffling helps", async ({ visit }) => {
    const [anna, codes] = await arranging(visit, { grid: 8, fleet: "russian", mines: true });

    await arrange(anna, CROWDED, [4, 3, 3, 2, 2, 2, 1, 1, 1, 1]);

    await isWrong(anna, new RegExp(t.faultNoRoom.slice(0, 20)));
    assert(codes.has("no_room_for_mines"));
    await anna.press(t.shuffle);
    await anna.ready();
    await anna.sees("fire");
});

journey("6: a ship is turned about its first cell, and at each edge pushed inside", async ({ visit }) => {
    const [anna] = await arranging(visit, { grid: 10, fleet: "classic", mines: true });
    for (const [cell, across, before, after] of [
        ["A1", true, ["A1", "B1", "C1", "D1", "E1"], ["A1", "A2", "A3", "A4", "A5"]],
        ["J1", true, ["F1", "G1", "H1", "I1", "J1"], ["F1", "F2", "F3", "F4", "F5"]],
        ["J10", true, ["F10", "G10", "H10", "I10", "J10"], ["F6", "F7", "F8", "F9", "F10"]],
        ["A10", false, ["A6", "A7", "A8", "A9", "A10"], ["A6", "B6", "C6", "D6", "E6"]],
        ["J1", false, ["J1", "J2", "J3", "J4", "J5"], ["F1", "G1", "H1", "I1", "J1"]],
    ] as const) {
        await clear(anna);
        await put(anna, "ship 0", cell, across);
        assert.deepEqual(await lying(anna), before, `at ${cell}`);
        const [first = "A1"] = before;
        await anna.page.locator(`[data-cell="${first}"]`).click();
        await anna.page.locator(`[data-cell="${first}"]`).click();
        assert.deepEqual((await lying(anna)).sort(), [...after].sort(), `turned at ${cell}`);
    }
});

journey("6: by keys a ship is taken up, moved, turned, put down, returned, and all is undone", async ({ visit }) => {
    const [anna] = await arranging(visit, { grid: 10, fleet: "classic", mines: true });
    const { keyboard } = anna.page;

    await anna.page.locator('[data-piece="ship 1"]').focus();
    await keyboard.press("Enter");
    for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) {
        await keyboard.press(key);
    }
    assert.deepEqual(await lying(anna), ["C2", "D2", "E2", "F2"]);
    await keyboard.press("r");
    assert.deepEqual(await lying(anna), ["C2", "C3", "C4", "C5"]);
    await keyboard.press("Enter");
    assert.equal(await anna.page.locator('[data-cell][aria-pressed="true"]').count(), 0, "it is put down");
    await keyboard.press("Enter");
    await keyboard.press("ArrowRight");
    assert.deepEqual(await lying(anna), ["D2", "D3", "D4", "D5"]);
    await keyboard.press("Escape");
    assert.deepEqual(await lying(anna), ["C2", "C3", "C4", "C5"], "all since it was taken up is undone");
    await anna.page.locator('[data-cell="C2"]').focus();
    await keyboard.press("Enter");
    await keyboard.press("Delete");
    assert.deepEqual(await lying(anna), []);
    await anna.page.locator('[data-piece="ship 1"]').waitFor();
});

journey(
    "6: dragged off the board a ship returns to the dock, and to where it was where the drag is broken off",
    async ({ visit }) => {
        const [anna] = await arranging(
            visit,
            { grid: 10, fleet: "classic", mines: true },
            { viewport: { width: 1280, height: 1000 } },
        );
        const { page } = anna;
        await lay(anna, true);
        await drag(anna, "ship 2", "D4", 3, true);
        assert.deepEqual(await lying(anna), ["D4", "E4", "F4"]);

        const centre = async (cell: string) => {
            const box = await page.locator(`[data-cell="${cell}"]`).boundingBox();
            assert(box);
            return [box.x + box.width / 2, box.y + box.height / 2] as const;
        };
        await page.mouse.move(...(await centre("E4")));
        await page.mouse.down();
        await page.mouse.move(...(await centre("F7")), { steps: 4 });
        await page.mouse.up();
        assert.deepEqual(await lying(anna), ["E7", "F7", "G7"], "it keeps to the cell that it was taken by");
        await page.mouse.move(...(await centre("E7")));
        await page.mouse.down();
        await page.mouse.move(...(await centre("B2")), { steps: 4 });
        await page.keyboard.press("Escape");
        await page.mouse.up();
        assert.deepEqual(await lying(anna), ["E7", "F7", "G7"]);
        await page.mouse.move(...(await centre("E7")));
        await page.mouse.down();
        await page.mouse.move(2, 2, { steps: 6 });
        await page.mouse.up();
        assert.deepEqual(await lying(anna), []);
        await page.locator('[data-piece="ship 2"]').waitFor();
    },
);

journey("6: shuffling drops any choice, and what is ready is sealed as it was drawn", async ({ api, visit }) => {
    const [anna] = await arranging(visit, { grid: 12, fleet: "classic", mines: true });
    await anna.page.locator('[data-piece="ship 3"]').click();
    await anna.press(t.shuffle);
    await anna.page.locator("button.main:not([aria-disabled])", { hasText: t.ready }).waitFor();
    const [drawn, mines] = [await lying(anna), await lying(anna, "ownMine")];
    const [ship = "A1"] = drawn;
    await anna.page.locator(`[data-cell="${ship}"]`).click();
    assert.notEqual(await anna.page.locator('[data-cell][aria-pressed="true"]').count(), 0);

    await anna.press(t.shuffle);
    await anna.page.locator('[data-cell][aria-pressed="true"]').first().waitFor({ state: "detached" });
    await anna.page.locator("button.main:not([aria-disabled])", { hasText: t.ready }).waitFor();
    const last = { ships: await lying(anna), mines: await lying(anna, "ownMine") };
    assert.notDeepEqual(last, { ships: drawn, mines });
    await anna.press(t.ready);
    await anna.sees("fire");

    await anna.draws(await (await seatOf(api, anna)).look());
    const own = (await anna.looks("host")).flatMap((look, index) => (look === "ship" ? [index] : []));
    assert.equal(own.length, last.ships.length);
    assert.equal(
        await anna.page.evaluate(() => Object.keys(localStorage).some((key) => key.includes("draft"))),
        false,
        "a draft is a secret",
    );
});
