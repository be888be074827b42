import assert from "node:assert/strict";
import { inspect } from "node:util";
import { test } from "node:test";

import { NavalBattle, ProblemError, type Options } from "../src/index.js";
import { collect, inBattle, layout, playOut } from "./playing.js";
import { Breaking, SERVER } from "./wire.js";

const games: [string, Partial<Options>][] = [
    ["one mine, single shots", {}],
    ["three mines, volleys, extra shots", { grid: 15, salvo: true, shoot_again: true }],
];

for (const [name, options] of games) {
    test(`a whole game is played, and followed over a wire that breaks again and again: ${name}`, async () => {
        const api = new NavalBattle(SERVER);
        const wire = await Breaking.after(2_500);
        const torn = new NavalBattle(wire.address, { retries: { firstPause: 5 } });
        const [host, guest] = await inBattle(api, options);
        const following = collect(torn.table(host.id).follow());

        await playOut(host, guest);

        const followed = await following;
        wire.close();
        const { events, version } = await host.events({ limit: 500 });
        assert.deepEqual(followed, events);
        assert.deepEqual(followed.map((event) => event.seq), Array.from({ length: version }, (_, index) => index + 1));
        assert(wire.broken > 5, `only ${wire.broken} connections broke`);
        assert(events.some((event) => event.type === "fired" && event.shots.some((shot) => shot.outcome === "mine")));
        assert(events.some((event) => event.type === "revealed"));
        const seen = await Promise.all([host.look(), guest.look(), api.table(host.id).look()]);
        assert.deepEqual(seen.map((game) => game.you), ["host", "guest", null]);
        for (const game of seen) {
            assert.equal(game.status, "finished");
            assert.equal(game.result?.reason, "fleet_sunk");
            assert.deepEqual(game.boards, seen[0]?.boards);
        }
        const { ok, complete } = await guest.verify();
        assert.deepEqual([ok, complete], [true, true]);
        assert.equal((await host.replay({ upto: 1, as: "all" })).status, "waiting");
    });
}

test("a stream begins where one says, ends with the game, and resumes to nothing", async () => {
    const api = new NavalBattle(SERVER);
    const [host, guest] = await inBattle(api);
    const following = collect(host.follow({ after: 3 }));
    await guest.resign();

    assert.deepEqual((await following).map((event) => event.type), ["placed", "resigned"]);
    assert.deepEqual(await collect(guest.follow({ after: 5 })), []);
    assert.deepEqual(await guest.events({ after: 5, wait: 25 }), { events: [], version: 5 });
});

test("a stream is left by its loop and by its signal", async () => {
    const api = new NavalBattle(SERVER);
    const [host] = await inBattle(api);
    for await (const event of host.follow()) {
        if (event.seq === 2) {
            break;
        }
    }
    const control = new AbortController();

    const following = collect(host.follow({ signal: control.signal }));
    setTimeout(() => control.abort(new Error("enough")), 50);

    await assert.rejects(following, /enough/);
});

test("what the server refuses is a typed problem", async () => {
    const api = new NavalBattle(SERVER);
    const [host, guest] = await inBattle(api);

    const refused = async (move: Promise<unknown>) => {
        const error: unknown = await move.then(() => null, (error: unknown) => error);
        assert(error instanceof ProblemError, String(error));
        return error;
    };
    assert.equal((await refused(guest.fire(["A1"]))).code, "not_your_turn");
    assert.equal((await refused(host.fire(["A1", "A2"]))).problem.expected, 1);
    const stale = await refused(host.fire(["A1"], 3));
    assert.deepEqual([stale.status, stale.problem.version], [412, 4]);
    assert.equal((await refused(api.table("..").look())).code, "game_not_found");
    assert.equal((await refused(collect(api.table("x/y?z").follow()))).code, "game_not_found");
    const other = await api.create();
    await api.table(other.id).join();
    const illegal = await refused(other.place({ ...layout(1), mines: ["A2"] }));
    assert.deepEqual(illegal.problem.faults?.map((fault) => fault.code), ["mine_touches", "mine_touches"]);
});

test("games are offered, joined and played again", async () => {
    const api = new NavalBattle(SERVER);
    const host = await api.create({ name: "Ada", listed: true });
    const { games } = await api.list({ limit: 1 });
    const guest = await api.table(host.id).join();
    await guest.resign();

    const again = await guest.rematch();

    assert.deepEqual(games.map((game) => [game.id, game.host.name]), [[host.id, "Ada"]]);
    assert.equal(again.seat, "guest");
    assert.equal((await host.look()).next, again.id);
});

test("a seat is opened by its token, which is never printed", async () => {
    const api = new NavalBattle(SERVER);
    const host = await api.create();

    const again = api.seat(host.id, host.seat, host.token);

    assert.equal((await again.look()).you, "host");
    assert(!inspect(again, { depth: 9, showHidden: true }).includes(host.token));
    assert.equal((await api.rules()).grids.length, 4);
});
