import assert from "node:assert/strict";

import { journey } from "../harness/journey.js";
import { answer, known } from "../harness/layouts.js";
import { seatOf } from "../harness/play.js";
import { texts as t } from "../../src/text/en.js";

const OPTIONS = { grid: 10, fleet: "classic", mines: false, first: "host" } as const;

journey(
    "11: seven tabs on HTTP/1.1: the seventh loads, sees moves and fires, and a closed one hands its slot on",
    async ({ api, visit }) => {
        const anna = await visit({ settings: { options: OPTIONS } });
        await anna.press(t.createLink);
        await anna.sees("invite");
        const boris = await api.table(anna.game).join();
        await boris.place(known(OPTIONS));
        await anna.ready();
        await anna.sees("fire");
        const seat = await seatOf(api, anna);
        const tabs = [anna];
        while (tabs.length < 7) {
            const tab = await anna.tab(`#/g/${anna.game}`);
            await tab.sees("fire");
            tabs.push(tab);
        }
        const seventh = tabs[6];
        assert(seventh);

        await seventh.fire("guest", "J10");
        await answer(boris);
        const game = await seat.look();
        for (const tab of tabs) {
            await tab.draws(game);
        }

        // Whoever held the stream is gone; somebody else has it.
        await tabs[0]?.page.close();
        await tabs[1]?.page.close();
        await seventh.page.bringToFront();
        await seventh.fire("guest", "I10");
        await answer(boris);
        const last = await seat.look();
        for (const tab of tabs.slice(2)) {
            await tab.draws(last);
        }
    },
);
