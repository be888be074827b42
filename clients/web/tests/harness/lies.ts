import { createHash } from "node:crypto";

import type { Event, Game } from "naval-battle-client";
import { canonical } from "naval-battle-client/bytes.js";

// Lies are no games, so they have no type of one.
type Loose = Record<string, any>;

export interface Documents {
    readonly game: Game;
    readonly events: Event[];
}

interface Lie {
    readonly what: string;
    /** Whether whoever lies makes all heads anew. */
    readonly isChained?: true;
    readonly tell: (game: Loose, events: Loose[]) => unknown;
}

const answer = (events: Loose[], outcome: string): Loose =>
    events
        .flatMap((event) => (event["shots"] as Loose[] | undefined) ?? [])
        .find((shot) => shot["outcome"] === outcome) as Loose;

const swap = (seat: string): string => (seat === "host" ? "guest" : "host");

/** What somebody could change of a game on its way, each in one respect. */
export const LIES: readonly Lie[] = [
    { what: "a time", tell: (_, events) => (events[4]!["at"] = "2001-01-01T00:00:00.000000Z") },
    { what: "a name", tell: (_, events) => (events[0]!["name"] = "Eve") },
    { what: "an option in the log", tell: (_, events) => (events[0]!["options"].salvo = true) },
    { what: "a head", tell: (_, events) => (events[6]!["head"] = events[5]!["head"]) },
    { what: "an event left out", tell: (_, events) => events.splice(7, 1) },
    { what: "an event twice", tell: (_, events) => events.splice(7, 0, structuredClone(events[6]!)) },
    { what: "two events swapped", tell: (_, events) => events.splice(5, 2, events[6]!, events[5]!) },
    { what: "a member more", tell: (_, events) => (events[5]!["x"] = 1) },
    { what: "the end cut off", tell: (_, events) => events.pop() },
    { what: "the head of the game", tell: (game) => (game["head"] = "00".repeat(32)) },
    { what: "the options of the game", tell: (game) => (game["options"].shoot_again = true) },
    { what: "a ship's place", tell: (game) => (game["boards"].host.ships[0].start = "H8") },
    { what: "a ship left out", tell: (game) => game["boards"].guest.ships.pop() },
    { what: "a mine left out", tell: (game) => (game["boards"].guest.mines = []) },
    { what: "a salt", tell: (game) => (game["boards"].host.salt = game["boards"].guest.salt) },
    {
        what: "a commitment",
        isChained: true,
        tell: (_, events) => (events[2]!["commitment"] = events[3]!["commitment"]),
    },
    { what: "a miss for a hit", isChained: true, tell: (_, events) => (answer(events, "hit")["outcome"] = "miss") },
    { what: "a hit for a miss", isChained: true, tell: (_, events) => (answer(events, "miss")["outcome"] = "hit") },
    { what: "a miss for a mine", isChained: true, tell: (_, events) => (answer(events, "mine")["outcome"] = "miss") },
    {
        what: "another debt",
        isChained: true,
        tell: (_, events) => (events.find((event) => event["owed"])!["owed"] = 2),
    },
    { what: "who fired", isChained: true, tell: (_, events) => (events[8]!["seat"] = swap(events[8]!["seat"])) },
    {
        what: "who won",
        isChained: true,
        tell: (game, events) => {
            const winner = swap(game["result"].winner);
            [game["result"].winner, events.at(-1)!["result"].winner] = [winner, winner];
        },
    },
];

/** The game as the lie has it. */
export function tell({ tell: change, isChained }: Lie, documents: Documents): Documents {
    const told = structuredClone(documents);
    change(told.game as unknown as Loose, told.events as unknown as Loose[]);
    if (isChained) {
        let head = Buffer.alloc(32);
        for (const event of told.events as unknown as Loose[]) {
            const { status: _, awaiting: __, head: ___, ...hashed } = event;
            head = createHash("sha256").update(head).update(canonical(hashed)).digest();
            event["head"] = head.toString("hex");
        }
        (told.game as unknown as Loose)["head"] = head.toString("hex");
    }
    return told;
}
