/** Plays Naval Battle over its REST API: see {@link NavalBattle}, {@link Table} and {@link Player}. */
export { advance } from "./advance.js";
export type { SaltedLayout } from "./boards.js";
export {
    NavalBattle,
    Player,
    Table,
    type Download,
    type Joins,
    type Keyed,
    type Looking,
    type Stretch,
} from "./client.js";
export { NoAnswer, ProblemError, type Problem } from "./errors.js";
export type { FeedOptions, FollowOptions } from "./follow.js";
export { newKey, type RandomBytes } from "./keys.js";
export type { ListenOptions } from "./listen.js";
export { positions } from "./positions.js";
export { commitmentTo, verifyProof, type Proving } from "./proof.js";
export type { Retries } from "./retries.js";
export type { Transport, TransportOptions } from "./transport.js";
export type * from "./shapes.js";
export { sha256, type Sha256 } from "./sha256.js";
export { verify, type Check, type CheckFault, type CheckName } from "./verify.js";
