import assert from "node:assert/strict";
import { test } from "node:test";

import { NavalBattle, NoAnswer, ProblemError } from "../src/index.js";
import { pauseOfStream } from "../src/retries.js";
import { collect, layout } from "./playing.js";
import { Lossy, SERVER, problem, scripted } from "./wire.js";

const GAME = "01890a5d-ac96-774b-bcce-b302099a8057";
const quick = { firstPause: 1 };
const broken = (): Response => {
    throw new TypeError("the connection broke");
};

test("a call whose answer is lost has one effect, and gives the first answer", async () => {
    const lossy = new Lossy();
    const api = new NavalBattle(SERVER, { fetch: lossy.fetch, retries: quick });
    const losing = <T>(call: () => Promise<T>) => {
        lossy.losing = 2;
        return call();
    };

    const host = await losing(() => api.create({ options: { first: "host" } }));
    const guest = await losing(() => api.table(host.id).join());
    const placed = await losing(() => host.place(layout(1)));
    await losing(() => guest.place(layout(1)));
    const fired = await losing(() => host.fire(["H8"]));
    await losing(() => host.reveal(["A1"]));
    await losing(() => guest.resign());

    const { events } = await losing(() => host.events());
    const types = ["created", "joined", "placed", "placed", "fired", "revealed", "resigned"];
    assert.deepEqual(events.map((event) => event.type), types);
    assert.deepEqual([placed.version, fired.version], [3, 5]);
    assert.equal((await host.look()).boards.host.salt, placed.salt);
    // Each was sent three times with one key, which is long, and nobody else's.
    const posts = lossy.sent.filter((request) => request.method === "POST");
    const keys = new Set(posts.map((request) => request.key));
    assert.deepEqual([posts.length, keys.size], [7 * 3, 7]);
    for (const key of keys) {
        const same = posts.filter((request) => request.key === key);
        assert((key ?? "").length >= 32);
        assert.deepEqual(same, [same[0], same[0], same[0]]);
    }
});

test("a server that cannot answer is asked again as late as it says, and not for ever", async () => {
    const busy = problem(503, "unavailable", { "Retry-After": "0" });
    const seating = () => Response.json({ seat: "host", token: "x", game: { id: GAME } }, { status: 201 });
    const later = scripted([busy, problem(429, "rate_limited", { "Retry-After": "0" }), seating]);

    const player = await new NavalBattle(SERVER, { fetch: later.fetch, retries: quick }).create();

    assert.equal(player.id, GAME);
    assert.equal(new Set(later.asked.map(({ key }) => key)).size, 1);
    const never = scripted([busy, busy, busy]);
    const given = new NavalBattle(SERVER, { fetch: never.fetch, retries: { most: 2, firstPause: 1 } }).create();
    await assert.rejects(given, (error) => error instanceof ProblemError && error.code === "unavailable");
    const slow = scripted([problem(429, "rate_limited", { "Retry-After": "11" })]);
    const refused = new NavalBattle(SERVER, { fetch: slow.fetch }).create();
    await assert.rejects(refused, (error) => error instanceof ProblemError && error.retryAfter === 11);
    const gateway = scripted([() => new Response("<html>", { status: 502 }), seating]);
    await new NavalBattle(SERVER, { fetch: gateway.fetch, retries: quick }).create();
});

test("without retries nothing is repeated and no key is sent", async () => {
    const once = scripted([broken]);

    const given = new NavalBattle(SERVER, { fetch: once.fetch, retries: { most: 0 } }).create();

    await assert.rejects(given, NoAnswer);
    assert.deepEqual(once.asked.map(({ key }) => key), [null]);
    const nobody = new NavalBattle("http://127.0.0.1:1", { retries: { most: 1, firstPause: 1 } });
    await assert.rejects(nobody.rules(), NoAnswer);
});

test("a shot that came second is sent again only where it names its version or its answer was lost", async () => {
    const second = problem(409, "in_flight");
    const progress = () => Response.json({ version: 5, status: "battle", awaiting: [], events: [] });
    const player = (answers: (() => Response)[]) => {
        const server = scripted(answers);
        return new NavalBattle(SERVER, { fetch: server.fetch, retries: quick }).seat(GAME, "host", "x");
    };

    await assert.rejects(player([second]).fire(["A1"]), (error) => (error as ProblemError).code === "in_flight");
    assert.equal((await player([second, progress]).fire(["A1"], 4)).version, 5);
    assert.equal((await player([problem(503, "unavailable"), second, progress]).fire(["A1"])).version, 5);
    assert.equal((await player([second, progress]).resign()).version, 5);
});

test("a stream waits where it is told to, leaves out what came before, and fills what was left out", async () => {
    const event = (seq: number, more = {}) => `id: ${seq}\ndata: ${JSON.stringify({ seq, ...more })}\n\n`;
    const stream = (text: string) => () => new Response(text, { headers: { "Content-Type": "text/event-stream" } });
    const server = scripted([
        problem(429, "rate_limited", { "Retry-After": "0" }),
        stream(`${event(1)}:\n\n${event(2)}id: 3\ndata: {"seq"`),
        stream(event(1) + event(2) + event(4)),
        problem(503, "unavailable"),
        stream(event(3) + event(4).replaceAll("\n", "\r\n")),
        stream(event(5, { result: { winner: "host", reason: "resigned" } }) + event(6)),
    ]);
    const api = new NavalBattle(SERVER, { fetch: server.fetch, retries: quick });

    const seqs: number[] = [];
    let lost = 0;
    for await (const { seq } of api.table(GAME).follow({ lost: () => (lost += 1) })) {
        seqs.push(seq);
    }

    assert.deepEqual(seqs, [1, 2, 3, 4, 5]);
    // Of six connections the last one alone did not break off.
    assert.equal(lost, 5);
    assert.deepEqual(server.asked.map(({ last }) => last), ["0", "0", "2", "2", "2", "4"]);
});

test("a stream goes on trying for as long as it takes, and ends with its signal or with a refusal", async () => {
    const event = { seq: 1, type: "expired", result: { winner: null, reason: "expired" } };
    const last = () => new Response(`data: ${JSON.stringify(event)}\n\n`);
    const gateway = () => new Response("<html>", { status: 502 });
    const torn = () => new Response("data: {\n\n");
    const troubles = [broken, gateway, problem(500, "internal"), problem(503, "unavailable"), torn];
    const long = scripted([...Array.from({ length: 8 }, () => troubles).flat(), last]);
    const following = (server: { fetch: typeof fetch }, signal?: AbortSignal) => {
        // The pause doubles, as far as it can from this.
        const api = new NavalBattle(SERVER, { fetch: server.fetch, retries: { most: 0, firstPause: 2 ** -40 } });
        return collect(api.table(GAME).follow(signal ? { signal } : {}));
    };

    assert.deepEqual(await following(long), [event]);
    assert.equal(long.asked.length, 41);

    const control = new AbortController();
    const endless = scripted(Array.from({ length: 10_000 }, () => broken));
    setTimeout(() => control.abort(new Error("enough")), 30);
    await assert.rejects(following(endless, control.signal), /enough/);
    assert(endless.asked.length > 3);

    const gone = scripted([broken, problem(404, "game_not_found")]);
    await assert.rejects(following(gone), (error) => error instanceof ProblemError && error.code === "game_not_found");
});

test("the pause before a stream is opened again doubles up to half a minute, and starts anew", () => {
    const retries = { most: 0, firstPause: 100, longestPause: 1 };
    for (let retry = 0; retry < 40; retry += 1) {
        const most = Math.min(100 * 2 ** retry, 30_000);
        const own = pauseOfStream(retries, retry, null);
        assert(own >= most / 2 && own <= most, `${retry}: ${own}`);
        const asked = pauseOfStream(retries, retry, 60);
        assert(asked >= 60_000 + most / 2 && asked <= 60_000 + most, `${retry}: ${asked}`);
    }
});
