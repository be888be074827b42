/**
 * What the page's first load needs of the client. It comes out of the modules of the client one by one: what checks
 * hashes is large, and comes when it is wanted.
 */
export { advance } from "naval-battle-client/advance.js";
export { NavalBattle, Player, Table } from "naval-battle-client/client.js";
export { NoAnswer, ProblemError } from "naval-battle-client/errors.js";
export { newKey } from "naval-battle-client/keys.js";
