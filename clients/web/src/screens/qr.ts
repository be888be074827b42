/**
 * QR codes (ISO/IEC 18004) of bytes, with error correction of level M, in versions 1 to 15: up to 412 bytes, which is
 * more than a link has.
 */

/** Error correction bytes a block, and blocks, by version from 1. */
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10];

/** The dark modules of a code, row by row. */
export function code(text: string): boolean[][] {
    const bytes = new TextEncoder().encode(text);
    const version = BLOCKS.findIndex((_, index) => bytes.length <= capacity(index + 1)) + 1;
    if (version === 0) {
        throw new RangeError(`${bytes.length} bytes are too many for a code`);
    }
    const blank = new Sheet(version);
    blank.write(interleaved(padded(bytes, version), version));
    const masked = Array.from({ length: 8 }, (_, mask) => blank.masked(mask));
    return masked.reduce((best, other) => (other.penalty < best.penalty ? other : best)).rows;
}

/** Modules that hold data, error correction and what is left over. */
function modules(version: number): number {
    const patterns = Math.floor(version / 7) + 2;
    const raw = (16 * version + 128) * version + 64;
    return version === 1 ? raw : raw - (25 * patterns - 10) * patterns + 55 - (version >= 7 ? 36 : 0);
}

function dataBytes(version: number): number {
    return Math.floor(modules(version) / 8) - (CORRECTION[version - 1] ?? 0) * (BLOCKS[version - 1] ?? 0);
}

function capacity(version: number): number {
    return dataBytes(version) - (version < 10 ? 2 : 3);
}

/** The bytes with their mode, their count, and what fills the rest. */
function padded(bytes: Uint8Array, version: number): number[] {
    const bits = [0, 1, 0, 0];
    const put = (value: number, length: number) => {
        for (let bit = length - 1; bit >= 0; bit -= 1) {
            bits.push((value >>> bit) & 1);
        }
    };
    put(bytes.length, version < 10 ? 8 : 16);
    bytes.forEach((byte) => put(byte, 8));
    const room = dataBytes(version) * 8;
    put(0, Math.min(4, room - bits.length));
    put(0, (8 - (bits.length % 8)) % 8);
    for (let filler = 0xec; bits.length < room; filler ^= 0xec ^ 0x11) {
        put(filler, 8);
    }
    return Array.from({ length: room / 8 }, (_, index) =>
        bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0),
    );
}

/** Multiplies in the field of 256 elements, modulo x⁸ + x⁴ + x³ + x² + 1. */
function times(one: number, other: number): number {
    let product = 0;
    for (let bit = 7; bit >= 0; bit -= 1) {
        product = (product << 1) ^ ((product >>> 7) * 0x11d);
        product ^= ((other >>> bit) & 1) * one;
    }
    return product;
}

/** The remainder of Reed and Solomon. */
function remainder(data: readonly number[], degree: number): number[] {
    let divisor = [...Array.from({ length: degree - 1 }, () => 0), 1];
    let root = 1;
    for (let step = 0; step < degree; step += 1) {
        divisor = divisor.map((factor, index) => times(factor, root) ^ (divisor[index + 1] ?? 0));
        root = times(root, 2);
    }
    let result = Array.from({ length: degree }, () => 0);
    for (const byte of data) {
        const factor = byte ^ (result[0] ?? 0);
        result = [...result.slice(1), 0].map((value, index) => value ^ times(divisor[index] ?? 0, factor));
    }
    return result;
}

/** Data and correction of all blocks, in the order in which they are drawn. */
function interleaved(data: readonly number[], version: number): number[] {
    const blocks = BLOCKS[version - 1] ?? 1;
    const correction = CORRECTION[version - 1] ?? 0;
    const total = Math.floor(modules(version) / 8);
    const short = Math.floor(total / blocks) - correction;
    const shorts = blocks - (total % blocks);
    let from = 0;
    const parts = Array.from({ length: blocks }, (_, block) => {
        const part = data.slice(from, from + short + (block < shorts ? 0 : 1));
        from += part.length;
        return { part, rest: remainder(part, correction) };
    });
    const columns = (lists: number[][], length: number) =>
        Array.from({ length }, (_, index) =>
            lists.flatMap((list) => (index < list.length ? [list[index] ?? 0] : [])),
        ).flat();
    return [
        ...columns(
            parts.map(({ part }) => part),
            short + 1,
        ),
        ...columns(
            parts.map(({ rest }) => rest),
            correction,
        ),
    ];
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
    (x, y) => (x + y) % 2 === 0,
    (_, y) => y % 2 === 0,
    (x) => x % 3 === 0,
    (x, y) => (x + y) % 3 === 0,
    (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
    (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
    (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
    (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** A code while it is drawn. */
class Sheet {
    readonly size: number;
    readonly rows: boolean[][];
    /** Where something stands that is no data. */
    readonly #taken: boolean[][];

    constructor(readonly version: number) {
        this.size = version * 4 + 17;
        this.rows = Array.from({ length: this.size }, () => Array.from({ length: this.size }, () => false));
        this.#taken = this.rows.map((row) => [...row]);
        this.#patterns();
    }

    /** Draws data in columns of two, up and down, from the right. */
    write(bytes: readonly number[]): void {
        let bit = 0;
        for (let right = this.size - 1; right >= 1; right -= 2) {
            const column = right <= 6 ? right - 1 : right;
            const isUp = ((column + 1) & 2) === 0;
            for (let step = 0; step < this.size; step += 1) {
                for (const x of [column, column - 1]) {
                    const y = isUp ? this.size - 1 - step : step;
                    const row = this.rows[y];
                    if (row && !this.#taken[y]?.[x] && bit < bytes.length * 8) {
                        row[x] = (((bytes[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1;
                        bit += 1;
                    }
                }
            }
        }
    }

    /** The same under a mask, and how hard it is to read. */
    masked(mask: number): { rows: boolean[][]; penalty: number } {
        const sheet = new Sheet(this.version);
        this.rows.forEach((row, y) =>
            row.forEach((dark, x) => {
                const target = sheet.rows[y];
                if (target) {
                    target[x] = this.#taken[y]?.[x] ? dark : dark !== (MASKS[mask]?.(x, y) ?? false);
                }
            }),
        );
        sheet.#format(mask);
        return { rows: sheet.rows, penalty: penaltyOf(sheet.rows) };
    }

    #set(x: number, y: number, dark: boolean): void {
        const [row, taken] = [this.rows[y], this.#taken[y]];
        if (row && taken && x >= 0 && x < this.size) {
            row[x] = dark;
            taken[x] = true;
        }
    }

    #patterns(): void {
        for (let step = 0; step < this.size; step += 1) {
            this.#set(6, step, step % 2 === 0);
            this.#set(step, 6, step % 2 === 0);
        }
        for (const [x, y] of [
            [3, 3],
            [this.size - 4, 3],
            [3, this.size - 4],
        ] as const) {
            this.#square(x, y, 4, (distance) => distance !== 2 && distance !== 4);
        }
        const places = alignments(this.version);
        const last = places.length - 1;
        places.forEach((x, column) =>
            places.forEach((y, row) => {
                const isFinder =
                    (column === 0 && row === 0) || (column === 0 && row === last) || (column === last && row === 0);
                if (!isFinder) {
                    this.#square(x, y, 2, (distance) => distance !== 1);
                }
            }),
        );
        this.#format(0);
        if (this.version >= 7) {
            this.#versions();
        }
    }

    #square(x: number, y: number, reach: number, isDark: (distance: number) => boolean): void {
        for (let dy = -reach; dy <= reach; dy += 1) {
            for (let dx = -reach; dx <= reach; dx += 1) {
                this.#set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
            }
        }
    }

    /** The mask and the level M, twice. */
    #format(mask: number): void {
        let rest = mask;
        for (let step = 0; step < 10; step += 1) {
            rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
        }
        const bits = ((mask << 10) | rest) ^ 0x5412;
        const bit = (index: number) => ((bits >>> index) & 1) === 1;
        for (let index = 0; index < 15; index += 1) {
            const first: [number, number] =
                index < 6 ? [8, index] : index < 8 ? [8, index + 1] : index === 8 ? [7, 8] : [14 - index, 8];
            const second: [number, number] = index < 8 ? [this.size - 1 - index, 8] : [8, this.size - 15 + index];
            this.#set(...first, bit(index));
            this.#set(...second, bit(index));
        }
        this.#set(8, this.size - 8, true);
    }

    #versions(): void {
        let rest = this.version;
        for (let step = 0; step < 12; step += 1) {
            rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
        }
        const bits = (this.version << 12) | rest;
        for (let index = 0; index < 18; index += 1) {
            const [far, near] = [this.size - 11 + (index % 3), Math.floor(index / 3)];
            this.#set(far, near, ((bits >>> index) & 1) === 1);
            this.#set(near, far, ((bits >>> index) & 1) === 1);
        }
    }
}

/** Where the small squares stand. */
function alignments(version: number): number[] {
    if (version === 1) {
        return [];
    }
    const count = Math.floor(version / 7) + 2;
    const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
    const last = version * 4 + 10;
    return [6, ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step)];
}

/** How hard a code is to read: long runs, blocks, what looks like a corner, and too much of one colour. */
function penaltyOf(rows: readonly boolean[][]): number {
    const size = rows.length;
    const columns = rows.map((_, x) => rows.map((row) => row[x] ?? false));
    let penalty = 0;
    for (const line of [...rows, ...columns]) {
        const text = line.map(Number).join("");
        for (const run of text.match(/0{5,}|1{5,}/g) ?? []) {
            penalty += run.length - 2;
        }
        penalty += 40 * [...text.matchAll(/(?=00001011101|10111010000)/g)].length;
    }
    for (let y = 0; y + 1 < size; y += 1) {
        for (let x = 0; x + 1 < size; x += 1) {
            const dark = rows[y]?.[x];
            penalty += dark === rows[y]?.[x + 1] && dark === rows[y + 1]?.[x] && dark === rows[y + 1]?.[x + 1] ? 3 : 0;
        }
    }
    const share = rows.flat().filter(Boolean).length / size ** 2;
    return penalty + Math.floor(Math.abs(share - 0.5) * 20) * 10;
}
