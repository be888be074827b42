//! What processes cost, by /proc.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const TICKS = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Seconds of CPU that the process has used, and those of its ended children. */
function times(id) {
    const text = readFileSync(`/proc/${id}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ").map(Number);
    const [own, children] = [fields[11] + fields[12], fields[13] + fields[14]];
    return { parent: fields[1], own: own / TICKS, children: children / TICKS };
}

/** Seconds of CPU of one process with all its threads. */
export function ofProcess(id) {
    return times(id).own;
}

/** Seconds of CPU of a postmaster and of all processes that it has started. */
export function ofFamily(id) {
    const { own, children } = times(id);
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).reduce((sum, name) => {
        try {
            const child = times(name);
            return child.parent === id ? sum + child.own : sum;
        } catch (error) {
            // It has ended since the folder was read.
            if (error.code !== "ENOENT" && error.code !== "ESRCH") throw error;
            return sum;
        }
    }, own + children);
}

/** Seconds of CPU of everything on this machine. */
export function ofMachine() {
    const [line] = readFileSync("/proc/stat", "utf8").split("\n", 1);
    const [user, nice, system, , , interrupts, soft, stolen] = line.split(/\s+/).slice(1).map(Number);
    return (user + nice + system + interrupts + soft + stolen) / TICKS;
}
