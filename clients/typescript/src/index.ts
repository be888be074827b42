/** Plays Naval Battle over its REST API: see {@link NavalBattle}, {@link Table} and {@link Player}. */
export { NavalBattle, Player, Table, type Stretch } from "./client.js";
export { NoAnswer, ProblemError, type Problem } from "./errors.js";
export type { FollowOptions } from "./follow.js";
export type { Retries } from "./retries.js";
export type { Transport, TransportOptions } from "./transport.js";
export type * from "./shapes.js";
