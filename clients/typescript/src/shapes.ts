import type { components } from "./openapi.js";

type Schemas = components["schemas"];

/** A cell in its one spelling, such as `B7`. */
export type Cell = Schemas["Cell"];
export type Seat = Schemas["Seat"];
export type Status = Schemas["GameStatus"];
export type Game = Schemas["Game"];
export type ShownPlayer = Schemas["Player"];
export type Shot = Schemas["Shot"];
export type Board = Schemas["Board"];
export type Options = Schemas["GameOptions"];
export type Awaited = Schemas["Due"];
export type Event = Schemas["GameEvent"];
export type Lobby = Schemas["Lobby"];
export type Log = Schemas["GameLog"];
export type Progress = Schemas["MoveReply"];
export type Seating = Schemas["Seating"];
export type Rules = Schemas["Rules"];
export type Verification = Schemas["Verification"];
export type Eyes = Schemas["Eyes"];
export type Code = Schemas["ProblemCode"];
export type Creation = Schemas["CreateRequest"];
export type Joining = Schemas["JoinRequest"];
export type Layout = Schemas["PlaceRequest"];
export type Mark = Schemas["Mark"];

/** A game at a glance; `you` is the seat that its token opens. */
export interface Glance {
    readonly id: string;
    readonly version: number;
    readonly status: Status;
    readonly you: Seat | null;
    readonly awaiting: Awaited[];
    readonly next: string | null;
}

/** An event of one of several games. */
export type FeedEvent = Event & { readonly game: string };

/** A proof that the cells of one answer hold what it says, and no word about any other cell. */
export interface Proof {
    /** The event that it is of. */
    readonly seq: number;
    /** Whose board it is. */
    readonly seat: Seat;
    /** The root of the tree over that board: 64 hex digits. */
    readonly root: string;
    readonly cells: readonly ProvenCell[];
}

export interface ProvenCell {
    readonly cell: Cell;
    readonly content: "water" | "ship" | "mine";
    /** The salt of this cell alone: 64 hex digits. */
    readonly salt: string;
    /** What stands beside the way from the leaf up to the root, 64 hex digits each. */
    readonly path: readonly string[];
}

/** How well a finished game was played, and how luckily. */
export interface Analysis {
    readonly boards_drawn: number;
    readonly seats: Readonly<Record<Seat, Skill>>;
    readonly shots: readonly JudgedShot[];
}

export interface Skill {
    readonly shots: number;
    readonly hits: number;
    readonly expected_hits: number;
    /** `hits` less `expected_hits`. */
    readonly luck: number;
    readonly mines: number;
    readonly expected_mines: number;
    /** The share of shots within 1 point of the best; `null` without shots. */
    readonly choices_as_good: number | null;
}

export interface JudgedShot {
    readonly seq: number;
    readonly seat: Seat;
    readonly cell: Cell;
    readonly outcome: Mark;
    readonly ship_chance: number;
    readonly mine_chance: number;
    readonly best: { readonly cell: Cell; readonly ship_chance: number };
}

/** What a seat could reckon before a shot or volley: chances row by row. */
export interface Chances {
    readonly seq: number;
    readonly seat: Seat;
    readonly ship_chances: readonly (readonly number[])[];
    readonly mine_chances: readonly (readonly number[])[];
}
