import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { seatOf } from "../harness/play.js";

const OPTIONS = { grid: 8, fleet: "classic", mines: true, first: "host" } as const;

journey(
    "14: a rematch is offered, seen and accepted; the loser shoots first, and a spectator is led on",
    async ({ api, visit }) => {
        const anna = await visit({ settings: { name: "Anna", options: OPTIONS } });
        await anna.press(t.createLink);
        await anna.sees("invite");
        const first = anna.game;
        const boris = await visit({ settings: { name: "Boris" }, address: `#/g/${first}` });
        await boris.sees("invitation");
        await boris.press(t.join);
        const clara = await visit({ address: null });
        for (const person of [anna, boris]) {
            await person.ready();
        }
        await anna.sees("fire");
        await clara.go(`#/g/${first}`);
        await clara.sees("watching");
        await boris.sees("wait");
        await anna.press(t.resign);
        await anna.page.getByRole("dialog").getByRole("button", { name: t.resign }).click();
        await Promise.all([anna.sees("end"), boris.sees("end"), clara.sees("end")]);

        await anna.press(t.rematch);
        await anna.sees("invite");
        assert.equal(await anna.page.getByLabel(t.inviteLink).isVisible(), false, "nobody else can join a rematch");
        await boris.reads(t.wantsRematch("Anna"));
        await boris.press(t.accept);
        await Promise.all([anna.sees("placing"), boris.sees("placing")]);
        await clara.reads(t.rematchGoesOn);
        await clara.press(t.watchRematch);
        await clara.sees("watching");

        const next = anna.game;
        assert.notEqual(next, first);
        assert.deepEqual([boris.game, clara.game], [next, next]);
        assert.equal((await api.table(first).look()).next, next);
        await anna.ready();
        await boris.ready();
        await Promise.all([anna.sees("fire"), boris.sees("wait")]);
        await anna.draws(await (await seatOf(api, anna)).look());
    },
);
