/**
 * A signal that ends with another one, or when it is told to, or after a time. It needs neither `AbortSignal.any` nor
 * `AbortSignal.timeout`, which React Native and browsers before 2024 lack.
 */
export class Patience {
    readonly #control = new AbortController();
    readonly #outer: AbortSignal | null;
    readonly #stop = () => this.end();
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(outer?: AbortSignal | null) {
        this.#outer = outer ?? null;
        if (this.#outer?.aborted) {
            this.end();
        }
        this.#outer?.addEventListener("abort", this.#stop);
    }

    get signal(): AbortSignal {
        return this.#control.signal;
    }

    /** From now on so many milliseconds are left. */
    lasts(milliseconds: number): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(this.#stop, milliseconds);
    }

    /** Ends whatever goes on under the signal. */
    end(): void {
        this.leave();
        this.#control.abort();
    }

    /** Leaves nothing behind: neither a timer nor a listener. */
    leave(): void {
        clearTimeout(this.#timer);
        this.#outer?.removeEventListener("abort", this.#stop);
    }
}

/** Throws the reason of a signal that has ended. */
export function stopIfEnded(signal: AbortSignal | null | undefined): void {
    if (signal?.aborted) {
        throw reasonOf(signal);
    }
}

/** Why a signal ended, also where the platform does not keep it. */
export function reasonOf(signal: AbortSignal): unknown {
    const { reason } = signal as { reason?: unknown };
    return reason ?? Object.assign(new Error("it was aborted"), { name: "AbortError" });
}

/** Waits, unless told to stop. */
export function pause(milliseconds: number, signal: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
        if (signal?.aborted) {
            reject(reasonOf(signal));
            return;
        }
        const stop = () => {
            clearTimeout(timer);
            reject(reasonOf(signal as AbortSignal));
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
        }, milliseconds);
        signal?.addEventListener("abort", stop, { once: true });
    });
}
