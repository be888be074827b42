/** What a reply tells of the server's clock: when it was asked for and came by this one, and what the server's said. */
interface Sample {
    readonly asked: number;
    readonly came: number;
    readonly at: number;
}

/** Knows the server's time, in milliseconds, without trusting the clock of this machine. */
export class Clock {
    readonly #now: () => number;
    #samples: Sample[] = [];
    #heard: number | null = null;

    constructor(now: () => number = Date.now) {
        this.#now = now;
    }

    /** Takes the reply to a move: the event that it made is between the two. */
    answered(asked: number, came: number, at: string): void {
        this.#samples = [...this.#samples, { asked, came, at: Date.parse(at) }].slice(-5);
    }

    /** Takes an event that came as it happened. */
    heard(came: number, at: string): void {
        this.#heard = Date.parse(at) - came;
    }

    /** How far the server's clock is ahead, by the fastest of the last five moves, else by what was heard last. */
    get offset(): number {
        const [first, ...others] = this.#samples;
        if (first === undefined) {
            return this.#heard ?? 0;
        }
        const fastest = others.reduce(
            (one, other) => (other.came - other.asked < one.came - one.asked ? other : one),
            first,
        );
        return fastest.at - (fastest.asked + fastest.came) / 2;
    }

    /** Milliseconds until a time of the server; below 0 when it has passed. */
    left(until: string): number {
        return Date.parse(until) - this.#now() - this.offset;
    }
}

/** What a clock shows: `0:45`, `12:03`, `2:03:10`; from two days on the caller says days. */
export function digits(milliseconds: number): string {
    const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
    const two = (value: number) => String(value).padStart(2, "0");
    const hours = Math.floor(seconds / 3_600);
    const minutes = Math.floor(seconds / 60) % 60;
    return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Whether a clock warns: in the last fifth of its time, and in the last ten seconds. */
export function isShort(milliseconds: number, seconds: number): boolean {
    return milliseconds <= Math.max(seconds * 200, 10_000);
}
