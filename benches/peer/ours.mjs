//! Naval Battle: each seat is a client with one connection that it keeps.

import { createInterface } from "node:readline";

import { Client } from "undici";

import { end, start } from "./programs.mjs";

const OPTIONS = { grid: 10, fleet: "classic", mines: false, salvo: false, shoot_again: false, first: "host" };
const JSON_TYPE = { "content-type": "application/json" };
// Created, joined and two layouts placed.
const EVENTS_BEFORE = 4;

/** A server with a Postgres of its own in `data`, or on that of another by its `url`. */
export class Ours {
    name = "ours";

    /** `follows`: whether each seat also has the game's log streamed to it, and moves by it alone. */
    static async start(program, { data, url, follows = false }) {
        const [child, [base]] = await start(program, [], /http:\/\/127\.0\.0\.1:\d+/, {
            ...(data ? { NAVAL_BATTLE_DATA_DIR: data } : {}),
            DATABASE_URL: url ?? "",
            NAVAL_BATTLE_BIND: "127.0.0.1:0",
            NAVAL_BATTLE_LIMITS: "off",
            RUST_LOG: "warn",
        });
        return new Ours(child, base, follows);
    }

    constructor(child, base, follows) {
        this.child = child;
        this.base = base;
        this.follows = follows;
        if (follows) this.name = "ours followed";
    }

    /** The same server, with clients that follow the log. */
    followed() {
        return new Ours(this.child, this.base, true);
    }

    /** `{ships, mines}` drawn by the server from a seed. */
    async layout(seed) {
        const client = new Client(this.base);
        const { grid, fleet, mines } = OPTIONS;
        const { layout } = await ask(client, "POST", "/v1/layouts/random", { grid, fleet, mines, seed });
        await client.close();
        return layout;
    }

    /** A game in which both have placed: `{id, fire, close}`. */
    async open({ fleets, shots }) {
        const clients = [new Client(this.base), new Client(this.base)];
        const [host, guest] = clients;
        const { game, token } = await ask(host, "POST", "/v1/games", { name: "Anna", options: OPTIONS });
        const { id } = game;
        const path = `/v1/games/${id}`;
        const joined = await ask(guest, "POST", `${path}/join`, { name: "Boris" });
        const tokens = [token, joined.token];
        for (const [seat, ships] of fleets.entries()) {
            await ask(clients[seat], "POST", `${path}/place`, { ships, mines: [] }, tokens[seat]);
        }
        const streams = this.follows ? await Promise.all([0, 1].map(() => Stream.open(this.base, path))) : [];
        let seq = EVENTS_BEFORE;
        return {
            id,
            shots,
            fire: async ({ seat, cell }) => {
                seq += 1;
                const told = streams[1 - seat]?.reaches(seq);
                const { events } = await ask(clients[seat], "POST", `${path}/fire`, { shots: [cell] }, tokens[seat]);
                await told;
                return events[0].shots[0].outcome;
            },
            close: () => Promise.all([...clients, ...streams].map((client) => client.destroy())),
        };
    }

    /** How many shots of each game Postgres has, in the games' order. */
    async stored(database, games) {
        const { rows } = await database.query(
            `select game_id, count(*) filter (where body::json->>'type' = 'fired')::int as shots
            from events where game_id = any($1::uuid[]) group by game_id`,
            [games.map(({ id }) => id)],
        );
        return inOrder(games, rows.map(({ game_id, shots }) => [game_id, shots]));
    }

    /** Fails where a game's chain, commitments or answers are not true. */
    async verify(games) {
        const client = new Client(this.base);
        for (const { id } of games) {
            const found = await ask(client, "GET", `/v1/games/${id}/verify`);
            if (!found.ok || !found.complete) throw new Error(`game ${id} is untrue: ${JSON.stringify(found)}`);
        }
        await client.close();
    }

    end(signal) {
        return end(this.child, signal);
    }
}

/** How many shots there are by game, 0 where a game is not known. */
export function inOrder(games, entries) {
    const shots = new Map(entries);
    return games.map(({ id }) => shots.get(id) ?? 0);
}

async function ask(client, method, path, body, token) {
    const headers = token ? { ...JSON_TYPE, authorization: `Bearer ${token}` } : JSON_TYPE;
    const reply = await client.request({ method, path, headers, body: body && JSON.stringify(body) });
    const value = await reply.body.json();
    if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${reply.statusCode} ${JSON.stringify(value)}`);
    return value;
}

/** A game's log as a seat follows it. */
class Stream {
    #client;
    #seq = 0;
    #awaited = null;

    static async open(base, path) {
        const stream = new Stream();
        stream.#client = new Client(base, { bodyTimeout: 0 });
        const reply = await stream.#client.request({
            method: "GET",
            path: `${path}/events?after=0`,
            headers: { accept: "text/event-stream" },
        });
        if (reply.statusCode !== 200) throw new Error(`no stream: ${reply.statusCode}`);
        // Its end is noticed where an event does not come.
        reply.body.on("error", () => {});
        createInterface({ input: reply.body }).on("error", () => {}).on("line", (line) => {
            if (!line.startsWith("id: ")) return;
            stream.#seq = Number(line.slice(4));
            stream.#tell();
        });
        await stream.reaches(EVENTS_BEFORE);
        return stream;
    }

    /** Waits until the event of this number has come. */
    reaches(seq) {
        return new Promise((resolve) => {
            this.#awaited = { seq, resolve };
            this.#tell();
        });
    }

    destroy() {
        return this.#client.destroy();
    }

    #tell() {
        if (this.#awaited && this.#seq >= this.#awaited.seq) {
            this.#awaited.resolve();
            this.#awaited = null;
        }
    }
}
