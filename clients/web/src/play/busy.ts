import type { Event, Seat } from "naval-battle-client";

import { setTable, store, type Table } from "../app.js";

type Move = NonNullable<Table["busy"]>;

/** The event that each move makes. */
const DONE: Readonly<Record<string, Move>> = { placed: "place", fired: "fire", revealed: "reveal", resigned: "resign" };

/** Counts own moves: a reply that comes late ends none but its own. */
let moves = 0;

/** A move is under way: there is no other until it ends. Gives its number. */
export function begins(kind: Move): number {
    setTable({ busy: kind, word: null });
    return (moves += 1);
}

/** A move is no longer under way. */
export function ends(move: number): void {
    if (move === moves) {
        setTable({ busy: null });
    }
}

/** Ends the move that made an event: where the stream is faster, the reply has nothing more to tell. */
export function endsBy(event: Event, you: Seat | null): void {
    const { busy = null } = store.state.table ?? {};
    if (busy !== null && DONE[event.type] === busy && "seat" in event && event.seat === you) {
        ends(moves);
    }
}
