import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { focusIsSeen } from "../harness/inspect.js";
import { journey } from "../harness/journey.js";
import { nextShots, seatOf } from "../harness/play.js";

journey(
    "1: a game against the computer on 8×8 by the keyboard alone, debts paid as they come",
    async ({ api, visit }) => {
        const anna = await visit({ settings: { options: { grid: 8, mines: true, first: "host" } } });
        const { keyboard } = anna.page;
        await anna.sees("start");

        await anna.tabTo(anna.button(/^easy$/i));
        await keyboard.press("Enter");
        await anna.sees("placing");
        await anna.page.locator("main button.main:not([aria-disabled])", { hasText: t.ready }).waitFor();
        await anna.tabTo(anna.button(t.ready));
        await focusIsSeen(anna);
        await keyboard.press("Enter");

        const seat = await seatOf(api, anna);
        let debts = 0;
        for (;;) {
            const state = await anna.sees("fire", "reveal", "end");
            if (state === "end") {
                break;
            }
            const game = await seat.look();
            await anna.sawVersion(game.version);
            const [due] = game.awaiting;
            assert.equal(due?.seat, "host");
            if (state === "fire") {
                await anna.tabTo(anna.page.locator('[data-side="guest"] [data-cell]'));
                await anna.type(nextShots(game, 1)[0] ?? "A1");
            } else {
                debts += 1;
                const focused = await anna.page.evaluate(() =>
                    document.activeElement?.closest("[data-side]")?.getAttribute("data-side"),
                );
                assert.equal(focused, "host", "one's own board takes the focus");
                const cell = game.revealable?.at(-1) ?? "A1";
                await anna.type(cell);
                await keyboard.press(" ");
                assert.equal(await anna.cell("host", cell).getAttribute("aria-pressed"), "true");
                await anna.tabTo(anna.button(t.giveAway(cell)));
            }
            await focusIsSeen(anna);
            await keyboard.press("Enter");
            await anna.page.locator(`main:not([data-version="${game.version}"]):not([data-busy])`).waitFor();
            // Any key shows the rest of what the computer did at once.
            await keyboard.press("Shift");
        }

        const ended = await seat.look();
        assert.equal(ended.status, "finished");
        assert.equal(debts, ended.boards.guest.shots.filter(({ outcome }) => outcome === "mine").length);
        await anna.draws(ended);
        await anna.reads(ended.result?.winner === "host" ? t.youWon : t.youLost);
    },
);
