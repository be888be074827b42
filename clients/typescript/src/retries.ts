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

/** The pause before this retry, counted from 0, in milliseconds; `null` where it is not to be made. */
export function pauseBefore(retries: Retries, retry: number, askedSeconds: number | null): number | null {
    if (retry >= retries.most) {
        return null;
    }
    const own = Math.min(retries.firstPause * 2 ** retry, retries.longestPause) * (0.5 + Math.random() / 2);
    if (askedSeconds === null) {
        return own;
    }
    // Those who were turned away together do not come back together.
    return askedSeconds * 1_000 <= retries.longestPause ? askedSeconds * 1_000 + own : null;
}

/** Waits, unless told to stop. */
export function pause(milliseconds: number, signal: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
        const stop = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
        }, milliseconds);
        if (signal?.aborted) {
            stop();
        }
        signal?.addEventListener("abort", stop, { once: true });
    });
}
