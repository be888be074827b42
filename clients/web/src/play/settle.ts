import type { Game, Seat } from "naval-battle-client";

import { opposite, setTable, store } from "../app.js";
import * as seats from "../seats.js";
import { t } from "../text/index.js";
import type { Session } from "./session.js";

/** Drops of what was chosen what a position makes impossible, with a word, and what is no longer needed. */
export function settle(session: Session, game: Game): void {
    const { id, table } = session;
    if (!table) {
        return;
    }
    const { you } = game;
    if (you) {
        const shots = new Set(game.boards[opposite(you)].shots.map((shot) => shot.cell));
        const aim = table.aim.filter((cell) => !shots.has(cell));
        const picked = table.picked.filter((cell) => game.revealable?.includes(cell));
        if (aim.length < table.aim.length || picked.length < table.picked.length) {
            setTable({ aim, picked, ...(table.busy ? {} : { word: t.choiceDropped }) });
            seats.keepAim(id, aim);
        }
        if (game.players[you]?.placed) {
            seats.keepDraft(id, null);
        }
        remember(id, game, you);
    }
    if (game.next !== null && game.next !== table.next) {
        setTable({ next: game.next });
    }
}

/** Keeps who sits opposite and, once a game is over, the layout that was used in it. */
function remember(id: string, game: Game, you: Seat): void {
    const other = game.players[opposite(you)];
    const kept = seats.seatOf(id);
    if (kept && other?.name && kept.other !== other.name) {
        seats.keepSeat(id, { ...kept, other: other.name });
        store.set({ seats: seats.allSeats() });
    }
    if (game.status === "finished") {
        const { ships, mines } = game.boards[you];
        const plain = ships.map(({ start, length, direction }) => ({ start, length, direction }));
        seats.keepLayout(game.options, { ships: plain, mines });
    }
}
