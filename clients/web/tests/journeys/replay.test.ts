import assert from "node:assert/strict";

import type { Eyes } from "naval-battle-client";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { afloat, inBattle, water } from "../harness/layouts.js";
import { expected } from "../harness/person.js";
import { seated } from "../harness/play.js";

const EYES: readonly Eyes[] = ["host", "guest", "spectator", "all"];

journey(
    "15: each position through all eyes is the server's; a position has a link, and Back leaves the game",
    async ({ api, visit }) => {
        const { host, guest, layout } = await inBattle(api, { grid: 8, mines: true, shoot_again: true });
        const [mine = ""] = layout.mines ?? [];
        await host.fire([water(layout, 8)[0] ?? ""]);
        await guest.fire([mine]);
        await guest.reveal(["A1"]);
        for (const cell of afloat(layout, 8)) {
            await host.fire([cell]);
        }
        const ended = await host.look();
        assert.equal(ended.status, "finished");

        const anna = await visit();
        await seated(anna, host);
        await anna.go(`#/g/${host.id}`);
        await anna.sees("end");
        await anna.page
            .locator("ol.moves > li")
            .nth(ended.version - 1)
            .waitFor();
        await anna.press(t.replay);
        await anna.sees("replay");
        const slider = anna.page.getByRole("slider");
        for (const eyes of EYES) {
            await anna.page.locator(`input[type=radio][value=${eyes}]`).check({ force: true });
            await slider.focus();
            await anna.page.keyboard.press("Home");
            const positions = await Promise.all(
                Array.from({ length: ended.version }, (_, index) =>
                    api.table(host.id).replay({ upto: index + 1, as: eyes }),
                ),
            );
            for (const [index, position] of positions.entries()) {
                const seq = index + 1;
                await anna.reads(t.position(seq, ended.version));
                const seen = { ...position, you: eyes === "host" || eyes === "guest" ? eyes : null };
                for (const side of ["host", "guest"] as const) {
                    assert.deepEqual(
                        await anna.looks(side),
                        expected(seen, side),
                        `after ${seq}, through ${eyes}, the board of the ${side}`,
                    );
                }
                await anna.page.keyboard.press("ArrowRight");
            }
        }

        await anna.page.locator("ol.moves > li").nth(3).getByRole("button").click();
        const seq = ended.version - 3;
        await anna.reads(t.position(seq, ended.version));
        assert.equal(new URL(anna.page.url()).hash, `#/g/${host.id}/${seq}/all`);
        const clara = await visit({ address: anna.page.url() });
        await clara.sees("replay");
        await clara.reads(t.position(seq, ended.version));
        for (const side of ["host", "guest"] as const) {
            assert.deepEqual(await clara.looks(side), await anna.looks(side));
        }
        await anna.page.evaluate(() => history.back());
        await anna.sees("end");
    },
);

journey("15: before the end a replay shows one's own eyes alone", async ({ api, visit }) => {
    const { host } = await inBattle(api, { grid: 8, mines: true });
    const anna = await visit();
    await seated(anna, host);
    await anna.go(`#/g/${host.id}/4`);
    await anna.sees("replay");
    await anna.reads(t.position(4, 4));
    assert.equal(await anna.page.getByRole("radio").count(), 0);
    const position = await host.replay({ upto: 4 });
    for (const side of ["host", "guest"] as const) {
        assert.deepEqual(await anna.looks(side), expected({ ...position, you: "host" }, side));
    }
});
