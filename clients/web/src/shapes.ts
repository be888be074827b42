import type { Board, Game, Lobby, NavalBattle, Problem, Seat } from "naval-battle-client";

export type Fault = NonNullable<Problem["faults"]>[number];
export type CheckedLayout = Awaited<ReturnType<NavalBattle["checkLayout"]>>;
export type Outcome = Board["shots"][number]["outcome"];
export type Offer = Lobby["games"][number];
export type SeenShip = Board["ships"][number];

export const SEATS: readonly Seat[] = ["host", "guest"];

/** What a seat owes now, or `undefined`. */
export function owes(game: Game, seat: Seat | null): Game["awaiting"][number] | undefined {
    return game.awaiting.find((due) => due.seat === seat && due.action !== "join");
}
