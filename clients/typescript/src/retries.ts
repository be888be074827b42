/**
 * How often a request is sent again whose answer was lost, or that the server could not take. It is the same
 * request with the same `Idempotency-Key`, so it has one effect and one reply, however often it is sent.
 */
export interface Retries {
    /** How often at most; 0 for never. */
    readonly most: number;
    /** The pause before the first one, in milliseconds. Each further pause is twice as long; all are jittered. */
    readonly firstPause: number;
    /** The longest pause, in milliseconds. A server that asks for a longer one is not asked again. */
    readonly longestPause: number;
}

export const DEFAULT_RETRIES: Retries = { most: 5, firstPause: 100, longestPause: 10_000 };

/** The longest pause of what goes on until it is told to stop, in milliseconds. */
const LONGEST_OF_A_STREAM = 30_000;

/** The pause before this retry, counted from 0, in milliseconds; `null` where it is not to be made. */
export function pauseBefore(retries: Retries, retry: number, askedSeconds: number | null): number | null {
    if (retry >= retries.most) {
        return null;
    }
    const own = doubled(retries.firstPause, retry, retries.longestPause);
    if (askedSeconds === null) {
        return own;
    }
    // Those who were turned away together do not come back together.
    return askedSeconds * 1_000 <= retries.longestPause ? askedSeconds * 1_000 + own : null;
}

/** The pause before a stream is opened again, in milliseconds: there is always a next time. */
export function pauseOfStream(retries: Retries, retry: number, askedSeconds: number | null): number {
    return (askedSeconds ?? 0) * 1_000 + doubled(retries.firstPause, retry, LONGEST_OF_A_STREAM);
}

function doubled(first: number, retry: number, longest: number): number {
    return Math.min(first * 2 ** retry, longest) * (0.5 + Math.random() / 2);
}
