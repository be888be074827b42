import type { Event, Game } from "naval-battle-client";

import { owes } from "../shapes.js";
import { t } from "../text/index.js";
import { spoken } from "./live.js";
import { alert } from "./alert.js";
import { play } from "./sound.js";
import { endOf, nameOf, reasonOf, sentenceOf, turnOf } from "./tell.js";

/** Tells what an event did: to screen readers, by sound, and by a notice where nobody looks. */
export function happened(before: Game, event: Event, after: Game): void {
    const then = after.result ? `${endOf(after)}: ${reasonOf(after)}` : turnOf(after);
    spoken(
        [sentenceOf(event, after), then]
            .filter((words) => words !== "")
            .map((words) => `${words}.`)
            .join(" "),
    );
    /** Who sits opposite tells which of several games calls. */
    const call = (words: string) => alert(`${words} – ${nameOf(after, after.you === "host" ? "guest" : "host")}`);
    const isOurs = owes(after, after.you) !== undefined;
    const wasOurs = owes(before, before.you) !== undefined;
    if (after.you === null) {
        play("quiet", event);
    } else if (after.result) {
        play("turn", event);
        call(endOf(after));
    } else if (isOurs && (!wasOurs || ("seat" in event && event.seat !== after.you))) {
        play("turn", event);
        call(turnOf(after));
    } else {
        play("quiet", event);
    }
}

/** Tells of the wish for a rematch, which is no event. */
export function rematchWished(name: string): void {
    const words = t.wantsRematch(name);
    spoken(words);
    play("turn", null);
    alert(words);
}
