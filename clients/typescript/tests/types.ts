/** What the compiler must know of the document: these lines do not compile where it does not. */
import type { AnswerOf, BodyOf, PathOf, QueryOf } from "../src/document.js";
import type { Cell, Creation, Eyes, Game, Lobby, Log, Progress, Rules, Seating, Verification } from "../src/shapes.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

const isTrue = <T extends true>(): T | null => null;

isTrue<Same<AnswerOf<"/v1/games", "post">, Seating>>();
isTrue<Same<AnswerOf<"/v1/games/{game_id}", "get">, Game>>();
isTrue<Same<AnswerOf<"/v1/games/{game_id}/join", "post">, Seating>>();
isTrue<Same<AnswerOf<"/v1/games/{game_id}/fire", "post">, Progress>>();
isTrue<Same<AnswerOf<"/v1/games/{game_id}/events", "get">, Log>>();
isTrue<Same<AnswerOf<"/v1/games/{game_id}/verify", "get">, Verification>>();
isTrue<Same<AnswerOf<"/v1/games", "get">, Lobby>>();
isTrue<Same<AnswerOf<"/v1/games/{game_id}/rematch", "post">, Seating>>();
isTrue<Same<AnswerOf<"/v1/rules", "get">, Rules>>();
isTrue<Same<BodyOf<"/v1/games">, Creation>>();
isTrue<Same<BodyOf<"/v1/games/{game_id}/fire">, { shots: Cell[] }>>();
isTrue<Same<QueryOf<"/v1/games/{game_id}/replay">["as"], Eyes | undefined>>();
isTrue<"/v1/games/{game_id}/fire" extends PathOf<"get"> ? false : true>();
