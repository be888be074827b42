import assert from "node:assert/strict";

import type { Cell, Game, NavalBattle, Player, Seat } from "naval-battle-client";

import { worthAShot } from "./layouts.js";
import type { Person } from "./person.js";

export const other = (seat: Seat): Seat => (seat === "host" ? "guest" : "host");

/** The seat of somebody at the page, through the typed client. */
export async function seatOf(api: NavalBattle, person: Person): Promise<Player> {
    const { seat, token } = await person.kept();
    return api.seat(person.game, seat, token);
}

/** The next cells to fire at, by what the seat may see. */
export function nextShots(game: Game, count: number): Cell[] {
    assert(game.you);
    return worthAShot(game, other(game.you)).slice(0, count);
}

/** Gives somebody at the page a seat that was taken through the typed client. */
export async function seated(person: Person, player: Player): Promise<void> {
    const { token } = player;
    person.watch.guard(token);
    const kept = JSON.stringify({ seat: player.seat, token, name: null, at: 0 });
    await person.page.evaluate(
        ([name, kept]) => localStorage.setItem(String(name), String(kept)),
        [`naval-battle/1/seat/${player.id}`, kept],
    );
}
