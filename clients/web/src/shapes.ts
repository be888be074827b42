import type { Board, Event, Game, Lobby, NavalBattle, Problem, Seat } from "naval-battle-client";

export type Fault = NonNullable<Problem["faults"]>[number];
export type CheckedLayout = Awaited<ReturnType<NavalBattle["checkLayout"]>>;
export type Outcome = Board["shots"][number]["outcome"];
export type Offer = Lobby["games"][number];
export type SeenShip = Board["ships"][number];

/** Whether a game goes on from another one between the same two: nobody else can join it. */
export function isRematch(game: Game, events: readonly Event[]): boolean {
    const [first] = events;
    const { rematch_of = null } = game as { rematch_of?: string | null };
    return rematch_of !== null || (first?.type === "created" && first.rematch_of !== undefined);
}

export const SEATS: readonly Seat[] = ["host", "guest"];

export type Due = Game["awaiting"][number];

/** What a seat owes now, or `undefined`. */
export function owes(game: Game, seat: Seat | null): Due | undefined {
    return game.awaiting.find((due) => due.seat === seat && due.action !== "join");
}
