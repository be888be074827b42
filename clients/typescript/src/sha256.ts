/** SHA-256 of some bytes: 32 bytes, now or later. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** The platform's SHA-256, or the one below where it has none: pages of plain HTTP have none, nor has React Native. */
export const sha256: Sha256 = (bytes) => {
    const subtle = (globalThis as { crypto?: Partial<Crypto> }).crypto?.subtle;
    return subtle
        ? subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>).then((hash) => new Uint8Array(hash))
        : plainSha256(bytes);
};

/** The first 32 bits of the fraction of a root of each of the first primes (FIPS 180-4 §4.2.2, §5.3.3). */
function fractions(count: number, root: (prime: number) => number): number[] {
    const primes: number[] = [];
    for (let number = 2; primes.length < count; number += 1) {
        if (primes.every((prime) => number % prime !== 0)) {
            primes.push(number);
        }
    }
    return primes.map((prime) => ((root(prime) % 1) * 2 ** 32) | 0);
}

const CONSTANTS = fractions(64, Math.cbrt);
const START = fractions(8, Math.sqrt);

/** SHA-256 (FIPS 180-4 §6.2) without a platform. */
export function plainSha256(bytes: Uint8Array): Uint8Array {
    // The message, one bit, zeros, and its length in bits at the end of a block of 64 bytes.
    const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
    const state = Int32Array.from(START);
    for (let start = 0; start < padded.length; start += 64) {
        mixIn(state, view, start);
    }
    const hash = new DataView(new ArrayBuffer(32));
    state.forEach((word, index) => hash.setInt32(index * 4, word));
    return new Uint8Array(hash.buffer);
}

function mixIn(state: Int32Array, view: DataView, start: number): void {
    const schedule = new Int32Array(64);
    const at = (index: number) => schedule[index] ?? 0;
    for (let index = 0; index < 64; index += 1) {
        const [near, far] = [at(index - 2), at(index - 15)];
        const small = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
        const large = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
        schedule[index] =
            index < 16 ? view.getInt32(start + index * 4) : at(index - 16) + small + at(index - 7) + large;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let index = 0; index < 64; index += 1) {
        const choice = (e & f) ^ (~e & g);
        const majority = (a & b) ^ (a & c) ^ (b & c);
        const one =
            (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (CONSTANTS[index] ?? 0) + at(index)) | 0;
        const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = (state[index] ?? 0) + word));
}

function turned(word: number, bits: number): number {
    return (word >>> bits) | (word << (32 - bits));
}
