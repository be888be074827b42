import assert from "node:assert/strict";
import { test } from "node:test";

import { NavalBattle, advance, positions, type Event, type Eyes, type Game } from "../src/index.js";
import { RandomGame, chance, configurations, each } from "./chance.js";
import { goldenGames, told } from "./golden.js";
import { layout } from "./playing.js";
import { SERVER } from "./wire.js";

const api = new NavalBattle(SERVER);

/** A game without what opens at its end, which no event tells. */
function closed(game: Game): unknown {
    const { players, boards, ...rest } = structuredClone(game);
    const board = ({ shots, revealed, known_empty }: Game["boards"]["host"]) => ({ shots, revealed, known_empty });
    const player = (who: Game["players"]["host"]) => who && { ...who, bot_seed: null };
    return {
        ...rest,
        players: { host: player(players.host), guest: player(players.guest) },
        boards: { host: board(boards.host), guest: board(boards.guest) },
    };
}

test("a game advanced by each event is what a look shows, to all eyes and in all configurations", async () => {
    const count = { events: 0, mines: 0, sunk: 0, given: 0, owed: 0 };
    await each(configurations(), 8, async (options, index) => {
        const playing = await RandomGame.create(api, { ...options, turn_seconds: index % 3 ? null : 3_600 }, index);
        const tables = [playing.host, playing.guest, api.table(playing.host.id)];
        let games = await Promise.all(tables.map((table) => table.look()));
        for (;;) {
            const events = await playing.move(games[2] as Game);
            if (events.length === 0) {
                break;
            }
            assert.equal(events.length, 1);
            const [event] = events as [Event];
            count.events += 1;
            count.mines += event.type === "fired" && event.owed !== undefined ? 1 : 0;
            count.sunk += event.type === "fired" && event.shots.some((shot) => shot.ship) ? 1 : 0;
            count.given += event.type === "revealed" ? 1 : 0;
            const own = event.type === "placed" ? playing.layouts.get(event.seat) : undefined;
            const before = structuredClone(games);
            const advanced = games.map((game) => advance(game, event, own));
            assert.deepEqual(games, before, "what it was is left alone");
            const looked = await Promise.all(tables.map((table) => table.look()));
            const what = `configuration ${index}, event ${event.seq}`;
            if (event.result) {
                assert.deepEqual(advanced.map(closed), looked.map(closed), what);
            } else {
                assert.deepEqual(advanced, looked, what);
                count.owed += looked.filter((game) => game.revealable !== null).length;
            }
            games = looked;
        }
        assert.equal(games[0]?.result?.reason, "fleet_sunk");
    });
    assert(count.events > 1_000 && count.sunk > 300, JSON.stringify(count));
    assert(count.mines > 20 && count.given > 20 && count.owed === count.given, JSON.stringify(count));
});

test("games against the computer, rematches and games called off advance as well", async () => {
    const host = await api.create({ bot: "easy", options: { grid: 8, first: "guest", shoot_again: true } });
    const beside = api.table(host.id);
    const tables = [host, beside];
    let games = await Promise.all(tables.map((table) => table.look()));
    const random = chance(5);
    for (let moves = 0; games[0]?.status !== "finished"; moves += 1) {
        const [game] = games as [Game];
        const due = game.awaiting[0];
        const fired = new Set(game.boards.guest.shots.map(({ cell }) => cell));
        const cells = Array.from(
            { length: 64 },
            (_, index) => `${"ABCDEFGH"[index % 8]}${Math.floor(index / 8) + 1}`,
        );
        const left = cells.filter((cell) => !fired.has(cell)).sort(() => random() - 0.5);
        const own = layout(1);
        const progress =
            due?.action === "place"
                ? await host.place(own)
                : due?.action === "reveal"
                  ? await host.reveal(game.revealable?.slice(0, due.count) ?? [])
                  : moves < 12
                    ? await host.fire(left.slice(0, 1))
                    : await host.resign();
        const salted = { ...own, salt: "salt" in progress ? String(progress.salt) : "" };
        const advanced = games.map((game) =>
            progress.events.reduce((then, event) => advance(then, event, salted), game),
        );
        games = await Promise.all(tables.map((table) => table.look()));
        const shown = games[0]?.status === "finished" ? closed : (game: Game) => game;
        assert.deepEqual(advanced.map(shown), games.map(shown));
    }

    const again = await host.rematch();
    const first = await again.look();
    const progress = await again.resign();
    const called = progress.events.reduce((game, event) => advance(game, event), first);
    assert.deepEqual(called, await again.look());
    assert.equal(called.status, "aborted");
});

test("an event that was had changes nothing, one that leaves some out is refused, a new kind is taken", async () => {
    const host = await api.create();
    const game = await host.look();
    const { events } = await host.events();
    assert.equal(advance(game, events[0] as Event), game);

    const later = { ...events[0], seq: 3 } as Event;
    assert.throws(() => advance(game, later), RangeError);

    const awaiting = [{ seat: "host", action: "place", count: 1, until: null }];
    const novel = { seq: 2, at: "", type: "storm", status: "waiting", awaiting, head: "ab" } as unknown as Event;
    const known = { ...game, rematch_of: null, more: { than: "is known" } };
    assert.deepEqual(advance(known, novel), { ...known, version: 2, awaiting, head: "ab", revealable: null });
});

test("a layout that is hidden before anybody has joined is there when somebody joins", async () => {
    const host = await api.create({ options: { first: "host" } });
    const waiting = await host.look();
    const own = { ...layout(1), salt: "5a".repeat(32) };
    const due = (seat: string, action: string) => ({ seat, action, count: 1, until: null });
    const common = { at: "2026-12-01T06:00:00.000000Z", head: "" };
    const join = due("guest", "join");
    const placed = {
        ...common,
        seq: 2,
        type: "placed",
        seat: "host",
        commitment: "c0",
        status: "waiting",
        awaiting: [join],
    };
    const place = due("guest", "place");
    const joined = {
        ...common,
        seq: 3,
        type: "joined",
        seat: "guest",
        first: "host",
        status: "placing",
        awaiting: [place],
    };

    const games = [placed, joined].reduce<Game[]>(
        (all, event) => [...all, advance(all.at(-1) ?? waiting, event as unknown as Event, own)],
        [],
    );

    const [hidden, taken] = games as [Game, Game];
    assert.deepEqual([hidden.status, hidden.players.guest, hidden.players.host?.commitment], ["waiting", null, "c0"]);
    assert.deepEqual([hidden.boards.host.mines, hidden.boards.host.salt], [own.mines, own.salt]);
    assert.deepEqual([taken.status, taken.first, taken.players.guest?.placed], ["placing", "host", false]);
    assert.deepEqual(taken.boards, hidden.boards);
    assert.deepEqual(taken.players.host, hidden.players.host);
});

test("every position of a game is what the server replays, to all eyes", async () => {
    const some = configurations().filter((_, index) => index % 9 === 4);
    await each(some, 4, async (options, index) => {
        const playing = await RandomGame.create(api, options, 1_000 + index);
        let game = await playing.host.look();
        while ((await playing.move(game)).length > 0) {
            game = await playing.host.look();
        }
        await isReplayed(playing.guest.id, ["host", "guest", "spectator", "all"]);
    });
});

test("games against the computer, rematches and games called off are replayed as well", async () => {
    const host = await api.create({ bot: "medium", name: "Ada" });
    await host.place(layout(1));
    await host.resign();
    await isReplayed(host.id, ["host", "guest", "spectator", "all"]);

    const called = await api.create({ options: { first: "guest" } });
    const guest = await api.table(called.id).join({ name: "Ben" });
    await guest.place(layout(1));
    await guest.resign();
    await isReplayed(called.id, ["spectator"]);
    const own = await guest.look();
    const { events } = await guest.events();
    for (const [index, position] of positions(own, events, "guest").entries()) {
        assert.deepEqual(position, await guest.replay({ upto: index + 1, as: "guest" }));
    }
    const others = await called.look();
    assert.throws(() => positions(others, events, "guest"), /does not show what the guest has hidden/);
    assert.throws(() => positions(own, events.slice(1), "guest"), /event 2 does not follow on event 0/);

    const again = await called.rematch();
    await again.resign();
    await isReplayed(again.id, ["spectator"]);
});

test("the positions of games of past releases lead to the game that was downloaded", () => {
    const golden = goldenGames();
    assert(golden.length >= 11);
    for (const { name, game, events } of golden) {
        for (const eyes of game.result?.winner
            ? (["host", "guest", "spectator", "all"] as const)
            : (["spectator"] as const)) {
            const found = positions(game, events, eyes);
            assert.deepEqual(told(found.at(-1)), told(game), `${name}, ${eyes}`);
            for (const [index, event] of events.entries()) {
                const { version, head, status, awaiting } = found[index] as Game;
                assert.deepEqual(
                    [version, head, status, awaiting],
                    [index + 1, event.head, event.status, event.awaiting],
                );
            }
        }
    }
});

/** Holds all positions through some eyes against what the server replays to a spectator. */
async function isReplayed(id: string, all: Eyes[]): Promise<void> {
    const table = api.table(id);
    const game = await table.look();
    const { events } = await table.events({ limit: 500 });
    for (const eyes of all) {
        const found = positions(game, events, eyes);
        assert.equal(found.length, game.version);
        for (const [index, position] of found.entries()) {
            const replayed = await table.replay({ upto: index + 1, as: eyes });
            assert.deepEqual(position, replayed, `${eyes}, event ${index + 1}`);
        }
    }
}
