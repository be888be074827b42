// A server as a process, and a game to play on it.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const pause = (time) => new Promise((done) => setTimeout(done, time));

/** A classic fleet, in the order in which it is sunk. */
const FLEET = [["A1", 5], ["A3", 4], ["A5", 3], ["A7", 3], ["E7", 2]];
const LAYOUT = { ships: FLEET.map(([start, length]) => ({ start, length })), mines: ["J10"] };

export class Server {
    /** Starts it with its data in a folder, at a port of its own. */
    static async start(program, folder) {
        const server = new Server();
        server.program = program;
        server.folder = folder;
        await server.#run("127.0.0.1:0");
        return server;
    }

    /** Ends it by a signal and starts it again at the same address, with something done in between. */
    async restart(signal, between = async () => {}) {
        const ended = new Promise((done) => this.process.once("exit", done));
        this.process.kill(signal);
        await ended;
        await between();
        await this.#run(new URL(this.base).host);
    }

    async stop() {
        const ended = new Promise((done) => this.process.once("exit", done));
        if (this.process.exitCode === null && this.process.signalCode === null) {
            this.process.kill("SIGTERM");
            await ended;
        }
    }

    /** How many requests for streams it has answered since it was started. */
    async requests() {
        const page = await (await fetch(`${this.base}/metrics`)).text();
        const counts = page.matchAll(/^naval_battle_requests_total\{.*route="[^"]*(?:stream|feed)".*\} (\d+)$/gm);
        return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    }

    async #run(bind) {
        const { DATABASE_URL, ...env } = process.env;
        const settings = { NAVAL_BATTLE_DATA_DIR: this.folder, NAVAL_BATTLE_BIND: bind, NAVAL_BATTLE_LIMITS: "off", RUST_LOG: "warn" };
        this.process = spawn(this.program, [], { env: { ...env, ...settings }, stdio: ["ignore", "pipe", "inherit"] });
        for await (const line of createInterface({ input: this.process.stdout })) {
            const address = line.match(/http:\/\/[0-9.]+:[0-9]+/);
            if (address) {
                this.base = address[0];
                break;
            }
        }
        if (this.base === undefined) throw new Error("the server does not begin");
        while (!(await fetch(`${this.base}/readyz`).then((reply) => reply.ok, () => false))) await pause(50);
    }
}

export class Game {
    /** Begins a game in which whoever hits fires again. */
    static async begin(server) {
        const game = new Game();
        game.server = server;
        const options = { first: "host", shoot_again: true };
        const host = await game.#post("/v1/games", null, { options });
        game.id = host.game.id;
        game.token = host.token;
        const guest = await game.#post(`/v1/games/${game.id}/join`, null, {});
        for (const token of [host.token, guest.token]) await game.#post(`/v1/games/${game.id}/place`, token, LAYOUT);
        game.shots = FLEET.flatMap(([start, length]) =>
            [...Array(length).keys()].map((at) => String.fromCharCode(start.charCodeAt(0) + at) + start.slice(1)));
        await game.#read();
        return game;
    }

    /** Fires so many times, and reads the log. */
    async fire(count) {
        for (const shot of this.shots.splice(0, count)) {
            await this.#post(`/v1/games/${this.id}/fire`, this.token, { shots: [shot] });
        }
        await this.#read();
    }

    async #read() {
        const reply = await fetch(`${this.server.base}/v1/games/${this.id}/events?limit=500`);
        this.log = (await reply.json()).events;
    }

    async #post(path, token, body) {
        const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
        const reply = await fetch(this.server.base + path, { method: "POST", headers, body: JSON.stringify(body) });
        if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
        return reply.json();
    }
}
