import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { afloat, known, water } from "../harness/layouts.js";
import { seatOf } from "../harness/play.js";
import { clear, drag, lay, put } from "../harness/yard.js";

const OPTIONS = { grid: 10, fleet: "classic", mines: true, first: "host" } as const;
const LAYOUT = known(OPTIONS);

journey("3: two people by link, from names to both boards", async ({ api, visit }) => {
    const anna = await visit({ settings: { options: OPTIONS } });
    await anna.page.getByLabel(t.yourName).first().fill("Anna");
    await anna.press(t.createLink);
    await anna.sees("invite");
    const link = await anna.page.getByLabel(t.inviteLink).inputValue();
    assert.match(link, /#\/g\/[0-9a-f-]{36}$/);

    const boris = await visit({ address: link });
    await boris.sees("invitation");
    await boris.reads(/Anna/);
    assert.equal((await api.table(boris.game).look()).status, "waiting", "opening a link seats nobody");
    await boris.page.getByLabel(t.yourName).fill("Boris");
    await boris.press(t.join);

    // She taps, he drags.
    await Promise.all([anna.sees("placing"), boris.sees("placing")]);
    for (const person of [anna, boris]) {
        await clear(person);
    }
    await boris.page.setViewportSize({ width: 1280, height: 1100 });
    for (const [index, { start, length, direction }] of LAYOUT.ships.entries()) {
        const across = direction !== "down";
        await put(anna, `ship ${index}`, start, across);
        await lay(boris, across);
        await drag(boris, `ship ${index}`, start, length, across);
    }
    await put(anna, "mine 0", LAYOUT.mines?.[0] ?? "");
    await drag(boris, "mine 0", LAYOUT.mines?.[0] ?? "", 1, true);
    await anna.ready();
    await anna.sees("placed");
    await boris.ready();
    await Promise.all([anna.sees("fire"), boris.sees("wait")]);

    const [host, guest] = [await seatOf(api, anna), await seatOf(api, boris)];
    for (const [seat, name] of [
        [host, "host"],
        [guest, "guest"],
    ] as const) {
        const board = (await seat.look()).boards[name];
        const plain = board.ships.map(({ start, length, direction }) => ({
            start,
            length,
            direction: direction ?? "across",
        }));
        const wanted = LAYOUT.ships.map((ship) => ({ direction: "across", ...ship }));
        const byPlace = (one: { start: string }, two: { start: string }) => one.start.localeCompare(two.start);
        assert.deepEqual(plain.sort(byPlace), wanted.sort(byPlace), name);
        assert.deepEqual(board.mines, LAYOUT.mines);
    }

    const ships = afloat(LAYOUT, 10);
    const [miss = ""] = water(LAYOUT, 10);
    await anna.fire("guest", miss);
    await boris.sees("fire");
    await boris.fire("host", ships[0] ?? "");
    await anna.sees("fire");
    await anna.fire("guest", LAYOUT.mines?.[0] ?? "");
    await anna.sees("reveal");
    const given = "A3";
    await anna.cell("host", given).click();
    await anna.press(t.giveAway(given));
    await boris.sees("fire");
    await boris.draws(await guest.look());
    assert.equal(await boris.cell("host", given).getAttribute("data-look"), "given");
    await boris.fire("host", given);
    assert.match(
        (await boris.cell("host", given).getAttribute("aria-label")) ?? "",
        /given away/i,
        "the mark stays once it was fired at",
    );

    await anna.sees("fire");
    await Promise.all([anna.draws(await host.look()), boris.draws(await guest.look())]);
    await boris.reads(/Anna/);
    await boris.press(t.resign);
    await boris.page.getByRole("dialog").getByRole("button", { name: t.resign }).click();
    await Promise.all([anna.sees("end"), boris.sees("end")]);
    await anna.reads(t.youWon);
    await boris.reads(t.youLost);
    await Promise.all([anna.draws(await host.look()), boris.draws(await guest.look())]);
});
