import type { AnswerOf, BodyOf, PathOf, QueryOf } from "./document.js";
import { NoAnswer, parsed } from "./errors.js";
import { feed, follow, type FeedOptions, type FollowOptions } from "./follow.js";
import type {
    Analysis,
    Cell,
    Chances,
    Creation,
    Event,
    Eyes,
    FeedEvent,
    Game,
    Glance,
    Joining,
    Layout,
    Lobby,
    Log,
    Progress,
    Proof,
    Rules,
    Seat,
    Seating,
    Verification,
} from "./shapes.js";
import { Transport, type About, type TransportOptions } from "./transport.js";

/** A server of Naval Battle. */
export class NavalBattle {
    readonly #transport: Transport;

    /** The server at an address such as `http://127.0.0.1:8080`; a path in it stands before every path of the API. */
    constructor(address: string | URL, options: TransportOptions = {}) {
        this.#transport = new Transport(address, options);
    }

    /** Creates a game and takes the host's seat; with a `key` of one's own, it can be asked for again. */
    async create(creation: Creation = {}, { key }: Keyed = {}): Promise<Player> {
        return Player.of(this.#transport, await this.#transport.post("/v1/games", keyed(key), creation));
    }

    /** The games that their hosts offer to strangers, newest first; `next` goes into `after` of the next page. */
    list(page: QueryOf<"/v1/games"> = {}): Promise<Lobby> {
        return this.#transport.get("/v1/games", {}, page);
    }

    /** A game as a spectator sees it; whoever comes first may join it. */
    table(id: string): Table {
        return new Table(this.#transport, id);
    }

    /** A seat that was taken before, by what was kept of it. */
    seat(id: string, seat: Seat, token: string): Player {
        return new Player(this.#transport, id, seat, token);
    }

    /** Where games stand, 1 to 50 of them, through the seats that the tokens open; `null` for one that is not there. */
    async status(games: readonly { id: string; token?: string }[]): Promise<(Glance | null)[]> {
        return (await this.#transport.post("/v1/games/status", {}, { games: [...games] })).games;
    }

    /** Follows several games live, 1 to 50, by one stream: every event of each once, until all have ended. */
    feed(games: readonly string[], options: FeedOptions = {}): AsyncGenerator<FeedEvent, void, undefined> {
        return feed(this.#transport, games, options);
    }

    /** A legal layout, each as likely as any other; with a `seed` always the same one. */
    randomLayout(wanted: BodyOf<"/v1/layouts/random"> = {}): Promise<AnswerOf<"/v1/layouts/random", "post">> {
        return this.#transport.post("/v1/layouts/random", {}, wanted);
    }

    /** What is wrong with a layout, and where one more mine could lie. */
    checkLayout(layout: BodyOf<"/v1/layouts/check">): Promise<AnswerOf<"/v1/layouts/check", "post">> {
        return this.#transport.post("/v1/layouts/check", {}, layout);
    }

    /** The rules of the game. */
    rules(): Promise<Rules> {
        return this.#transport.get("/v1/rules");
    }
}

/** The most events of an answer. */
const MOST_EVENTS = 500;

/** How to ask for a seat. */
export interface Keyed {
    /**
     * The `Idempotency-Key`, out of `newKey()`: whoever asks again with the same one gets the same seat, also after
     * the program was started anew. It is as secret as the token that it brings back.
     */
    readonly key?: string;
}

/** How to join. */
export interface Joins extends Keyed {
    /** Only while the game is at this version. */
    readonly version?: number;
}

/** How to look. */
export interface Looking {
    /** The tag of what one has seen, as `tag()` gives it: there is nothing to see while it is the same. */
    readonly tag?: string;
    /** Seconds to wait for something else than the tag is of, 0 to 25. */
    readonly wait?: number;
}

/** A game as anybody gets it, byte for byte: what `naval-battle verify GAME.json EVENTS.json` takes. */
export interface Download {
    readonly game: string;
    readonly events: string;
}

/** Which part of a log to read. */
export interface Stretch {
    /** Only events with a greater `seq`. */
    readonly after?: number;
    /** At most so many, 1 to 500. */
    readonly limit?: number;
    /** Seconds to wait while there is nothing, 0 to 25. */
    readonly wait?: number;
}

/** A game, from beside the table. */
export class Table {
    readonly #transport: Transport;
    readonly #about: About;
    readonly #eyes: Seat | "spectator";

    constructor(
        transport: Transport,
        /** The game's id, which is also the link to share. */
        readonly id: string,
        seat?: Seat,
        token?: string,
    ) {
        this.#transport = transport;
        this.#about = token === undefined ? { game: id } : { game: id, token };
        this.#eyes = seat ?? "spectator";
    }

    /** Takes the guest's seat: with a `version` only while the game is at it, with a `key` so that one may ask again. */
    async join(joining: Joining = {}, how: number | Joins = {}): Promise<Player> {
        const { version, key } = typeof how === "number" ? { version: how } : how;
        return this.taken(await this.post("/v1/games/{game_id}/join", joining, version, keyed(key)));
    }

    /** The game as one may see it. */
    look(): Promise<Game>;
    /** The game as one may see it, once it is another one than the tag is of; `null` where it stayed the same. */
    look(looking: Looking): Promise<Game | null>;
    async look({ tag, wait }: Looking = {}): Promise<Game | null> {
        const about = { ...this.#about, wait: wait ?? 0, ...(tag === undefined ? {} : { ifNoneMatch: tag }) };
        const { status, text } = await this.#transport.ask("GET", "/v1/games/{game_id}", about, { wait });
        return status === 304 ? null : (parsed(text, status) as Game);
    }

    /** The tag of what one would see, such as `"9-host"`: it changes with every event, and once there is a rematch. */
    async tag(): Promise<string> {
        const path = "/v1/games/{game_id}";
        const { tag } = await this.#transport.ask("HEAD", path, this.#about).catch((failure: unknown) => {
            if (failure instanceof NoAnswer && failure.status !== null) {
                // Why it is refused is said to `GET` alone.
                return this.#transport.ask("GET", path, this.#about);
            }
            throw failure;
        });
        if (tag === null) {
            throw new NoAnswer("an answer without a tag", null);
        }
        return tag;
    }

    /** The game and its whole log as anybody gets them, byte for byte; a log of more than 500 events in pages. */
    async download(): Promise<Download> {
        const about = { game: this.id };
        const game = await this.#transport.ask("GET", "/v1/games/{game_id}", about);
        const { version } = parsed(game.text, game.status) as Game;
        const pages: string[] = [];
        for (let after = 0; after < version; after += MOST_EVENTS) {
            // No event that came since the game was read.
            const stretch = { after, limit: Math.min(version - after, MOST_EVENTS) };
            pages.push((await this.#transport.ask("GET", "/v1/games/{game_id}/events", about, stretch)).text);
        }
        return { game: game.text, events: pages.join("\n") };
    }

    /** A proof that the cells of this `fired` or `revealed` hold what was said; see `verifyProof`. */
    proof(seq: number): Promise<Proof> {
        return this.#transport.get("/v1/games/{game_id}/events/{seq}/proof", { ...this.#about, seq });
    }

    /** How well and how luckily each side has played, once the game is finished. */
    analysis(): Promise<Analysis>;
    /** What the seat that fired could reckon before that event. */
    analysis(seq: number): Promise<Chances>;
    analysis(seq?: number): Promise<Analysis | Chances> {
        return seq === undefined
            ? this.#transport.get("/v1/games/{game_id}/analysis", this.#about)
            : this.#transport.get("/v1/games/{game_id}/analysis/{seq}", { ...this.#about, seq });
    }

    /** The game right after an event, the last one by default, through one's own eyes or these. */
    replay(moment: { upto?: number; as?: Eyes } = {}): Promise<Game> {
        return this.get("/v1/games/{game_id}/replay", moment);
    }

    /** What the server finds when it checks the game. */
    verify(): Promise<Verification> {
        return this.get("/v1/games/{game_id}/verify");
    }

    /** A part of the log. */
    events(stretch: Stretch = {}): Promise<Log> {
        return this.get("/v1/games/{game_id}/events", stretch, { wait: stretch.wait ?? 0 });
    }

    /** Follows the game live: every event once, in order, up to the last one of the game. */
    follow(options: FollowOptions = {}): AsyncGenerator<Event, void, undefined> {
        return follow(this.#transport, this.#about, options);
    }

    /** Whoever was given a seat by the same server. */
    protected taken(seating: Seating): Player {
        return Player.of(this.#transport, seating);
    }

    /** Reads something of this game. */
    protected get<P extends PathOf<"get">>(
        path: P,
        query?: QueryOf<P>,
        how: About = {},
    ): Promise<AnswerOf<P, "get">> {
        return this.#transport.get(path, { ...this.#about, ...how }, query);
    }

    /** Does something in this game; with a `version` only while the game is at it. */
    protected post<P extends PathOf<"post">>(
        path: P,
        body: BodyOf<P>,
        version?: number,
        how: About = {},
    ): Promise<AnswerOf<P, "post">> {
        const condition = version === undefined ? {} : { ifMatch: `"${version}-${this.#eyes}"` };
        return this.#transport.post(path, { ...this.#about, ...condition, ...how }, body);
    }
}

/**
 * A seat in a game. Each move takes a `version` as well: it then counts only while the game is at it, and is else
 * refused as `stale_version`.
 */
export class Player extends Table {
    readonly #token: string;

    constructor(
        transport: Transport,
        id: string,
        readonly seat: Seat,
        token: string,
    ) {
        super(transport, id, seat, token);
        this.#token = token;
    }

    /** Whoever was given this seat. */
    static of(transport: Transport, { seat, token, game }: Seating): Player {
        return new Player(transport, game.id, seat, token);
    }

    /** The seat's secret, for whoever keeps it: it opens this seat. */
    get token(): string {
        return this.#token;
    }

    /** Hides ships and mines, for good. */
    place(layout: Layout, version?: number): Promise<Progress> {
        return this.post("/v1/games/{game_id}/place", layout, version);
    }

    /** Fires at cells of the other side: one, with Salvo as many as are awaited. */
    fire(shots: Cell[], version?: number): Promise<Progress> {
        return this.post("/v1/games/{game_id}/fire", { shots }, version, { ofATurn: true });
    }

    /** Gives away cells of one's own ships: as many as are awaited. */
    reveal(cells: Cell[], version?: number): Promise<Progress> {
        return this.post("/v1/games/{game_id}/reveal", { cells }, version, { ofATurn: true });
    }

    /** The same seat of another game between the same players, once this one has ended. */
    async rematch(): Promise<Player> {
        return this.taken(await this.post("/v1/games/{game_id}/rematch", {}));
    }

    /** Gives up. */
    resign(version?: number): Promise<Progress> {
        return this.post("/v1/games/{game_id}/resign", {}, version);
    }
}

function keyed(key: string | undefined): About {
    return key === undefined ? {} : { key };
}
