import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";

import { NavalBattle, NoAnswer, ProblemError, newKey, type Glance } from "../src/index.js";
import { collect, inBattle } from "./playing.js";
import { SERVER, answers, served } from "./wire.js";

const ONE = "01890a5d-ac96-774b-bcce-b302099a8057";
const OTHER = "01890a5d-ac96-774b-bcce-b302099a8058";
const api = new NavalBattle(SERVER);

test("the language that one asks for is that of what is said", async () => {
    const german = new NavalBattle(SERVER, { language: "de" });
    const host = await german.create();

    assert.equal((await german.rules()).language, "de");
    assert.equal((await api.rules()).language, "en");
    const refused = await Promise.allSettled([host.fire(["A1"]), api.seat(host.id, "host", host.token).fire(["A1"])]);
    const titles = refused.map((move) => ((move as PromiseRejectedResult).reason as ProblemError).problem.title);
    assert.notEqual(titles[0], titles[1]);
});

test("a seat is asked for again by one's own key, also by a program that was started anew", async () => {
    const [one, other] = [newKey(), newKey()];
    const host = await api.create({ name: "Ada" }, { key: one });
    const guest = await api.table(host.id).join({ name: "Ben" }, { key: other });
    const anew = new NavalBattle(SERVER);

    const again = await anew.create({ name: "Ada" }, { key: one });
    const joined = await anew.table(host.id).join({ name: "Ben" }, { key: other, version: 7 });

    assert.deepEqual([again.id, again.token], [host.id, host.token]);
    assert.deepEqual([joined.id, joined.token], [guest.id, guest.token]);
    const late = api.table(host.id).join({}, { key: newKey() });
    await assert.rejects(late, (error) => (error as ProblemError).code === "game_full");
    assert.match(one, /^[0-9a-f]{48}$/);
    assert.notEqual(one, other);
    const once = new NavalBattle(SERVER, { retries: { most: 0 } });
    assert.equal((await once.create({ name: "Ada" }, { key: one })).token, host.token);
});

test("a tag changes with each event and with a rematch, and the refusal of one is told", async () => {
    const [host, guest] = await inBattle(api);
    const tables = [host, guest, api.table(host.id)];
    assert.deepEqual(await Promise.all(tables.map((table) => table.tag())), [
        '"4-host"',
        '"4-guest"',
        '"4-spectator"',
    ]);

    await guest.resign();
    assert.equal(await host.tag(), '"5-host"');
    await host.rematch();
    assert.equal(await host.tag(), '"5-host-next"');

    const codes = [api.table(ONE).tag(), api.seat(host.id, "host", "x").tag()].map((asking) =>
        asking.catch((error: unknown) => (error instanceof ProblemError ? error.code : error)),
    );
    assert.deepEqual(await Promise.all(codes), ["game_not_found", "unauthorized"]);
});

test("a game is downloaded as anybody gets it, byte for byte", async () => {
    const [host, guest] = await inBattle(api, { first: "host" });
    await host.fire(["H8"]);
    const early = await host.download();
    await guest.resign();

    const { game, events } = await guest.download();

    const of = async (path: string) => (await fetch(`${SERVER}/v1/games/${host.id}${path}`)).text();
    assert.equal(game, await of(""));
    assert.equal(events, await of("/events?limit=500"));
    assert.equal((JSON.parse(early.game) as { you: null }).you, null);
    assert.equal((JSON.parse(early.events) as { events: [] }).events.length, 5);
});

test("a long log is downloaded in pages, up to where the game was read", async () => {
    const server = await served(({ url }, response) => {
        if (!url.includes("/events")) {
            return answers(response, 200, { id: ONE, version: 1_203 });
        }
        const query = new URLSearchParams(url.split("?")[1]);
        answers(response, 200, { of: [Number(query.get("after")), Number(query.get("limit"))] });
    });

    const { events } = await new NavalBattle(server.address).seat(ONE, "host", "x").download();

    server.close();
    const pages = events.split("\n").map((page) => (JSON.parse(page) as { of: number[] }).of);
    assert.deepEqual(pages, [
        [0, 500],
        [500, 500],
        [1_000, 203],
    ]);
    assert(server.asked.every(({ headers }) => headers.authorization === undefined));
});

test("a look waits until there is something else than what its tag is of", async () => {
    const host = await api.create();
    assert.equal(await host.look({ tag: await host.tag() }), null);
    assert.equal((await host.look({ tag: '"0-host"' }))?.version, 1);

    const server = await served(({ headers }, response, count) => {
        if (count === 1) {
            response.writeHead(304, { ETag: String(headers["if-none-match"]) }).end();
        } else {
            answers(response, 200, { id: ONE, next: OTHER });
        }
    });
    const seat = new NavalBattle(server.address, { patience: 1 }).seat(ONE, "host", "x");
    const looks = [await seat.look({ tag: '"9-host"', wait: 20 }), await seat.look({ tag: '"9-host"', wait: 25 })];
    await seat.look({ wait: 2 });

    server.close();
    assert.deepEqual(looks, [null, { id: ONE, next: OTHER }]);
    const asked = server.asked.map(({ url, headers }) => [url, headers["if-none-match"], headers.authorization]);
    const path = `/v1/games/${ONE}`;
    assert.deepEqual(asked, [
        [`${path}?wait=20`, '"9-host"', "Bearer x"],
        [`${path}?wait=25`, '"9-host"', "Bearer x"],
        [`${path}?wait=2`, undefined, "Bearer x"],
    ]);
});

test("many games are looked at in one request, without a seat of any", async () => {
    const glance: Glance = { id: ONE, version: 3, status: "placing", you: "host", awaiting: [], next: null };
    const server = await served((_, response) => answers(response, 200, { games: [glance, null] }));

    const found = await new NavalBattle(server.address).status([{ id: ONE, token: "x" }, { id: OTHER }]);

    server.close();
    assert.deepEqual(found, [glance, null]);
    const [{ method, url, headers, body }] = server.asked as [(typeof server.asked)[0]];
    assert.deepEqual([method, url, headers.authorization], ["POST", "/v1/games/status", undefined]);
    assert.deepEqual(JSON.parse(body), { games: [{ id: ONE, token: "x" }, { id: OTHER }] });
});

test("proofs and analyses are asked for by event, and refused by code", async () => {
    const server = await served(({ url }, response) => {
        if (url.endsWith("/9/proof") || url.includes("/analysis")) {
            return answers(response, 200, { url });
        }
        const code = "nothing_to_prove";
        answers(response, 404, { type: "", title: "", status: 404, detail: "", code });
    });
    const seat = new NavalBattle(server.address).seat(ONE, "guest", "x");

    const found = [await seat.proof(9), await seat.analysis(), await seat.analysis(7)] as unknown as {
        url: string;
    }[];

    const paths = ["events/9/proof", "analysis", "analysis/7"].map((path) => `/v1/games/${ONE}/${path}`);
    assert.deepEqual(
        found.map(({ url }) => url),
        paths,
    );
    await assert.rejects(seat.proof(1), (error) => error instanceof ProblemError && error.status === 404);
    server.close();
});

test("whoever follows is told of anything that is heard", async () => {
    const [host, guest] = await inBattle(api);
    let heard = 0;
    const following = collect(host.follow({ heard: () => (heard += 1) }));
    await guest.resign();
    assert.equal((await following).length, 5);
    assert(heard >= 2, String(heard));

    const pieces = ["\n", ":\n\n", ":\n\n", 'data: {"seq":1,"result":{"winner":null,"reason":"expired"}}\n\n'];
    const open: ServerResponse[] = [];
    const server = await served((_, response) => {
        open.push(response);
        response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
    });
    heard = 0;
    // Each piece is said when the one before was heard.
    const next = () => {
        heard += 1;
        open[0]?.write(pieces.shift() ?? "");
    };
    const events = await collect(new NavalBattle(server.address).table(ONE).follow({ heard: next }));
    server.close();
    assert.equal(events.length, 1);
    // Once for the answer itself, and for each of what it said.
    assert.equal(heard, 5);
});

test("an address is one", async () => {
    for (const address of ["", "127.0.0.1:8080", "ftp://x", "http://", "http://x?y", "/v1"]) {
        assert.throws(() => new NavalBattle(address), TypeError, address);
    }
    assert.equal((await new NavalBattle(new URL(SERVER)).rules()).grids.length, 4);
    assert.equal((await new NavalBattle(`${SERVER}///`).rules()).grids.length, 4);
    await assert.rejects(new NavalBattle("http://127.0.0.1:1", { retries: { most: 0 } }).rules(), NoAnswer);
});
