import { store } from "../app.js";
import * as seats from "../seats.js";
import { Session } from "./session.js";

let present: Session | null = null;

/** The game that is open in this tab. */
export function session(): Session | null {
    return present;
}

/** Opens a game, or keeps it open; `null` closes what is. A seat that was not kept yet may be given. */
export function open(game: string | null, seat: seats.Kept | null = game === null ? null : seats.seatOf(game)): void {
    if (present && present.id === game && present.seat?.token === seat?.token) {
        return;
    }
    present?.close();
    present = null;
    store.set({ table: null });
    if (game !== null) {
        present = new Session(game, seat);
        void present.open();
    }
}
