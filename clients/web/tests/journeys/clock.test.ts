import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { known, water } from "../harness/layouts.js";

const OPTIONS = { grid: 10, fleet: "classic", mines: true, first: "host", turn_seconds: 10 } as const;

/** The clock of this machine is an hour fast. */
const fast = () => {
    const RealDate = Date;
    const hour = 3_600_000;
    class FastDate extends RealDate {
        constructor(...given: unknown[]) {
            super(...((given.length === 0 ? [RealDate.now() + hour] : given) as [number]));
        }
        static override now(): number {
            return RealDate.now() + hour;
        }
    }
    globalThis.Date = FastDate as DateConstructor;
};

journey(
    "12: a clock of 10 s where the browser's clock is an hour off, until the time is up in battle and in placing",
    async ({ api, visit }) => {
        const anna = await visit({ before: fast, settings: { options: OPTIONS } });
        const clara = await visit({ before: fast, settings: { options: OPTIONS } });
        for (const person of [anna, clara]) {
            await person.press(t.createLink);
            await person.sees("invite");
        }
        const boris = await api.table(anna.game).join({ name: "Boris" });
        await boris.place(known(OPTIONS));
        await api.table(clara.game).join({ name: "Boris" });
        await anna.ready();
        await anna.sees("fire");

        await anna.fire("guest", water(known(OPTIONS), 10)[0] ?? "");
        await anna.sees("wait");
        const face = anna.page.getByRole("timer");
        await face.waitFor();
        assert.match((await face.textContent()) ?? "", /^0:(?:10|0[6-9])$/, "it goes by the server's clock");

        await Promise.all(
            [anna.page, clara.page].map((page) => page.locator('main[data-state="end"]').waitFor({ timeout: 20_000 })),
        );
        await anna.reads(t.youWon);
        const { reasons } = await api.rules();
        await anna.reads(new RegExp(reasons.timed_out, "i"));
        await clara.reads(t.nobodyWon);
    },
);
