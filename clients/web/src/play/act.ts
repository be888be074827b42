import type { Layout, Progress } from "naval-battle-client";

import type { Table } from "../app.js";
import { Player } from "../client.js";
import { begins, ends } from "./busy.js";
import { refused } from "./refused.js";
import type { Salted, Session } from "./session.js";

/**
 * Makes a move in the version that is drawn. While one is under way there is no other. Gives the reply, or `null` where
 * it was refused or nothing came: then the state has a word for it.
 */
export async function act(
    session: Session,
    kind: NonNullable<Table["busy"]>,
    move: (seat: Player, version: number) => Promise<Progress>,
    layout?: Layout,
): Promise<Progress | null> {
    const who = session.who();
    const game = session.table?.game;
    if (!(who instanceof Player) || !game || session.table.busy) {
        return null;
    }
    const one = begins(kind);
    const asked = Date.now();
    const answered = session.expect();
    try {
        const progress = await move(who, game.version);
        const [first] = progress.events;
        if (first) {
            session.clock.answered(asked, Date.now(), first.at);
        }
        session.hear();
        if (layout && progress.salt !== undefined) {
            session.layout = { ships: layout.ships, mines: layout.mines ?? [], salt: progress.salt } as Salted;
        }
        return progress;
    } catch (error) {
        await refused(session, error, game.version);
        return null;
    } finally {
        answered();
        if (session.table) {
            ends(one);
        }
    }
}
