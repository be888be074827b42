import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test, type TestContext } from "node:test";

import { NavalBattle, NoAnswer, ProblemError, newKey, sha256, type Creation } from "../src/index.js";
import { hex } from "../src/bytes.js";
import { collect, inBattle, playOut } from "./playing.js";
import { SERVER, answers, served } from "./wire.js";

const GAME = "01890a5d-ac96-774b-bcce-b302099a8057";

/** Takes something away from the platform until the test ends. */
function without(test: TestContext, owner: object, name: string, instead?: unknown): void {
    const there = Object.getOwnPropertyDescriptor(owner, name);
    assert(there, name);
    Object.defineProperty(owner, name, { value: instead, configurable: true, writable: true });
    test.after(() => Object.defineProperty(owner, name, there));
}

/** Plays and follows a game. */
async function plays(api: NavalBattle): Promise<void> {
    const [host, guest] = await inBattle(api);
    const following = collect(host.follow());
    await host.fire(["H8"]);
    await host.reveal(["A1"]);
    await guest.resign();
    assert.equal((await following).length, 7);
}

test("it needs neither AbortSignal.timeout nor AbortSignal.any, and still loses patience", async (test) => {
    without(test, AbortSignal, "timeout");
    without(test, AbortSignal, "any");
    await plays(new NavalBattle(SERVER));

    const silent = await served(() => undefined);
    const hasty = new NavalBattle(silent.address, { patience: 700, retries: { most: 1, firstPause: 1 } });
    await assert.rejects(hasty.rules(), NoAnswer);
    assert.equal(silent.asked.length, 2);
    const control = new AbortController();
    setTimeout(() => control.abort(new Error("enough")), 50);
    await assert.rejects(collect(hasty.table(GAME).follow({ signal: control.signal })), /enough/);
    silent.close();
});

test("signals that keep no reason end what they are given to", async (test) => {
    without(test, AbortSignal.prototype, "reason");
    without(test, AbortSignal.prototype, "throwIfAborted");
    const control = new AbortController();
    control.abort();

    const following = collect(new NavalBattle(SERVER).table(GAME).follow({ signal: control.signal }));

    await assert.rejects(following, (error) => (error as Error).name === "AbortError");
});

test("without crypto it says what to provide, and never makes a weak key", async (test) => {
    const { crypto } = globalThis;
    without(test, globalThis, "crypto");
    const api = new NavalBattle(SERVER);

    const asks = /`crypto.getRandomValues`: give the option `random`/;
    assert.throws(() => newKey(), asks);
    await assert.rejects(api.create(), (error) => !(error instanceof NoAnswer) && asks.test(String(error)));
    assert.throws(() => newKey(() => new Uint8Array(3)), RangeError);

    const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));
    await plays(new NavalBattle(SERVER, { random }));
    assert.match(newKey(random), /^[0-9a-f]{48}$/);
    assert.equal(hex(await sha256(new Uint8Array())).slice(0, 8), "e3b0c442");
});

test("where responses cannot be read while they come, games are followed by long polls", async (test) => {
    without(test, globalThis, "Response", class {});
    const asked: string[] = [];
    const platform = globalThis.fetch;
    without(test, globalThis, "fetch", ((url: string, init: RequestInit) => {
        asked.push(url);
        assert.notEqual(new Headers(init.headers).get("Accept"), "text/event-stream");
        return platform(url, init);
    }) as typeof fetch);
    const api = new NavalBattle(SERVER);
    const [host, guest] = await inBattle(api);
    let heard = 0;
    const following = collect(api.table(host.id).follow({ heard: () => (heard += 1) }));

    await playOut(host, guest);

    const { events, version } = await host.events({ limit: 500 });
    assert.deepEqual(await following, events);
    assert(heard > 0 && asked.some((url) => url.includes("/events?after=4&wait=25")));
    assert.deepEqual(await collect(host.follow({ after: version })), []);
});

test("a response without a body is followed by long polls, whoever fetched it", async () => {
    const bodiless: typeof fetch = async (input, init) => {
        const response = await fetch(input, init);
        const { status, ok, headers } = response;
        return { status, ok, headers, text: () => response.text() } as Response;
    };
    await plays(new NavalBattle(SERVER, { fetch: bodiless }));
});

test("a fault in the program is told as it is", async (test) => {
    const api = new NavalBattle(SERVER);
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const seat = api.seat(GAME, "host", "a\nb");
    const faults: [string, () => Promise<unknown>][] = [
        ["a body that is no JSON", () => api.create(circle as Creation)],
        ["a token that is none", () => seat.look()],
        ["a token that is none, followed", () => collect(seat.follow())],
        ["a key that is none", () => api.create({}, { key: "ключ" })],
    ];
    for (const [what, doing] of faults) {
        await assert.rejects(
            async () => doing(),
            (error) => error instanceof TypeError,
            what,
        );
    }
    const [host] = await inBattle(api);
    const heard = () => {
        throw new TypeError("the caller's own");
    };
    await assert.rejects(collect(host.follow({ heard })), /the caller's own/);

    without(test, globalThis, "fetch");
    await assert.rejects(
        async () => api.rules(),
        (error) => error instanceof TypeError && !(error instanceof NoAnswer),
    );
    await assert.rejects(collect(api.table(GAME).follow()), TypeError);
});

test("a stream outlives a server that is away", async () => {
    const end = { seq: 2, type: "expired", result: { winner: null, reason: "expired" } };
    const lost: unknown[] = [];
    const server = await served(({ headers }, response, count) => {
        if (count > 1 && count < 9) {
            response.destroy();
        } else {
            const event = count === 1 ? { seq: 1, type: "created" } : end;
            response.writeHead(200, { "Content-Type": "text/event-stream" });
            response.write(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`);
            setTimeout(() => response.destroy(), 20);
            assert.equal(headers["last-event-id"], count === 1 ? "0" : "1");
        }
    });
    const api = new NavalBattle(server.address, { retries: { most: 1, firstPause: 2 } });

    const events = await collect(api.table(GAME).follow({ lost: (failure) => lost.push(failure) }));

    server.close();
    assert.deepEqual(
        events.map(({ seq }) => seq),
        [1, 2],
    );
    assert.equal(server.asked.length, 9);
    assert(lost.length === 8 && lost.every((failure) => failure instanceof NoAnswer));
});

const ONE = GAME;
const OTHER = "01890a5d-ac96-774b-bcce-b302099a8058";
const over = { winner: null, reason: "expired" };

test("many games are followed by one stream, which resumes behind what came of each", async () => {
    const told = [
        { game: ONE, seq: 8 },
        { game: OTHER, seq: 1 },
        { game: OTHER, seq: 1 },
        { game: ONE, seq: 9, result: over },
        { game: OTHER, seq: 3 },
    ];
    const rest = [
        { game: OTHER, seq: 2 },
        { game: OTHER, seq: 3, result: over },
    ];
    const server = await served(({ headers }, response, count) => {
        if (headers.accept !== "text/event-stream") {
            return answers(response, 200, { events: [], after: "7.0" });
        }
        response.writeHead(200, { "Content-Type": "text/event-stream" });
        const events = count === 2 ? told : rest;
        response.end(events.map((event) => `id: x\ndata: ${JSON.stringify(event)}\n\n`).join(""));
    });
    const api = new NavalBattle(server.address, { retries: { firstPause: 1 } });

    const events = await collect(api.feed([ONE, OTHER]));

    server.close();
    assert.deepEqual(events, [told[0], told[1], told[3], ...rest]);
    assert.deepEqual(
        server.asked.map(({ headers }) => headers["last-event-id"]),
        [undefined, "7.0", "9.1"],
    );
    assert(server.asked.every(({ url }) => url === `/v1/feed?games=${ONE}%2C${OTHER}`));
    assert.deepEqual(await collect(api.feed([])), []);
});

test("many games are polled where there is no stream, until all have ended", async () => {
    const pages = [
        { events: [{ game: ONE, seq: 3, result: over }], after: "3.5" },
        { events: [], after: "3.5" },
        { events: [], after: "3.5" },
    ];
    let status = "battle";
    const server = await served(({ url }, response) => {
        if (url === "/v1/games/status") {
            const games = [
                { id: ONE, version: 3, status: "aborted" },
                { id: OTHER, version: 5, status },
            ];
            status = "finished";
            return answers(response, 200, { games });
        }
        answers(response, 200, pages.shift());
    });
    const api = new NavalBattle(server.address, { streams: false });

    const events = await collect(api.feed([ONE, OTHER], { after: [2, 5] }));

    server.close();
    assert.deepEqual(
        events.map(({ seq }) => seq),
        [3],
    );
    assert.equal(pages.length, 0);
    assert.equal(server.asked[0]?.url, `/v1/feed?games=${ONE}%2C${OTHER}&after=2.5&wait=25`);
});

test("games that have all ended bring nothing, and one that is not there is told", async () => {
    const server = await served(({ url }, response) => {
        if (url.includes(OTHER)) {
            const problem = { type: "", title: "", status: 404, detail: "", code: "game_not_found" };
            return answers(response, 404, problem);
        }
        response.writeHead(204).end();
    });
    const api = new NavalBattle(server.address);

    assert.deepEqual(await collect(api.feed([ONE])), []);
    assert.deepEqual(await collect(api.feed([ONE], { after: [4] })), []);
    assert.deepEqual(
        await collect(new NavalBattle(server.address, { streams: false }).feed([ONE], { after: [4] })),
        [],
    );
    const gone = (asking: Promise<unknown>) =>
        assert.rejects(asking, (error) => error instanceof ProblemError && error.code === "game_not_found");
    await gone(collect(api.feed([OTHER])));
    await gone(collect(api.feed([ONE, OTHER], { after: [1, 1] })));
    await assert.rejects(collect(api.feed([ONE], { after: [1, 2] })), RangeError);
    server.close();
});

test("old resolvers and bundlers find the program and its types", () => {
    const { exports, main, types } = JSON.parse(readFileSync("package.json", "utf8")) as {
        exports: { ".": { default: string; types: string } };
        main: string;
        types: string;
    };
    assert.deepEqual([main, types], [exports["."].default, exports["."].types]);
});
