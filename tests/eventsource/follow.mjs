// Follows one game by the packages that people use, while it is played to its end and its server is restarted in order,
// and killed, and away for a while. Each event has to come once, and the end has to be one: nobody asks on.
//
//   node follow.mjs PROGRAM CHROMIUM FOLDER [NAME…]
//
// starts PROGRAM with its data in FOLDER. With names only these follow.
import assert from "node:assert/strict";
import { Game, Server } from "./server.mjs";
import { packages } from "./packages.mjs";

const [program, chromium, folder, ...names] = process.argv.slice(2);
const PATIENCE = 60_000;
// Whoever asks on does so within some seconds.
const QUIET = 12_000;

const pause = (time) => new Promise((done) => setTimeout(done, time));

const server = await Server.start(program, folder);
const followers = [];
try {
    const game = await Game.begin(server);
    for (const [name, follow] of Object.entries(packages)) {
        if (names.length > 0 && !names.includes(name)) continue;
        const told = [];
        const follower = { name, told, ended: false, close: () => {} };
        follower.close = await follow({
            url: `${server.base}/v1/games/${game.id}/stream`,
            chromium,
            tell: (id, data) => told.push({ id: String(id), event: JSON.parse(data) }),
            end: () => (follower.ended = true),
        });
        followers.push(follower);
    }
    assert.equal(followers.length, names.length || Object.keys(packages).length, "each name is known");

    await all("hear the beginning", (follower) => follower.told.length >= 4);
    await game.fire(5);
    await all("hear what is played", (follower) => follower.told.length >= 9);
    await server.restart("SIGTERM");
    await game.fire(4);
    await all("go on after a restart", (follower) => follower.told.length >= 13);
    await server.restart("SIGKILL", () => pause(4_000));
    await game.fire(4);
    await all("go on after a crash", (follower) => follower.told.length >= 17);
    await game.fire(4);
    await all("hear the end", (follower) => follower.ended);

    const before = await server.requests();
    await pause(QUIET);
    const asked = (await server.requests()) - before;
    for (const { name, told } of followers) {
        const seqs = told.map(({ event }) => event.seq);
        assert.deepEqual(seqs, [...game.log.keys()].map((at) => at + 1), `${name}: each event once and in order`);
        assert.deepEqual(told.map(({ event }) => event), game.log, `${name}: as it is in the log`);
        assert.deepEqual(told.map(({ id }) => id), seqs.map(String), `${name}: each with its seq as its id`);
        assert.equal(told.at(-1).event.result.reason, "fleet_sunk");
        console.log(`${name}: ${told.length} events, each once`);
    }
    assert.equal(asked, 0, "nobody asks on after the end");
} finally {
    for (const { close } of followers) await close();
    await server.stop();
}
process.exit(0);

/** Waits until something holds of all followers. */
async function all(what, holds) {
    const until = Date.now() + PATIENCE;
    while (!followers.every(holds)) {
        const missing = followers.filter((follower) => !holds(follower));
        const state = missing.map(({ name, told, ended }) => `${name} (${told.length} events, ended: ${ended})`);
        assert(Date.now() < until, `these do not ${what}: ${state.join(", ")}`);
        await pause(20);
    }
}
