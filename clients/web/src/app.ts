import type { Cell, Event, Game, Glance as GameAtAGlance, Rules, Seat } from "naval-battle-client";

import { NavalBattle } from "./client.js";
import { LATIN } from "./board/cells.js";
import type { Draft, Piece } from "./fleet/draft.js";
import type { Route } from "./route.js";
import * as seats from "./seats.js";
import type { Fault, Offer } from "./shapes.js";
import { Store } from "./store.js";
import { language, type Language } from "./text/index.js";

/** What the live connection of a game is at. */
export type Link = "open" | "opening" | "live" | "lost";

/** What the server thinks of a draft, and of which. */
export interface Checked {
    readonly draft: Draft;
    readonly legal: boolean;
    readonly faults: readonly (Fault & { readonly pieces: readonly Piece[] })[];
    readonly free: readonly Cell[];
}

/** A game that is open in this tab. */
export interface Table {
    readonly id: string;
    /** The game as it is drawn: a bot's moves are drawn one after the other. */
    readonly game: Game | null;
    readonly events: readonly Event[];
    readonly link: Link;
    /** Why there is nothing to show. */
    readonly missing: string | null;
    /** The kept token opens no seat here. */
    readonly isLocked: boolean;
    /** What is under way. */
    readonly busy: "place" | "fire" | "reveal" | "resign" | "rematch" | "join" | null;
    /** What the last press came to, in a sentence. */
    readonly word: string | null;
    readonly aim: readonly Cell[];
    readonly picked: readonly Cell[];
    readonly draft: Draft | null;
    readonly held: Piece | null;
    readonly across: boolean;
    readonly checked: Checked | null;
    /** Ready was pressed before anybody had joined, on a server that places only afterwards. */
    readonly isReady: boolean;
    readonly seal: "true" | "false" | null;
    readonly proofs: ReadonlyMap<number, boolean>;
    /** The seat that has a rematch for us to accept. */
    readonly next: string | null;
}

/** What is shown of a game at a glance; an older server is asked for the game instead. */
export type Glance = Pick<GameAtAGlance, "status" | "you" | "awaiting">;

export interface State {
    readonly route: Route;
    readonly language: Language;
    readonly rules: Rules | null;
    readonly settings: seats.Settings;
    readonly seats: ReturnType<typeof seats.allSeats>;
    readonly glances: ReadonlyMap<string, Glance | null>;
    readonly offers: readonly Offer[] | null;
    readonly table: Table | null;
    /** A failure that is of no game, in a sentence. */
    readonly trouble: string | null;
    /** Something is being created or joined. */
    readonly isAsking: boolean;
    readonly isOld: boolean;
}

export const store = new Store<State>({
    route: { screen: "start" },
    language: "en",
    rules: null,
    settings: seats.settings(),
    seats: seats.allSeats(),
    glances: new Map(),
    offers: null,
    table: null,
    trouble: null,
    isAsking: false,
    isOld: false,
});

/** Where the API is: beside the page, below whatever prefix it has. */
const BASE = new URL(".", document.baseURI);

/** The server, for requests that are repeated until they are answered. */
export function api(): NavalBattle {
    return new NavalBattle(BASE, { language });
}

/** The server, for what is asked again and again anyway: a failure shows at once. */
export function once(): NavalBattle {
    return new NavalBattle(BASE, { language, retries: { most: 0 } });
}

/** The letters of the columns, as they are shown. */
export function columns(state: State = store.state): readonly string[] {
    return state.settings.letters === "latin" ? LATIN : (state.rules?.columns ?? LATIN);
}

export function configure(change: Partial<seats.Settings>): void {
    const settings = { ...store.state.settings, ...change };
    seats.keepSettings(settings);
    store.set({ settings });
}

/** Changes the open game's part of the state. */
export function setTable(change: Partial<Table>): void {
    const { table } = store.state;
    if (table) {
        store.set({ table: { ...table, ...change } });
    }
}

export const opposite = (seat: Seat): Seat => (seat === "host" ? "guest" : "host");
