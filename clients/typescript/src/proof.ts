import { canonical, hex, hmac, joined, unhex, utf8 } from "./bytes.js";
import type { SaltedLayout } from "./boards.js";
import { across, cellsOf, indexOf, nameOf } from "./cells.js";
import type { Event, Options, Proof, Seat } from "./shapes.js";
import { sha256 as platformSha256, type Sha256 } from "./sha256.js";

/** What a proof is checked with. */
export interface Proving {
    /** The event whose answers it is to prove: without it, it is checked that the cells hold what the proof says. */
    readonly event?: Event;
    readonly sha256?: Sha256;
}

const CONTENTS = ["water", "ship", "mine"] as const;
const NO_LEAF = new Uint8Array(32);

/**
 * Whether a proof of one answer is true: each cell's way leads to the root, the root to the commitment of that seat,
 * which stands in its `placed`, and, where the event is given, the cells are those of its answers and hold what it
 * says.
 */
export async function verifyProof(
    proof: Proof,
    commitment: string,
    gameId: string,
    options: Options,
    { event, sha256 = platformSha256 }: Proving = {},
): Promise<boolean> {
    if (proof.cells.length === 0 || (event !== undefined && !isOf(proof, event))) {
        return false;
    }
    if ((await committed(sha256, gameId, options, proof.seat, proof.root)) !== commitment) {
        return false;
    }
    for (const { cell, content, salt, path } of proof.cells) {
        const index = isCell(cell) ? indexOf(cell, options.grid) : null;
        const isHash = [salt, ...path].every((text) => /^[0-9a-f]{64}$/.test(text));
        if (index === null || !isHash || 2 ** path.length !== leavesOf(options.grid)) {
            return false;
        }
        let node = await leaf(sha256, index, CONTENTS.indexOf(content), unhex(salt));
        for (const [level, beside] of path.entries()) {
            const isRight = Math.floor(index / 2 ** level) % 2 === 1;
            const [left, right] = isRight ? [unhex(beside), node] : [node, unhex(beside)];
            node = await sha256(joined([1], left, right));
        }
        if (hex(node) !== proof.root) {
            return false;
        }
    }
    return true;
}

/** The commitment to a layout: 64 hex digits. */
export async function commitmentTo(
    layout: SaltedLayout,
    gameId: string,
    options: Options,
    seat: Seat,
    sha256: Sha256 = platformSha256,
): Promise<string> {
    const ships = new Set(layout.ships.flatMap(cellsOf));
    const mines = new Set(layout.mines ?? []);
    const salt = unhex(layout.salt);
    const leaves = Array.from({ length: leavesOf(options.grid) }, async (_, index) => {
        if (index >= options.grid ** 2) {
            return NO_LEAF;
        }
        const cell = nameOf(index % options.grid, Math.floor(index / options.grid));
        const content = ships.has(cell) ? 1 : mines.has(cell) ? 2 : 0;
        return leaf(sha256, index, content, await hmac(sha256, salt, joined(utf8("naval-battle/cell/1"), [index])));
    });
    let level = await Promise.all(leaves);
    while (level.length > 1) {
        const pairs = Array.from({ length: level.length / 2 }, (_, pair) => level.slice(2 * pair, 2 * pair + 2));
        level = await Promise.all(pairs.map((pair) => sha256(joined([1], ...pair))));
    }
    return committed(sha256, gameId, options, seat, hex(level[0] ?? NO_LEAF));
}

/** Whether a proof is one of this event's answers, and says the same as they do. */
function isOf(proof: Proof, event: Event): boolean {
    if (proof.seq !== event.seq) {
        return false;
    }
    const told = new Map(proof.cells.map(({ cell, content }) => [cell, content]));
    if (event.type === "revealed") {
        const isWhole = told.size === event.cells.length && proof.cells.length === told.size;
        return proof.seat === event.seat && isWhole && event.cells.every((cell) => told.get(cell) === "ship");
    }
    if (event.type !== "fired" || proof.seat !== across(event.seat)) {
        return false;
    }
    const isWhole = told.size === event.shots.length && proof.cells.length === told.size;
    const holds = { miss: "water", hit: "ship", sunk: "ship", mine: "mine" } as const;
    return isWhole && event.shots.every(({ cell, outcome }) => told.get(cell) === holds[outcome]);
}

async function leaf(sha256: Sha256, index: number, content: number, salt: Uint8Array): Promise<Uint8Array> {
    return sha256(joined([0, index, content], salt));
}

async function committed(sha256: Sha256, game: string, options: Options, seat: Seat, root: string): Promise<string> {
    const { grid, fleet, mines, salvo, shoot_again, first, turn_seconds } = options;
    const all = { grid, fleet, mines, salvo, shoot_again, first, turn_seconds };
    return hex(await sha256(utf8(canonical({ game, options: all, root, seat }))));
}

/** How many leaves a tree has: the next power of two from the number of cells on. */
function leavesOf(grid: number): number {
    return 2 ** Math.ceil(Math.log2(grid ** 2));
}

function isCell(text: string): boolean {
    return /^[A-O]([1-9]|1[0-5])$/.test(text);
}
