//! boardgame.io: matches by its lobby over HTTP, moves by its protocol over one socket for each seat.

import { io } from "socket.io-client";
import { Client } from "undici";

import { inOrder } from "./ours.mjs";
import { end, start } from "./programs.mjs";

const LOBBY = "/games/battleship";
const SERVER = new URL("server.mjs", import.meta.url).pathname;
// A move that it refuses is not answered at all.
const PATIENCE = 30_000;

/** A server that keeps its matches in the database `DATABASE` of the Postgres at a socket's folder. */
export class Theirs {
    static DATABASE = "boardgame";
    name = "boardgame.io";

    static async start(socketFolder) {
        const [child, [, port]] = await start(process.execPath, [SERVER, socketFolder, Theirs.DATABASE], /^port (\d+)$/);
        return new Theirs(child, `http://127.0.0.1:${port}`);
    }

    constructor(child, base) {
        this.child = child;
        this.base = base;
    }

    /** A match in which both have placed: `{id, fire, close}`. */
    async open({ fleets, shots }) {
        const lobby = new Client(this.base);
        const { matchID: id } = await ask(lobby, `${LOBBY}/create`, { numPlayers: 2, unlisted: true });
        const seats = [];
        for (const playerID of ["0", "1"]) {
            const { playerCredentials } = await ask(lobby, `${LOBBY}/${id}/join`, { playerID, playerName: `Player ${playerID}` });
            seats.push(new Seat(this.base, id, playerID, playerCredentials));
        }
        await lobby.close();
        let { _stateID: version } = await seats[0].sync();
        await seats[1].sync();
        const move = async (seat, type, value) => {
            const state = await seats[seat].move(version, type, value);
            version += 1;
            return state;
        };
        for (const [seat, fleet] of fleets.entries()) {
            const { G } = await move(seat, "place", fleet);
            if (!G.boards[seat] || G.boards[1 - seat]) throw new Error("a seat sees what it may not, or not its own");
        }
        return {
            id,
            shots,
            fire: async ({ seat, cell }) => {
                const { G } = await move(seat, "fire", cell);
                const shot = G.shots[1 - seat].at(-1);
                if (shot.cell !== cell) throw new Error(`${shot.cell} is answered instead of ${cell}`);
                return shot.outcome;
            },
            close: () => seats.forEach((seat) => seat.close()),
        };
    }

    /** How many shots of each match Postgres has, in the matches' order. */
    async stored(database, games) {
        const { rows } = await database.query(
            `select id, (
                select count(*)::int from json_array_elements(log) as entry
                where entry->'action'->>'type' = 'MAKE_MOVE' and entry->'action'->'payload'->>'type' = 'fire'
            ) as shots
            from "Games" where id = any($1::text[])`,
            [games.map(({ id }) => id)],
        );
        return inOrder(games, rows.map(({ id, shots }) => [id, shots]));
    }

    end(signal) {
        return end(this.child, signal);
    }
}

async function ask(client, path, body) {
    const reply = await client.request({
        method: "POST",
        path,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
    });
    if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode} ${await reply.body.text()}`);
    return reply.body.json();
}

/** A player's socket. */
class Seat {
    #socket;
    #identity;
    #awaited = null;

    constructor(base, matchID, playerID, credentials) {
        this.#identity = { matchID, playerID, credentials };
        this.#socket = io(`${base}/battleship`, { transports: ["websocket"], forceNew: true, reconnection: false });
        this.#socket.on("sync", (_, { state }) => this.#come(state));
        this.#socket.on("update", (_, state) => this.#come(state));
        this.#socket.on("disconnect", (reason) => this.#fail(new Error(`the socket was closed: ${reason}`)));
        this.#socket.on("connect_error", (error) => this.#fail(error));
    }

    /** Asks for the match as it stands. */
    sync() {
        const { matchID, playerID, credentials } = this.#identity;
        const state = this.#await(0);
        this.#socket.emit("sync", matchID, playerID, credentials, 2);
        return state;
    }

    /** Makes a move on the state of this number, and waits until it has come back. */
    move(version, type, value) {
        const { matchID, playerID, credentials } = this.#identity;
        const state = this.#await(version + 1);
        const payload = { type, args: [value], playerID, credentials };
        this.#socket.emit("update", { type: "MAKE_MOVE", payload }, version, matchID, playerID);
        return state;
    }

    close() {
        this.#socket.close();
    }

    #await(version) {
        return new Promise((resolve, reject) => {
            const timer = setTimeout(() => this.#fail(new Error(`state ${version} does not come`)), PATIENCE);
            this.#awaited = { version, resolve, reject, timer };
        });
    }

    #come(state) {
        if (!this.#awaited || state._stateID < this.#awaited.version) return;
        const { resolve, timer } = this.#awaited;
        this.#awaited = null;
        clearTimeout(timer);
        resolve(state);
    }

    #fail(error) {
        if (!this.#awaited) return;
        const { reject, timer } = this.#awaited;
        this.#awaited = null;
        clearTimeout(timer);
        reject(error);
    }
}
