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
export type Glance = Schemas["Glance"];
/** An event of one of several games. */
export type FeedEvent = Event & { readonly game: string };
/** A proof that the cells of one answer hold what it says, and no word about any other cell. */
export type Proof = Schemas["Proof"];
export type ProvenCell = Schemas["CellProof"];
/** How well a finished game was played, and how luckily. */
export type Analysis = Schemas["Analysis"];
export type Skill = Schemas["Fortune"];
export type JudgedShot = Schemas["AnalysedShot"];
/** What a seat could reckon before a shot or volley: chances row by row. */
export type Chances = Schemas["TurnAnalysis"];
