import { createHash, createHmac } from "node:crypto";

import type { Board, Event, Proof, Seat } from "../src/index.js";
import { cellsOf, indexOf, nameOf } from "../src/cells.js";

const hash = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();

/** The proof that a server gives of an event, made by the table of `docs/proof.md`. */
export function prove(
    event: Extract<Event, { type: "fired" | "revealed" }>,
    boards: Record<Seat, Board>,
    grid: number,
): Proof {
    const other = event.seat === "host" ? "guest" : "host";
    const seat = event.type === "fired" ? other : event.seat;
    const { ships, mines, salt } = boards[seat];
    const taken = new Set(ships.flatMap(cellsOf));
    const words = ["water", "ship", "mine"] as const;
    const cells = Array.from({ length: grid * grid }, (_, index) => {
        const cell = nameOf(index % grid, Math.floor(index / grid));
        const content = taken.has(cell) ? 1 : mines.includes(cell) ? 2 : 0;
        const message = Buffer.from([...Buffer.from("naval-battle/cell/1"), index]);
        const salted = createHmac("sha256", Buffer.from(salt ?? "", "hex"))
            .update(message)
            .digest();
        return { content, salted, leaf: hash(Buffer.from([0, index, content]), salted) };
    });
    let level: Buffer[] = cells.map(({ leaf }) => leaf);
    while (level.length & (level.length - 1)) {
        level.push(Buffer.alloc(32));
    }
    const levels = [level];
    while (level.length > 1) {
        level = level.flatMap((left, at) => (at % 2 ? [] : [hash(Buffer.from([1]), left, level[at + 1] ?? left)]));
        levels.push(level);
    }
    const named = event.type === "fired" ? event.shots.map(({ cell }) => cell) : event.cells;
    return {
        seq: event.seq,
        seat,
        root: (level[0] ?? Buffer.alloc(0)).toString("hex"),
        cells: named.map((cell) => {
            const index = indexOf(cell, grid) ?? 0;
            const path = levels
                .slice(0, -1)
                .map((level, depth) => (level[(index >> depth) ^ 1] ?? Buffer.alloc(0)).toString("hex"));
            const { content, salted } = cells[index] ?? { content: 0, salted: Buffer.alloc(0) };
            return { cell, content: words[content] ?? "water", salt: salted.toString("hex"), path };
        }),
    };
}
