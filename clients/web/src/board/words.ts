import type { Cell } from "naval-battle-client";

import { store } from "../app.js";
import { t } from "../text/index.js";
import { shown } from "./cells.js";
import type { Look } from "./view.js";

/** All that is told of a cell. */
export interface Told {
    readonly cell: Cell;
    readonly letters: readonly string[];
    readonly look: Look;
    /** The length of the ship that lies there, where that is known. */
    readonly length: number | null;
    readonly isOwn: boolean;
    readonly wasGiven: boolean;
    readonly isFiredAt: boolean;
    readonly isLast: boolean;
    readonly isStarred: boolean;
    readonly shot: number | null;
    readonly shots: number;
    readonly isPicked: boolean;
}

/** A cell in words: its place, its state, then what else there is. */
export function wordsOf(told: Told): string {
    const words = [shown(told.cell, told.letters), stateOf(told)];
    if (told.wasGiven) {
        words.push(told.isFiredAt ? t.cellGiven : t.cellGivenOpen);
    }
    if (told.isPicked) {
        words.push(t.cellPicked);
    }
    if (told.isStarred) {
        words.push(t.cellTellsLeast);
    }
    if (told.shot !== null) {
        words.push(told.shots > 1 ? t.cellAimedOf(told.shot, told.shots) : t.cellAimed);
    }
    if (told.isLast) {
        words.push(t.cellLast);
    }
    return words.filter((word) => word !== "").join(", ");
}

function stateOf({ look, length, isOwn }: Told): string {
    const answers = store.state.rules?.answers;
    switch (look) {
        case "miss":
        case "mine":
            return answers?.[look] ?? look;
        case "hit":
            return isOwn && length !== null
                ? `${t.cellYourShip(length)}, ${answers?.hit ?? look}`
                : (answers?.hit ?? look);
        case "sunk":
            return length === null ? (answers?.sunk ?? look) : `${answers?.sunk ?? look}, ${t.cellShip(length)}`;
        case "ship":
            return isOwn ? t.cellYourShip(length ?? 1) : t.cellShip(length ?? 1);
        case "ownMine":
            return isOwn ? t.cellYourMine : (answers?.mine ?? look);
        case "given":
            return isOwn && length !== null ? t.cellYourShip(length) : "";
        case "empty":
            return t.cellEmpty;
        case "mineless":
            return `${t.cellOpen}, ${t.cellMineless}`;
        case "water":
            return isOwn ? t.cellWater : t.cellOpen;
    }
}
