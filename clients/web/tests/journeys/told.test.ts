import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { inBattle, water } from "../harness/layouts.js";
import { seated } from "../harness/play.js";

journey("told: each move is one sentence in the live region, and moves nobody's focus", async ({ api, visit }) => {
    const { host, guest, layout } = await inBattle(api, { mines: true });
    const anna = await visit();
    await seated(anna, host);
    await anna.go(`#/g/${host.id}`);
    await anna.sees("fire");
    const region = anna.page.getByRole("status").first();
    assert.equal((await region.textContent())?.trim(), "", "it is there from the start, and empty");
    const [one = "", two = ""] = water(layout, 10);

    await anna.cell("guest", one).focus();
    await anna.page.keyboard.press("Enter");
    await region.filter({ hasText: new RegExp(`${one}, miss.*${t.theirTurn("Boris")}`) }).waitFor();
    await guest.fire([one]);
    await region.filter({ hasText: new RegExp(`Boris: ${one}, miss.*${t.yourTurn}`) }).waitFor();
    assert.equal(
        await anna.page.evaluate(() => document.activeElement?.getAttribute("data-cell")),
        one,
        "the other's move leaves the focus where it is",
    );
    await anna.page.keyboard.press("Enter");
    await anna.reads(t.firedBefore(one));
    await anna.cell("guest", two).click();
    await anna.sees("wait");
    assert.equal((await host.look()).boards.guest.shots.length, 2);
    await guest.fire([layout.ships[0]?.start ?? ""]);
    await region.filter({ hasText: /Boris: A1, hit/ }).waitFor();
    assert.equal(
        await anna.page.locator("ol.moves [aria-live], [aria-live]:not([aria-live=off], [role=status])").count(),
        0,
    );
});

journey("told: a new screen has the focus on its heading, and its name in the title", async ({ visit }) => {
    const anna = await visit();
    await anna.sees("start");
    await anna.page.getByRole("link", { name: t.rules }).first().click();
    await anna.sees("rules");
    const focused = () => anna.page.evaluate(() => document.activeElement?.tagName);
    assert.equal(await focused(), "H1");
    assert.match(await anna.page.title(), new RegExp(t.rules));
    await anna.page.evaluate(() => history.back());
    await anna.sees("start");
    await anna.press(/^easy$/i);
    await anna.sees("placing");
    assert.equal(await focused(), "H1");
    assert.match(await anna.page.title(), new RegExp(t.placeYours));
});

journey("told: no more than nine requests before the first board", async ({ api, visit }) => {
    const { host, game } = await inBattle(api);
    const clara = await visit({ address: null });
    await clara.go(`#/g/${host.id}`);
    await clara.sees("watching");
    await clara.draws(await api.table(game.id).look());
    const before = clara.watch.requests.filter((request) => !/\/(?:events|feed|stream|proof)/.test(request));
    assert(before.length <= 9, before.join("\n"));
});
