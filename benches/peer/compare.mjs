//! Plays the same games on both servers in turn and prints what a move costs; the Postgres is in FOLDER:
//! `node compare.mjs SERVER FOLDER [--pairs 7] [--at-once 8,32] [--games 32] [--kills 10]`.

import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

import pg from "pg";

import { ofFamily, ofMachine, ofProcess } from "./machine.mjs";
import { Ours } from "./ours.mjs";
import { SHOTS, plan } from "./plan.mjs";
import { Theirs } from "./theirs.mjs";

const { values: words, positionals } = parseArgs({
    allowPositionals: true,
    options: {
        pairs: { type: "string", default: "7" },
        "at-once": { type: "string", default: "8,32" },
        games: { type: "string", default: "32" },
        kills: { type: "string", default: "10" },
    },
});
const [pairs, gamesOfRound, kills] = [words.pairs, words.games, words.kills].map(Number);
const [program, folder] = positionals;
// How long what was acknowledged may take until it is written.
const WRITTEN_WITHIN = 10_000;
// At how many games at once, and after how many answers, a server is killed.
const KILLED = { atOnce: 8, after: 200 };
const PROBED = 5;

await main();

async function main() {
    const clusterUser = { host: join(folder, "socket"), port: 5432, user: "naval_battle" };
    const running = [];
    try {
        const ours = await Ours.start(program, { data: folder });
        running.push(ours);
        const database = await connected(clusterUser, "postgres");
        await database.query(`create database ${Theirs.DATABASE}`);
        const theirDatabase = await connected(clusterUser, Theirs.DATABASE);
        running.unshift({ end: () => Promise.all([database.end(), theirDatabase.end()]) });
        const theirs = await Theirs.start(clusterUser.host);
        running.unshift(theirs);
        const postmaster = Number(readFileSync(join(folder, "socket", ".s.PGSQL.5432.lock"), "utf8").split("\n")[0]);
        const sides = [
            { server: ours, database, postmaster },
            { server: ours.followed(), database, postmaster },
            { server: theirs, database: theirDatabase, postmaster },
        ];
        const layouts = await Promise.all(Array.from({ length: gamesOfRound * 2 }, (_, seed) => ours.layout(seed)));
        const plans = Array.from({ length: gamesOfRound }, (_, index) =>
            plan([layouts[2 * index].ships, layouts[2 * index + 1].ships], index),
        );

        await sayConditions(database, theirDatabase);
        for (const atOnce of words["at-once"].split(",").map(Number)) await compare(sides, plans, atOnce);
        for (const side of [sides[0], sides[2]]) await probe(side, plans);
        const url = `postgres://naval_battle@${encodeURIComponent(clusterUser.host)}:5432/postgres?sslmode=disable`;
        await kill({ ...sides[0], start: () => Ours.start(program, { url }) }, plans);
        await kill({ ...sides[2], start: () => Theirs.start(clusterUser.host) }, plans);
    } finally {
        for (const one of running) await one.end();
    }
}

async function connected(user, database) {
    const client = new pg.Client({ ...user, database });
    await client.connect();
    return client;
}

async function sayConditions(...databases) {
    const settings = await Promise.all(databases.map(async (database) => {
        const names = ["fsync", "synchronous_commit", "full_page_writes", "server_version"];
        const { rows } = await database.query("select name, setting from pg_settings where name = any($1) order by name", [names]);
        return rows.map(({ name, setting }) => `${name}=${setting}`).join(" ");
    }));
    if (new Set(settings).size !== 1) throw new Error(`the databases differ: ${settings.join("; ")}`);
    const [{ model }] = cpus();
    console.log(`${new Date().toISOString()}  ${cpus().length} × ${model}  load ${loadavg().map((load) => load.toFixed(1)).join(" ")}`);
    console.log(`Node ${process.version}  ${settings[0]}`);
}

/** Rounds of the same games on each side in turn, and their figures. */
async function compare(sides, plans, atOnce) {
    console.log(`\n${atOnce} games at once, ${plans.length} games of ${SHOTS} shots a round, ${pairs} rounds of each side`);
    const rounds = new Map(sides.map((side) => [side, []]));
    for (const side of sides) await round(side, plans, atOnce);
    for (let pair = 0; pair < pairs; pair += 1) {
        const turn = sides.map((_, index) => sides[(index + pair) % sides.length]);
        for (const side of turn) rounds.get(side).push(await round(side, plans, atOnce));
    }

    const columns = [16, 9, 10, 12, 12, 14, 14, 12];
    const line = (cells) => console.log(`  ${cells.map((cell, index) => (index ? cell.padStart(columns[index]) : cell.padEnd(columns[0]))).join("")}`);
    line(["", "moves/s", "server µs", "Postgres µs", "driver µs", "driver's core", "others' cores", "WAL a move"]);
    for (const [{ server }, figures] of rounds) {
        const of = (name) => median(figures.map((figure) => figure[name])).toFixed(0);
        line([server.name, of("rate"), of("server"), of("postgres"), of("driver"), `${of("driverShare")} %`, `${of("others")} %`, `${of("wal")} B`]);
    }
    const theirs = rounds.get(sides.at(-1));
    const cost = ({ server, postgres }) => server + postgres;
    for (const side of sides.slice(0, -1)) {
        const turns = rounds.get(side).map((figure, index) => [figure, theirs[index]]);
        const rates = spread(turns.map(([own, peer]) => own.rate / peer.rate));
        const costs = spread(turns.map(([own, peer]) => cost(peer) / cost(own)));
        console.log(`  moves/s, ${side.server.name} ÷ boardgame.io: ${rates}`);
        console.log(`  CPU a move of server and Postgres, boardgame.io ÷ ${side.server.name}: ${costs}`);
    }
    console.log("  every acknowledged move is stored, and every game of ours is verified");
}

/**
 * Plays all games, so many at once; each moves as soon as its last move is acknowledged.
 *
 * Moves count until the last is acknowledged; what the servers use counts until all is written.
 */
async function round({ server, database, postmaster }, plans, atOnce) {
    const games = await opened(server, plans);
    const moves = plans.length * SHOTS;
    const id = server.child.pid;
    const sample = async () => ({
        at: performance.now(),
        server: ofProcess(id),
        postgres: ofFamily(postmaster),
        driver: ofProcess(process.pid),
        machine: ofMachine(),
        wal: Number((await database.query("select pg_current_wal_lsn() - '0/0' as bytes")).rows[0].bytes),
    });
    await idle(id, postmaster);

    const before = await sample();
    const queue = [...games];
    await Promise.all(Array.from({ length: atOnce }, async () => {
        for (let game = queue.shift(); game; game = queue.shift()) await play(game);
    }));
    const seconds = (performance.now() - before.at) / 1000;
    const driver = ofProcess(process.pid) - before.driver;
    await untilWritten(server, database, games);
    const after = await sample();

    await Promise.all(games.map((game) => game.close()));
    await server.verify?.(games);
    const used = (what) => after[what] - before[what];
    const foreign = used("machine") - used("server") - used("postgres") - used("driver");
    return {
        rate: moves / seconds,
        server: (used("server") / moves) * 1e6,
        postgres: (used("postgres") / moves) * 1e6,
        driver: (driver / moves) * 1e6,
        driverShare: (driver / seconds) * 100,
        others: (foreign / (used("at") / 1000)) * 100,
        wal: used("wal") / moves,
    };
}

/** Games one after the other, so that opening them asks nothing of a server. */
async function opened(server, plans) {
    const games = [];
    for (const one of plans) games.push(await server.open(one));
    return games;
}

/** Plays a game to its end; every answer has to be the true one. */
async function play({ id, shots, fire }, acknowledged = () => {}) {
    for (const shot of shots) {
        const outcome = await fire(shot);
        if ((outcome !== "miss") !== shot.isHit) throw new Error(`game ${id}: ${shot.cell} was answered ${outcome}`);
        await acknowledged();
    }
}

/** Waits until nothing is left to do for either, such as what closed sockets still write. */
async function idle(...ids) {
    const used = () => ids.reduce((sum, id) => sum + ofFamily(id), 0);
    for (let last = -1, now = used(); now > last; now = used()) {
        last = now;
        await sleep(250);
    }
}

/** Waits until every shot of the games is stored, and fails where one is not. */
async function untilWritten(server, database, games) {
    const latest = performance.now() + WRITTEN_WITHIN;
    for (;;) {
        const stored = await server.stored(database, games);
        if (stored.every((shots) => shots === SHOTS)) return;
        if (performance.now() > latest) throw new Error(`${server.name} has acknowledged what is not stored: ${stored}`);
        await sleep(20);
    }
}

/** Counts the acknowledged moves that a look at the database, right after the answer, does not find. */
async function probe({ server, database }, plans) {
    let [late, moves] = [0, 0];
    for (const one of plans.slice(0, PROBED)) {
        const game = await server.open(one);
        let played = 0;
        await play(game, async () => {
            played += 1;
            const [stored] = await server.stored(database, [game]);
            late += stored < played ? 1 : 0;
        });
        moves += played;
        await untilWritten(server, database, [game]);
        await game.close();
    }
    console.log(`\n${server.name}: of ${moves} moves, ${late} were acknowledged before they could be read in Postgres`);
}

/** Kills a server amid games, and counts the acknowledged moves that Postgres does not have afterwards. */
async function kill({ start, database, postmaster }, plans) {
    let [acknowledged, lost, name] = [0, 0, ""];
    for (let time = 0; time < kills; time += 1) {
        const server = await start();
        try {
            const result = await killed(server, database, postmaster, plans, KILLED.after + time);
            acknowledged += result.acknowledged;
            lost += result.lost;
            name = server.name;
        } finally {
            await server.end("SIGKILL");
        }
    }
    console.log(`${name}: killed ${kills} times amid ${Math.min(KILLED.atOnce, plans.length)} games; ${lost} of the ${acknowledged} acknowledged moves were lost`);
    if (name === "ours" && lost > 0) throw new Error("an acknowledged move of ours was lost");
}

/** `{acknowledged, lost}` of games whose server is killed after so many answers. */
async function killed(server, database, postmaster, plans, after) {
    const games = await opened(server, plans.slice(0, KILLED.atOnce));
    const counts = games.map(() => 0);
    let acknowledged = 0;
    let ending;
    const count = (index) => {
        if (ending) return;
        counts[index] += 1;
        acknowledged += 1;
        if (acknowledged === after) ending = server.end("SIGKILL");
    };
    const plays = await Promise.allSettled(games.map((game, index) => play(game, () => count(index))));
    if (!ending) throw plays.find(({ reason }) => reason).reason;
    await ending;
    await idle(postmaster);
    const stored = await server.stored(database, games);
    await Promise.all(games.map((game) => game.close()));
    const lost = counts.reduce((sum, count, index) => sum + Math.max(0, count - stored[index]), 0);
    return { acknowledged, lost };
}

/** The median, with the least and the most. */
function spread(list) {
    const [middle, least, most] = [median(list), Math.min(...list), Math.max(...list)].map((one) => one.toFixed(1));
    return `${middle} (${least} to ${most})`;
}

function median(list) {
    const sorted = [...list].sort((one, other) => one - other);
    const middle = Math.floor(sorted.length / 2);
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
