import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { texts as t } from "../../src/text/en.js";
import { journey, SERVER } from "../harness/journey.js";
import { inBattle, playOut } from "../harness/layouts.js";
import { LIES, tell } from "../harness/lies.js";
import { seated } from "../harness/play.js";

journey("16: a game is found true, and each lie on its way is found", async ({ api, visit }) => {
    const { host, guest, layout } = await inBattle(api, { grid: 8, mines: true });
    const anna = await visit();
    await seated(anna, host);
    await anna.go(`#/g/${host.id}`);
    await anna.sees("fire");
    await playOut([host, guest], layout.mines ?? []);
    await anna.sees("end");
    await anna.press(t.check);
    await anna.sees("check");
    await anna.reads(t.checkAllTrue);
    const noted = await anna.page.evaluate(
        (name) => Object.keys(JSON.parse(localStorage.getItem(name) ?? "{}")).length,
        `naval-battle/1/heads/${host.id}`,
    );
    const game = await api.table(host.id).look();
    assert.equal(noted, game.version, "each head was noted while the game went on");
    assert.equal(await anna.page.locator('ul.checks > li[data-true="false"]').count(), 0);
    assert((await anna.page.locator("ul.checks > li").count()) >= 6);

    const log = await api.table(host.id).events({ limit: 500 });
    for (const lie of LIES) {
        const told = tell(lie, { game, events: log.events });
        await anna.page.route(`**/v1/games/${host.id}`, (route) => route.fulfill({ json: told.game }));
        await anna.page.route(`**/v1/games/${host.id}/events*`, (route) =>
            route.fulfill({ json: { ...log, events: told.events } }),
        );
        await anna.page.reload();
        await anna.page
            .locator('nb-check[data-true="false"]')
            .waitFor()
            .catch(() => assert.fail(`${lie.what} was not found`));
        assert.equal(await anna.page.getByText(t.checkAllTrue).count(), 0, lie.what);
        await anna.page.unrouteAll();
    }
});

journey("16: what is saved has the API's bytes, and is opened, shown and checked offline", async ({ api, visit }) => {
    const { host, guest } = await inBattle(api, { grid: 8, mines: true });
    const ended = await playOut([host, guest]);
    const anna = await visit({ address: `#/g/${host.id}/check` });
    await anna.sees("check");
    await anna.reads(t.checkAllTrue);
    const files: Record<string, string> = {};
    for (const [name, words, path] of [
        ["GAME.json", t.saveGame, ""],
        ["EVENTS.json", t.saveEvents, "/events?limit=500"],
    ] as const) {
        const [saved] = await Promise.all([anna.page.waitForEvent("download"), anna.press(words)]);
        assert.equal(saved.suggestedFilename(), name);
        files[name] = await readFile(await saved.path(), "utf8");
        assert.equal(files[name], await (await fetch(`${SERVER}/v1/games/${host.id}${path}`)).text(), name);
    }

    const boris = await visit({ address: "#/check" });
    await boris.sees("check");
    await boris.page.context().setOffline(true);
    const before = boris.watch.requests.length;
    const file = (name: string) => ({ name, mimeType: "application/json", buffer: Buffer.from(files[name] ?? "") });
    await boris.page.getByLabel(t.gameFile).setInputFiles(file("GAME.json"));
    await boris.page.getByLabel(t.eventsFile).setInputFiles(file("EVENTS.json"));
    await boris.page.locator('nb-check[data-true="true"]').waitFor();
    await boris.reads(t.position(ended.version, ended.version));
    assert.deepEqual(boris.watch.requests.slice(before), [], "no server is asked about them");
    await boris.press(t.stepFirst);
    await boris.reads(t.position(1, ended.version));

    await boris.page
        .getByLabel(t.gameFile)
        .setInputFiles({ name: "GAME.json", mimeType: "application/json", buffer: Buffer.from("{}") });
    await boris.reads(t.notAGame);
});
