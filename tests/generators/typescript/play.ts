import createClient from "openapi-fetch";
import type { components, paths } from "./openapi.js";

type Event = components["schemas"]["GameEvent"];
type Layout = components["schemas"]["PlaceRequest"];

const LAYOUT: Layout = {
    ships: [
        { start: "B2", length: 5 },
        { start: "B4", length: 4 },
        { start: "B6", length: 3 },
        { start: "F6", length: 3, direction: "down" },
        { start: "B8", length: 2 },
    ],
    mines: ["J10"],
};
const FLEET = "D4 B4 C4 E4 B2 C2 D2 E2 F2 B6 C6 D6 F6 F7 F8 B8 C8".split(" ");

// Of the log there is a stream as well, which this type keeps out.
const api = createClient<paths, `application/${string}`>({ baseUrl: process.argv[2] ?? "http://localhost:8080" });

/** What came of a request that must go well. */
async function good<T>(answer: Promise<{ data?: T; error?: { code: string } }>): Promise<T> {
    const { data, error } = await answer;
    if (data === undefined) {
        throw new Error(error?.code ?? "no answer");
    }
    return data;
}

function what(event: Event): string {
    switch (event.type) {
        case "fired":
            return event.shots.map((shot) => shot.outcome).join("+");
        case "revealed":
            return event.cells.join("+");
        default:
            return event.type;
    }
}

class Table {
    private constructor(
        readonly id: string,
        readonly host: string,
        readonly guest: string,
    ) {}

    static async open(): Promise<Table> {
        const body = { name: "Anna", options: { first: "host", shoot_again: true } } as const;
        const created = await good(api.POST("/v1/games", { body }));
        const id = created.game.id;
        const joined = await good(
            api.POST("/v1/games/{game_id}/join", { params: { path: { game_id: id } }, body: { name: "Boris" } }),
        );
        const table = new Table(id, created.token, joined.token);
        for (const token of [table.host, table.guest]) {
            await good(api.POST("/v1/games/{game_id}/place", { ...table.by(token), body: LAYOUT }));
        }
        return table;
    }

    by(token: string) {
        return { params: { path: { game_id: this.id } }, headers: { Authorization: `Bearer ${token}` } };
    }

    fire(token: string, cell: string) {
        return api.POST("/v1/games/{game_id}/fire", { ...this.by(token), body: { shots: [cell] } });
    }
}

const table = await Table.open();
const struck = await good(table.fire(table.host, "J10"));
console.log("struck", struck.events.map(what).join(" "), "owes", struck.awaiting[0]?.count);
const given = await good(
    api.POST("/v1/games/{game_id}/reveal", { ...table.by(table.host), body: { cells: ["D4"] } }),
);
console.log("gave", given.events.map(what).join(" "));
for (const cell of FLEET) {
    await good(table.fire(table.guest, cell));
}
const log = await good(api.GET("/v1/games/{game_id}/events", table.by(table.guest)));
const last = log.events.at(-1);
console.log(log.events.length, "events,", last?.result?.winner, "won by", last?.result?.reason);
const verified = await good(api.GET("/v1/games/{game_id}/verify", table.by(table.guest)));
console.log("verified", verified.ok && verified.complete);

const other = await Table.open();
const resigned = await good(api.POST("/v1/games/{game_id}/resign", { ...other.by(other.guest), body: {} }));
console.log(resigned.events.map(what).join(" "), "so", resigned.events[0]?.result?.winner, "won");
const { error } = await other.fire(other.host, "A1");
console.log("refused", error?.code);
