import type { components } from "./openapi.js";

type Schemas = components["schemas"];

/** A cell in its one spelling, such as `B7`. */
export type Cell = Schemas["Cell"];
export type Seat = Schemas["Seat"];
export type Status = Schemas["Status"];
export type Game = Schemas["Game"];
export type Board = Schemas["Board"];
export type Options = Schemas["Options"];
export type Awaited = Schemas["Awaited"];
export type Event = Schemas["Event"];
export type Lobby = Schemas["Lobby"];
export type Log = Schemas["Log"];
export type Progress = Schemas["Progress"];
export type Seating = Schemas["Seating"];
export type Rules = Schemas["Rules"];
export type Verification = Schemas["Verification"];
export type Eyes = Schemas["Eyes"];
export type Code = Schemas["Code"];
export type Creation = Schemas["CreateRequest"];
export type Joining = Schemas["JoinRequest"];
export type Layout = Schemas["PlaceRequest"];
