import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { cellSize, focusIsSeen, inspect } from "../harness/inspect.js";
import { journey } from "../harness/journey.js";
import { inBattle, playOut, takeTurn } from "../harness/layouts.js";
import { seated } from "../harness/play.js";

journey("screens: start, with games of one's own and of others, and its dialogs", async ({ api, visit }) => {
    await api.create({ name: "Zoë of the open sea", listed: true, options: { turn_seconds: 600 } });
    const anna = await visit();
    const { host } = await inBattle(api);
    await seated(anna, host);
    await anna.page.reload();
    await anna.sees("start");
    await anna.reads("Zoë of the open sea");
    await inspect(anna, "start");
    await anna.page.locator("details.options summary").click();
    await inspect(anna, "options");
    await anna.button(t.settings).first().click();
    await anna.page.getByRole("dialog").waitFor();
    await inspect(anna, "settings");
});

journey("screens: invite, invitation, placing, placed", async ({ api, visit }) => {
    const anna = await visit({ settings: { name: "Anna", options: { grid: 10, mines: true, first: "host" } } });
    await anna.press(t.createLink);
    await anna.sees("invite");
    await anna.page.locator("button.main:not([aria-disabled])", { hasText: t.ready }).waitFor();
    await inspect(anna, "invite");
    const boris = await visit({ address: `#/g/${anna.game}` });
    await boris.sees("invitation");
    await inspect(boris, "invitation");
    await api.table(anna.game).join({ name: "Boris" });
    await anna.sees("placing");
    await anna.press(t.clear);
    await anna.page.locator("ul.faults li").first().waitFor();
    await inspect(anna, "placing");
    await anna.press(t.shuffle);
    await anna.ready();
    await anna.sees("placed");
    await inspect(anna, "placed");
});

journey("screens: fire, wait, reveal, watching, end", async ({ api, visit }) => {
    const { host, guest, layout } = await inBattle(api, { grid: 10, mines: true, salvo: true, turn_seconds: 3_600 });
    const anna = await visit();
    await seated(anna, host);
    await anna.go(`#/g/${host.id}`);
    await anna.sees("fire");
    await anna.cell("guest", "J1").click();
    await inspect(anna, "fire");
    await takeTurn(host, ["A1", "B1", ...(layout.mines ?? [])]);
    await anna.sees("reveal");
    await inspect(anna, "reveal");
    await takeTurn(host);
    await anna.sees("wait");
    await inspect(anna, "wait");
    const clara = await visit({ address: `#/g/${host.id}` });
    await clara.sees("watching");
    await inspect(clara, "watching");
    await playOut([host, guest]);
    await anna.sees("end");
    await anna.page.locator("nb-end .luck li").first().waitFor();
    await inspect(anna, "end");
});

journey("screens: replay, check, rules", async ({ api, visit }) => {
    const { host, guest } = await inBattle(api, { grid: 8, mines: true });
    const ended = await playOut([host, guest]);
    const anna = await visit({ address: `#/g/${host.id}/${ended.version - 3}/all` });
    await anna.sees("replay");
    await anna.page.getByRole("switch", { name: t.chances }).check();
    await anna.page.locator(".heat text").first().waitFor();
    await inspect(anna, "replay");
    await anna.go(`#/g/${host.id}/check`);
    await anna.sees("check");
    await anna.reads(t.checkAllTrue);
    await inspect(anna, "check");
    await anna.go("#/rules");
    await anna.sees("rules");
    await inspect(anna, "rules");
    await anna.go("#/check");
    await anna.sees("check");
    await inspect(anna, "files");
});

journey(
    "screens: cells have their size at 360 px, and small ones have other ways to be aimed at",
    async ({ api, visit }) => {
        const anna = await visit({ viewport: { width: 360, height: 740 } });
        for (const [grid, size] of [
            [8, 41],
            [10, 33],
            [12, 27],
            [15, 22],
        ] as const) {
            const { host } = await inBattle(api, { grid, mines: true });
            await seated(anna, host);
            await anna.go(`#/g/${host.id}`);
            await anna.sees("fire");
            await anna.sawVersion(4);
            await anna.page
                .locator(`[data-side="guest"] [data-cell="${"HJLO"[[8, 10, 12, 15].indexOf(grid)]}${grid}"]`)
                .waitFor();
            const found = await cellSize(anna, "guest");
            assert(Math.abs(found - size) <= 1.5, `${grid}×${grid}: ${found} px`);
            const field = anna.page.getByLabel(t.cell, { exact: true });
            if (found < 24) {
                await field.fill("B7");
                await anna.press(t.aim);
                await anna.button(t.fireAt("B7")).waitFor();
                await anna.press(t.aimRight);
                await anna.button(t.fireAt("C7")).waitFor();
                await anna.press(t.zoom);
                assert((await cellSize(anna, "guest")) > 2 * size - 4, "zoomed cells are twice as large");
                await anna.press(t.fireAt("C7"));
                await anna.sees("wait");
                assert.deepEqual(
                    (await host.look()).boards.guest.shots.map(({ cell }) => cell),
                    ["C7"],
                );
            }
        }
    },
);

journey("screens: whatever has the focus is seen, on a small window too", async ({ api, visit }) => {
    const { host } = await inBattle(api, { grid: 10, mines: true, salvo: true });
    const anna = await visit({ viewport: { width: 360, height: 560 } });
    await seated(anna, host);
    await anna.go(`#/g/${host.id}`);
    await anna.sees("fire");
    for (let step = 0; step < 24; step += 1) {
        await anna.page.keyboard.press("Tab");
        await focusIsSeen(anna);
    }
    await anna.cell("guest", "A1").focus();
    for (let row = 1; row < 10; row += 1) {
        await anna.page.keyboard.press("ArrowDown");
        await focusIsSeen(anna);
    }
});
