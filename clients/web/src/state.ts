import type { State } from "./app.js";
import { owes } from "./shapes.js";

export type ScreenName =
    "start" | "missing" | "invitation" | "placing" | "battle" | "end" | "replay" | "check" | "rules";

/** Which element shows a state, and the state's own name. */
export interface Shown {
    readonly name: ScreenName;
    readonly state: string;
}

/** What is shown: the game's status, one's seat and what is awaited decide it, and nothing else. */
export function stateOf({ route, table }: State): Shown {
    switch (route.screen) {
        case "start":
        case "seat":
            return { name: "start", state: "start" };
        case "rules":
            return { name: "rules", state: "rules" };
        case "check":
            return { name: "check", state: "check" };
        case "replay":
        case "game":
            break;
    }
    const game = table?.game;
    if (!game) {
        return { name: "missing", state: "missing" };
    }
    if (route.screen === "replay") {
        return { name: "replay", state: "replay" };
    }
    const { status, you } = game;
    const due = owes(game, you);
    switch (status) {
        case "waiting":
            return you === null ? { name: "invitation", state: "invitation" } : { name: "placing", state: "invite" };
        case "placing":
            return you === null
                ? { name: "battle", state: "watching" }
                : { name: "placing", state: due?.action === "place" ? "placing" : "placed" };
        case "battle":
            return {
                name: "battle",
                state:
                    you === null
                        ? "watching"
                        : due?.action === "reveal"
                          ? "reveal"
                          : due?.action === "fire"
                            ? "fire"
                            : "wait",
            };
        case "finished":
        case "aborted":
            return { name: "end", state: "end" };
    }
}
