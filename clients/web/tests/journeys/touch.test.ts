import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { nextShots, seatOf } from "../harness/play.js";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

journey("2: volleys by touch at 360 px: aimed, taken back, cleared, fired", async ({ api, visit }) => {
    const options = { grid: 10, mines: true, salvo: true, shoot_again: true, first: "host" };
    const anna = await visit({ ...PHONE, settings: { options } });
    await anna.button(/^easy$/i).tap();
    await anna.sees("placing");
    await anna.page.locator("main button.main:not([aria-disabled])", { hasText: t.ready }).waitFor();
    await anna.button(t.ready).tap();
    await anna.sees("fire");
    const seat = await seatOf(api, anna);
    const first = await seat.look();
    const count = first.awaiting[0]?.count ?? 0;
    assert.equal(count, 5, "one shot for each ship");
    const shots = nextShots(first, count);

    for (const cell of shots) {
        await anna.cell("guest", cell).tap();
    }
    assert.equal(await anna.cell("guest", shots[1] ?? "").getAttribute("aria-pressed"), "true");
    assert.match((await anna.cell("guest", shots[1] ?? "").getAttribute("aria-label")) ?? "", /2 of 5/);
    await anna.cell("guest", shots[1] ?? "").tap();
    assert.equal(await anna.cell("guest", shots[1] ?? "").getAttribute("aria-pressed"), "false");
    assert.equal((await seat.look()).version, first.version, "nothing is fired by aiming");
    await anna.button(t.clear).tap();
    for (const cell of shots) {
        assert.equal(await anna.cell("guest", cell).getAttribute("aria-pressed"), "false");
        await anna.cell("guest", cell).tap();
    }
    await anna.button(/^Fire/).tap();
    await anna.page.locator(`main:not([data-version="${first.version}"]):not([data-busy])`).waitFor();

    const after = await seat.look();
    assert.deepEqual(
        after.boards.guest.shots.map(({ cell }) => cell),
        shots,
    );
    for (let turn = 0; turn < 4; turn += 1) {
        const state = await anna.sees("fire", "reveal", "end");
        const game = await seat.look();
        await anna.draws(game);
        if (state === "reveal") {
            const owed = game.awaiting[0]?.count ?? 0;
            for (const cell of (game.revealable ?? []).slice(0, owed)) {
                await anna.cell("host", cell).tap();
            }
            await anna.button(/^Give away/).tap();
        } else if (state === "fire") {
            for (const cell of nextShots(game, game.awaiting[0]?.count ?? 0)) {
                await anna.cell("guest", cell).tap();
            }
            await anna.button(/^Fire/).tap();
        }
        await anna.page.locator(`main:not([data-version="${game.version}"]):not([data-busy])`).waitFor();
    }
});

journey("2: a single shot by touch is aimed first, and fired by its button alone", async ({ api, visit }) => {
    const anna = await visit({ ...PHONE, settings: { options: { grid: 8, first: "host" } } });
    await anna.button(/^easy$/i).tap();
    await anna.ready();
    await anna.sees("fire");
    const seat = await seatOf(api, anna);
    const { version } = await seat.look();

    await anna.cell("guest", "B7").tap();
    await anna.cell("guest", "C3").tap();

    await anna.button(t.fireAt("C3")).waitFor();
    assert.equal(await anna.cell("guest", "B7").getAttribute("aria-pressed"), "false");
    await anna.cell("guest", "C3").tap();
    assert.equal(
        await anna.cell("guest", "C3").getAttribute("aria-pressed"),
        "false",
        "pressed again it is taken back",
    );
    assert.equal((await seat.look()).version, version);
    await anna.cell("guest", "D4").tap();
    await anna.button(t.fireAt("D4")).tap();
    await anna.page.locator(`main:not([data-version="${version}"])`).waitFor();
    assert.deepEqual(
        (await seat.look()).boards.guest.shots.map(({ cell }) => cell),
        ["D4"],
    );
});
