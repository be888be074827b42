import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A server of one's own, which can be stopped and started again with its games. */
export class OwnServer {
    readonly #folder = mkdtempSync(join(tmpdir(), "naval-battle-journey-"));
    #process: ChildProcess | undefined;

    private constructor(readonly port: number) {}

    static async start(): Promise<OwnServer> {
        const server = new OwnServer(await freePort());
        const data = join(server.#folder, "data");
        mkdirSync(data);
        if (process.getuid?.() === 0) {
            // As root, Postgres runs as a user who has to be able to enter the folder.
            chmodSync(server.#folder, 0o755);
            const postgres = /^postgres:[^:]*:([0-9]+):([0-9]+):/m.exec(readFileSync("/etc/passwd", "utf8"));
            if (postgres) {
                chownSync(data, Number(postgres[1]), Number(postgres[2]));
            }
        }
        await server.begin();
        return server;
    }

    get address(): string {
        return `http://127.0.0.1:${this.port}`;
    }

    /** Starts it, and waits until it listens. */
    async begin(): Promise<void> {
        const program = process.env["PROGRAM"];
        assert(program, "PROGRAM is the server's program");
        const { DATABASE_URL: _, ...environment } = process.env;
        this.#process = spawn(program, {
            env: {
                ...environment,
                NAVAL_BATTLE_DATA_DIR: join(this.#folder, "data"),
                NAVAL_BATTLE_BIND: `127.0.0.1:${this.port}`,
                NAVAL_BATTLE_LIMITS: "off",
                RUST_LOG: "warn",
            },
            stdio: ["ignore", "pipe", "inherit"],
        });
        assert(this.#process.stdout);
        for await (const line of createInterface(this.#process.stdout)) {
            if (line.includes(this.address)) {
                this.#process.stdout.resume();
                return;
            }
        }
        assert.fail("the server has ended");
    }

    /** Stops it, and waits until it is gone. */
    async stop(): Promise<void> {
        if (this.#process && this.#process.exitCode === null) {
            const gone = once(this.#process, "exit");
            this.#process.kill("SIGTERM");
            await gone;
        }
    }

    async end(): Promise<void> {
        await this.stop();
        rmSync(this.#folder, { recursive: true, force: true });
    }
}

async function freePort(): Promise<number> {
    const listener = createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    const { port } = listener.address() as AddressInfo;
    listener.close();
    await once(listener, "close");
    return port;
}
