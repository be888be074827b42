import { parsed } from "./errors.js";
import { listen, outlive, type ListenOptions, type Place, type Source } from "./listen.js";
import type { Event, FeedEvent } from "./shapes.js";
import type { About, Transport } from "./transport.js";

/** Where to begin, and when to stop. */
export interface FollowOptions extends ListenOptions {
    /** Only events with a greater `seq`; 0, which is all of them, by default. */
    readonly after?: number;
}

/** Where to begin with several games, and when to stop. */
export interface FeedOptions extends ListenOptions {
    /** For each game the last `seq` that one has; where they stand now by default. */
    readonly after?: readonly number[];
}

/** Follows a game live: every event once, in order, up to the last one of the game. */
export function follow(
    transport: Transport,
    about: About,
    { after = 0, ...options }: FollowOptions,
): AsyncGenerator<Event, void, undefined> {
    return listen(transport, new OneGame(transport, about, after), options);
}

/** Follows several games live by one stream: every event of each game once, in its order, until all have ended. */
export async function* feed(
    transport: Transport,
    games: readonly string[],
    { after, ...options }: FeedOptions,
): AsyncGenerator<FeedEvent, void, undefined> {
    if (games.length === 0) {
        return;
    }
    // A stream that broke before its first event would not know where it began.
    const reached = after ?? (await outlive(transport, options.signal, () => versions(transport, games, options)));
    if (reached === null) {
        return;
    }
    yield* listen(transport, new ManyGames(transport, games, reached), options);
}

/** Where games stand; `null` where all have ended. */
async function versions(
    transport: Transport,
    games: readonly string[],
    { signal }: ListenOptions,
): Promise<readonly number[] | null> {
    const about = signal ? { signal } : {};
    const { status, text } = await transport.ask("GET", "/v1/feed", about, { games: games.join(",") });
    return status === 204 ? null : numbers((parsed(text, status) as { after: string }).after);
}

function numbers(after: string): number[] {
    return after.split(".").map(Number);
}

class OneGame implements Source<Event> {
    readonly path = "/v1/games/{game_id}/events";
    readonly query = {};
    readonly page = { limit: 500 };
    #last: number;
    #isOver = false;

    constructor(
        readonly transport: Transport,
        readonly about: About,
        after: number,
    ) {
        this.#last = after;
    }

    reached(): string {
        return String(this.#last);
    }

    take(event: Event): Place {
        const place = placeOf(event.seq, this.#last);
        if (place === "next") {
            this.#last = event.seq;
            this.#isOver = event.result !== undefined;
        }
        return place;
    }

    isOver(): boolean {
        return this.#isOver;
    }

    end(): void {
        this.#isOver = true;
    }

    async settle(about: About): Promise<void> {
        const game = await this.transport.get("/v1/games/{game_id}", { ...about, ...this.about });
        this.#isOver = game.result !== null && game.version <= this.#last;
    }
}

class ManyGames implements Source<FeedEvent> {
    readonly about: About = {};
    readonly path = "/v1/feed";
    readonly query: { readonly games: string };
    readonly page = {};
    readonly #games: readonly string[];
    readonly #reached: Map<string, number>;
    readonly #ended = new Set<string>();

    constructor(
        readonly transport: Transport,
        games: readonly string[],
        reached: readonly number[],
    ) {
        if (games.length !== reached.length) {
            throw new RangeError(`${games.length} games and ${reached.length} numbers to go on from`);
        }
        this.#games = games;
        this.#reached = new Map(games.map((game, index) => [game, reached[index] ?? 0]));
        this.query = { games: games.join(",") };
    }

    reached(): string {
        return this.#games.map((game) => this.#reached.get(game)).join(".");
    }

    take(event: FeedEvent): Place {
        const place = placeOf(event.seq, this.#reached.get(event.game) ?? Infinity);
        if (place === "next") {
            this.#reached.set(event.game, event.seq);
            if (event.result !== undefined) {
                this.#ended.add(event.game);
            }
        }
        return place;
    }

    isOver(): boolean {
        return this.#ended.size === this.#reached.size;
    }

    end(): void {
        this.#games.forEach((game) => this.#ended.add(game));
    }

    async settle(about: About): Promise<void> {
        const games = this.#games.map((id) => ({ id }));
        const found = await this.transport.post("/v1/games/status", about, { games });
        for (const game of found.games) {
            const hasEnded = game?.status === "finished" || game?.status === "aborted";
            if (game && hasEnded && game.version <= (this.#reached.get(game.id) ?? Infinity)) {
                this.#ended.add(game.id);
            }
        }
    }
}

function placeOf(seq: number, last: number): Place {
    return seq <= last ? "had" : seq === last + 1 ? "next" : "later";
}
