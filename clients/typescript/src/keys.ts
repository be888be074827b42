/** Gives so many random bytes that nobody can guess. */
export type RandomBytes = (count: number) => Uint8Array;

/** How many bytes a key has: of them hex makes 48 characters, and 32 are the least that a server takes. */
const LENGTH = 24;

/**
 * A key that nobody else has. On create and join it is as secret as the token that it brings back, so where the
 * platform has no `crypto` the random bytes are to be given.
 */
export function newKey(random: RandomBytes = platformBytes): string {
    const bytes = random(LENGTH);
    if (bytes.length !== LENGTH) {
        throw new RangeError(`\`random\` was asked for ${LENGTH} bytes and gave ${bytes.length}`);
    }
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function platformBytes(count: number): Uint8Array {
    const platform = (globalThis as { crypto?: Crypto }).crypto;
    if (typeof platform?.getRandomValues !== "function") {
        throw new Error(
            "this platform has no `crypto.getRandomValues`: give the option `random`, a function that gives so many " +
                "random bytes as it is asked for, such as `getRandomBytes` of expo-crypto",
        );
    }
    return platform.getRandomValues(new Uint8Array(count));
}
