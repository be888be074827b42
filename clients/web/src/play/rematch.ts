import { ProblemError, type Game } from "naval-battle-client";

import { once } from "../app.js";
import type { Session } from "./session.js";

/** How often a server is asked that cannot hold a reply, in milliseconds: at first, and after two minutes. */
const PAUSES = { first: 4_000, later: 15_000, change: 120_000 };

/** Sees to it that a rematch of an ended game shows, which is no event: asks while the page is visible. */
export async function awaitRematch(session: Session, isClosed: () => boolean): Promise<void> {
    const began = Date.now();
    let canWait = true;
    // Nobody asks for a rematch of a game that had no other side, and a spectator is led on as the players are.
    while (!isClosed()) {
        await visible();
        const game = session.table?.game;
        if (isClosed() || !game) {
            return;
        }
        try {
            const seen: Game | null = canWait
                ? await session.who(once()).look({ wait: 25, tag: tagOf(game) })
                : await session.who(once()).look();
            if (seen) {
                session.draw(seen);
            }
            if (canWait) {
                continue;
            }
        } catch (error) {
            if (error instanceof ProblemError && ["malformed", "route_not_found"].includes(error.code)) {
                canWait = false;
            }
        }
        await new Promise((resolve) => setTimeout(resolve, Date.now() - began > PAUSES.change ? PAUSES.later : PAUSES.first));
    }
}

/** The tag of a game, as the server makes it. */
function tagOf(game: Game): string {
    return `"${game.version}-${game.you ?? "spectator"}${game.next === null ? "" : "-next"}"`;
}

/** Waits until the page can be seen. */
function visible(): Promise<void> {
    return new Promise((resolve) => {
        const look = () => {
            if (document.visibilityState === "visible") {
                document.removeEventListener("visibilitychange", look);
                resolve();
            }
        };
        document.addEventListener("visibilitychange", look);
        look();
    });
}
