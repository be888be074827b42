import { follow, type FollowOptions } from "./follow.js";
import type {
    Cell,
    Creation,
    Event,
    Eyes,
    Game,
    Joining,
    Layout,
    Lobby,
    Log,
    Progress,
    Rules,
    Seat,
    Seating,
    Verification,
} from "./shapes.js";
import {
    Transport,
    type About,
    type AnswerOf,
    type BodyOf,
    type PathOf,
    type QueryOf,
    type TransportOptions,
} from "./transport.js";

/** A server of Naval Battle. */
export class NavalBattle {
    readonly #transport: Transport;

    /** The server at an address such as `http://127.0.0.1:8080`; a path in it stands before every path of the API. */
    constructor(address: string | URL, options: TransportOptions = {}) {
        this.#transport = new Transport(address, options);
    }

    /** Creates a game and takes the host's seat. */
    async create(creation: Creation = {}): Promise<Player> {
        return Player.of(this.#transport, await this.#transport.post("/v1/games", {}, creation));
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

    /** Takes the guest's seat; with a `version` only while the game is at it. */
    async join(joining: Joining = {}, version?: number): Promise<Player> {
        return this.taken(await this.post("/v1/games/{game_id}/join", joining, version));
    }

    /** The game as one may see it. */
    look(): Promise<Game> {
        return this.get("/v1/games/{game_id}");
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
    protected get<P extends PathOf<"get">>(path: P, query?: QueryOf<P>, how: About = {}): Promise<AnswerOf<P, "get">> {
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
