import assert from "node:assert/strict";

import { NavalBattle } from "naval-battle-client";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { answer, known } from "../harness/layouts.js";
import type { Person } from "../harness/person.js";
import { OwnServer } from "../harness/server.js";
import { seatOf } from "../harness/play.js";

/** The numbers of the events in the list of moves, newest first. */
const listed = ({ page }: Person): Promise<number[]> =>
    page.locator("ol.moves > li").evaluateAll((items) => items.map((item) => (item as HTMLLIElement).value));

journey(
    "10: offline while the other moves, then the server restarts: each event once, and the banner comes and goes",
    async ({ visit }) => {
        const server = await OwnServer.start();
        try {
            const api = new NavalBattle(server.address);
            const anna = await visit({
                at: server.address,
                settings: { options: { grid: 10, mines: true, first: "host" } },
            });
            anna.allow({
                console: [/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_INCOMPLETE|ERR_NETWORK|ERR_EMPTY_RESPONSE/],
                statuses: ["503 ", "502 "],
            });
            await anna.press(t.createLink);
            await anna.sees("invite");
            const boris = await api.table(anna.game).join({ name: "Boris" });
            await boris.place(known({ grid: 10, fleet: "classic", mines: true }));
            await anna.ready();
            await anna.sees("fire");
            const seat = await seatOf(api, anna);
            await anna.fire("guest", "J1");
            await anna.sees("wait");

            await anna.page.context().setOffline(true);
            await answer(boris);
            await anna.page.context().setOffline(false);
            await anna.sees("fire");
            await anna.draws(await seat.look());

            await server.stop();
            await anna.reads(t.connectionLost);
            await server.begin();
            await anna.page.getByText(t.connectionLost).first().waitFor({ state: "hidden", timeout: 40_000 });
            await anna.fire("guest", "J3");
            await answer(boris);
            await anna.sees("fire");

            const game = await seat.look();
            await anna.draws(game);
            assert.deepEqual(
                await listed(anna),
                Array.from({ length: game.version }, (_, index) => game.version - index),
            );
        } finally {
            await server.end();
        }
    },
);
