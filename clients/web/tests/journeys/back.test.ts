import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { answer, known } from "../harness/layouts.js";
import { seatOf } from "../harness/play.js";

const OPTIONS = { grid: 10, fleet: "classic", mines: true, first: "host" } as const;

journey(
    "19: away and back the page is as it was, and live again",
    async ({ api, visit }) => {
        const anna = await visit({
            settings: { options: OPTIONS },
            before: () =>
                addEventListener("pageshow", ({ persisted }) =>
                    document.documentElement.setAttribute("data-persisted", String(persisted)),
                ),
        });
        await anna.press(t.createLink);
        await anna.sees("invite");
        const boris = await api.table(anna.game).join({ name: "Boris" });
        await boris.place(known(OPTIONS));
        await anna.ready();
        await anna.sees("fire");
        const seat = await seatOf(api, anna);
        await anna.fire("guest", "J1");
        await anna.sees("wait");

        const { version } = await seat.look();
        await anna.page.goto(new URL("docs/rules", `${anna.at}/`).href);
        await answer(boris);
        // What comes out of the cache is not loaded.
        await anna.page.evaluate(() => history.back());

        await anna.sees("fire");
        const persisted = await anna.page.locator("html").getAttribute("data-persisted");
        assert.equal(persisted, "true", "it came out of the cache");
        const game = await seat.look();
        assert(game.version > version);
        await anna.draws(game);
        await anna.fire("guest", "J3");
        await answer(boris);
        await anna.sees("fire");
        await anna.draws(await seat.look());
    },
    { isWhole: true },
);
