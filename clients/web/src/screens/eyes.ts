import type { Eyes, Game } from "naval-battle-client";

import { nameOf } from "../notice/tell.js";
import { t } from "../text/index.js";

/** Through whose eyes a game may be replayed: one's own and a spectator's always, all once somebody has won. */
export function eyesOf(game: Game): Eyes[] {
    return game.status === "finished"
        ? ["host", "guest", "spectator", "all"]
        : game.you === null
          ? ["spectator"]
          : [game.you];
}

/** One's own eyes. */
export const ownEyes = (game: Game): Eyes => game.you ?? "spectator";

/** What eyes are called. */
export function nameOfEyes(game: Game, eyes: Eyes): string {
    switch (eyes) {
        case "host":
        case "guest":
            return nameOf(game, eyes);
        case "spectator":
            return t.eyesSpectator;
        case "all":
            return t.eyesAll;
    }
}
