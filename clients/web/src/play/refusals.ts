import type { Code, Problem } from "naval-battle-client";

import { capital } from "../screens/words.js";
import { t } from "../text/index.js";

/** What a refusal leads to. */
export type Treatment =
    /** Look at the game, keep what is still possible of a choice. */
    | "look"
    /** The game is over: show its end. */
    | "over"
    /** Both seats are taken: watch. */
    | "watch"
    /** There is a kept seat for this. */
    | "own"
    /** The faults go into the draft. */
    | "faults"
    /** Drop the cells that are at fault. */
    | "cells"
    /** The token opens no seat: go on as a spectator. */
    | "locked"
    | "missing"
    /** What was asked for is not to be had yet: do not offer it. */
    | "hide"
    /** Ask again with a new key. */
    | "key"
    /** Count down, then try again. */
    | "wait"
    /** The server's words, and another try. */
    | "again"
    /** The page and the server are of different releases. */
    | "old";

/** Codes of the document, and those of answers that an older one does not have. */
type Known = Code | "nothing_to_prove" | "nothing_to_analyse";

export const TREATMENTS: Readonly<Record<Known, Treatment>> = {
    stale_version: "look",
    not_your_turn: "look",
    already_fired: "look",
    reveal_due: "look",
    no_reveal_due: "look",
    wrong_shot_count: "look",
    wrong_reveal_count: "look",
    not_in_battle: "look",
    already_placed: "look",
    not_joined: "look",
    in_flight: "look",
    game_over: "over",
    game_full: "watch",
    own_game: "own",
    illegal_layout: "faults",
    not_revealable: "cells",
    repeated_cell: "cells",
    outside_grid: "cells",
    unauthorized: "locked",
    game_not_found: "missing",
    not_over: "hide",
    nothing_to_prove: "hide",
    nothing_to_analyse: "hide",
    idempotency_mismatch: "key",
    rate_limited: "wait",
    unavailable: "again",
    internal: "again",
    record_damaged: "again",
    request_timeout: "again",
    body_too_large: "again",
    malformed: "old",
    method_not_allowed: "old",
    unsupported_media_type: "old",
    route_not_found: "old",
};

/** How a refusal is treated; a code that this page does not know yet has the server's words to show. */
export function treatment(code: string): Treatment {
    return (TREATMENTS as Readonly<Record<string, Treatment>>)[code] ?? "again";
}

/** A sentence of the server's, which begins in lower case and ends without a stop. */
export function sentence(words: string): string {
    const said = capital(words);
    return /[.!?…]$/.test(said) ? said : `${said}.`;
}

/** What a refusal says to a player. */
export function wordOf(problem: Problem): string {
    switch (problem.code) {
        case "stale_version":
            return t.alreadyDone;
        case "game_full":
            return t.somebodyFaster;
        case "unauthorized":
            return t.keyOpensNothing;
        default:
            return treatment(problem.code) === "old" ? t.pageIsOld : sentence(problem.detail);
    }
}
