/** Holds one state and calls whoever listens once after each change, or several changes of one moment. */
export class Store<S extends object> {
    #state: S;
    #isDue = false;
    readonly #listeners = new Set<(state: S) => void>();

    constructor(state: S) {
        this.#state = state;
    }

    get state(): S {
        return this.#state;
    }

    /** Changes some of it. */
    set(change: Partial<S>): void {
        this.#state = { ...this.#state, ...change };
        if (!this.#isDue) {
            this.#isDue = true;
            queueMicrotask(() => {
                this.#isDue = false;
                for (const listener of this.#listeners) {
                    listener(this.#state);
                }
            });
        }
    }

    listen(listener: (state: S) => void): void {
        this.#listeners.add(listener);
    }
}
