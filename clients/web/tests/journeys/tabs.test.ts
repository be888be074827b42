import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { answer, known, water } from "../harness/layouts.js";
import { seatOf } from "../harness/play.js";

const OPTIONS = { grid: 10, fleet: "classic", mines: true, first: "host" } as const;

journey(
    "8: two tabs of one seat show each other's moves; a stale press is told and has no effect",
    async ({ api, visit }) => {
        const anna = await visit({ settings: { options: OPTIONS } });
        await anna.press(t.createLink);
        await anna.sees("invite");
        const second = await anna.tab(`#/g/${anna.game}`);
        await second.sees("invite");
        const layout = known(OPTIONS);
        const boris = await api.table(anna.game).join();
        await boris.place(layout);
        await Promise.all([anna.sees("placing"), second.sees("placing")]);
        await second.ready();
        await Promise.all([anna.sees("fire"), second.sees("fire")]);
        const seat = await seatOf(api, anna);
        await Promise.all([anna.draws(await seat.look()), second.draws(await seat.look())]);

        const [one = "", two = "", three = ""] = water(layout, 10);
        await anna.fire("guest", one);
        await second.draws(await seat.look());
        await answer(boris);
        await Promise.all([anna.sees("fire"), second.sees("fire")]);

        // What she presses in one tab reaches the server after what she pressed in the other.
        anna.allow({ statuses: ["412 /fire"] });
        await second.page.route(
            "**/fire",
            async (route) => {
                await seat.fire([two]);
                await route.continue();
            },
            { times: 1 },
        );
        await second.cell("guest", three).click();
        await second.reads(t.alreadyDone);

        const game = await seat.look();
        assert.deepEqual(game.boards.guest.shots.map(({ cell }) => cell).sort(), [one, two].sort());
        await Promise.all([anna.draws(game), second.draws(game)]);
    },
);
