import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { inBattle, known, water } from "../harness/layouts.js";
import { seated, seatOf } from "../harness/play.js";

const LAYOUT = known({ grid: 10, fleet: "classic", mines: true });
const [ONE = "", TWO = "", THREE = ""] = water(LAYOUT, 10);

journey("9: the second half of a double press that opened the battle is no shot", async ({ api, visit }) => {
    const { host } = await inBattle(api);
    const anna = await visit();
    await seated(anna, host);
    await anna.go(`#/g/${host.id}`);
    await anna.sees("fire");

    await anna.cell("guest", ONE).dispatchEvent("click", { bubbles: true, cancelable: true, detail: 2 });
    assert.equal(await anna.page.locator("main").getAttribute("data-busy"), null);
    await anna.fire("guest", TWO);
    assert.deepEqual(
        (await host.look()).boards.guest.shots.map(({ cell }) => cell),
        [TWO],
    );
});

journey("9: a reply that comes late holds up nobody whom the stream has told already", async ({ api, visit }) => {
    const { host, guest } = await inBattle(api);
    const anna = await visit();
    await seated(anna, host);
    await anna.go(`#/g/${host.id}`);
    await anna.sees("fire");
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const late: Promise<unknown>[] = [];
    await anna.page.route(
        "**/fire",
        (route) => {
            late.push(route.fetch().then((response) => released.then(() => route.fulfill({ response }))));
        },
        { times: 1 },
    );
    await anna.cell("guest", ONE).click();
    await anna.sees("wait");
    await guest.fire([ONE]);
    await anna.sees("fire");
    await anna.fire("guest", TWO);
    await anna.sees("wait");

    release();
    await Promise.all(late);
    await guest.fire([TWO]);
    await anna.sees("fire");
    await anna.fire("guest", THREE);
    assert.deepEqual(
        (await host.look()).boards.guest.shots.map(({ cell }) => cell).sort(),
        [ONE, TWO, THREE].sort(),
    );
    await anna.draws(await host.look());
});

journey(
    "9: a double press, a reply that is lost and a reload while joining are one event and one seat each",
    async ({ api, visit }) => {
        const boris = await api.create({ name: "Boris", options: { first: "guest", shoot_again: true } });
        const anna = await visit({ address: `#/g/${boris.id}`, settings: { name: "Anna" } });
        anna.allow({ console: [/ERR_FAILED|ERR_CONNECTION_RESET|ERR_ABORTED/] });
        await anna.sees("invitation");

        // The server hears of it, she does not, and reloads.
        let hasArrived!: () => void;
        const arrived = new Promise<void>((resolve) => (hasArrived = resolve));
        await anna.page.route(
            "**/join",
            async (route) => {
                await route.fetch();
                hasArrived();
                await route.abort("connectionreset");
            },
            { times: 1 },
        );
        await anna.press(t.join);
        await arrived;
        await anna.page.reload();
        await anna.page.getByRole("heading").first().waitFor();
        await anna.sees("placing");
        assert.equal((await anna.kept()).seat, "guest");
        assert.equal((await api.table(boris.id).look()).players.guest?.name, "Anna");

        await boris.place(LAYOUT);
        await anna.ready();
        await anna.sees("fire");
        const seat = await seatOf(api, anna);
        await anna.cell("host", ONE).dblclick();
        await anna.sees("wait");
        assert.deepEqual(
            (await seat.look()).boards.host.shots.map(({ cell }) => cell),
            [ONE],
        );

        const [miss = ""] = water((await seat.look()).boards.guest, 10);
        await boris.fire([miss]);
        await anna.sees("fire");
        let lost = 0;
        await anna.page.route(
            "**/fire",
            async (route) => {
                lost += 1;
                await route.fetch();
                await route.abort("connectionreset");
            },
            { times: 1 },
        );
        await anna.cell("host", TWO).click();
        await anna.sees("wait");
        assert.equal(lost, 1);
        const game = await seat.look();
        assert.deepEqual(game.boards.host.shots.map(({ cell }) => cell).sort(), [ONE, TWO].sort());
        await anna.draws(game);
        const log = await api.table(boris.id).events();
        assert.equal(log.events.filter(({ type }) => type === "fired").length, 3);
    },
);
