//! The programs that are measured, and how they come and go.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const PATIENCE = 120_000;
const running = new Set();

// Nothing that was started outlives this process, unless it is killed.
process.on("exit", () => running.forEach((child) => child.kill()));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

/** Starts a program and waits until a line of its output has what is looked for: `[child, match]`. */
export async function start(program, words, pattern, environment = {}) {
    const child = spawn(program, words, {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, NODE_ENV: "production", ...environment },
    });
    running.add(child);
    child.once("exit", () => running.delete(child));
    const found = new Promise((resolve, reject) => {
        createInterface({ input: child.stdout }).on("line", (line) => {
            const match = pattern.exec(line);
            if (match) resolve(match);
        });
        child.once("error", reject);
        child.once("exit", (code) => reject(new Error(`${program} has ended with ${code}`)));
        setTimeout(() => reject(new Error(`${program} does not begin`)), PATIENCE).unref();
    });
    return [child, await found];
}

/** Asks a program to end, or ends it by another signal, and waits for it. */
export async function end(child, signal = "SIGTERM") {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
}
