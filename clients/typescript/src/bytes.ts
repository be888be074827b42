import type { Sha256 } from "./sha256.js";

/** The text of a value as RFC 8785 writes JSON: keys sorted by their UTF-16 units, no spaces. */
export function canonical(value: unknown): string {
    return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
    if (Array.isArray(value)) {
        return value.map(sorted);
    }
    if (typeof value !== "object" || value === null) {
        return value;
    }
    // Keys that are numbers would come first whatever the order, so no object is made of them.
    const keys = Object.keys(value).sort();
    if (keys.some((key) => /^\d+$/.test(key) || key === "__proto__")) {
        throw new RangeError("a member with a name that none of the API's has");
    }
    return Object.fromEntries(keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]));
}

export function utf8(text: string): Uint8Array {
    return new TextEncoder().encode(text);
}

export function joined(...parts: (Uint8Array | readonly number[])[]): Uint8Array {
    return Uint8Array.from(parts.flatMap((part) => [...part]));
}

export function hex(bytes: Uint8Array): string {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The 32 bytes of 64 lower-case hex digits. */
export function unhex(text: string): Uint8Array {
    if (!/^[0-9a-f]{64}$/.test(text)) {
        throw new RangeError("no 64 hex digits");
    }
    return Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}

/** HMAC-SHA-256 with a key of 32 bytes (RFC 2104). */
export async function hmac(sha256: Sha256, key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
    const block = (mask: number) => Array.from({ length: 64 }, (_, index) => (key[index] ?? 0) ^ mask);
    return sha256(joined(block(0x5c), await sha256(joined(block(0x36), message))));
}
