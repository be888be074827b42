import { readdirSync, readFileSync } from "node:fs";

import type { Event, Game } from "../src/index.js";

/** Games of past releases, as they were downloaded. */
export interface Golden {
    readonly name: string;
    readonly game: Game;
    readonly events: Event[];
}

/** The tests are run in the client's folder, whose repository keeps the games. */
const FOLDER = "../../tests/golden";

export function goldenGames(): Golden[] {
    const names = readdirSync(FOLDER).filter((file) => file.endsWith(".game.json"));
    const read = (file: string): unknown => JSON.parse(readFileSync(`${FOLDER}/${file}`, "utf8"));
    return names.map((file) => {
        const name = file.replace(".game.json", "");
        const { events } = read(`${name}.events.json`) as { events: Event[] };
        return { name, game: read(file) as Game, events };
    });
}

/** What a value tells: `null` is what an earlier release did not speak of. */
export function told<T>(value: T): T {
    return JSON.parse(JSON.stringify(value, (_, part: unknown) => (part === null ? undefined : part))) as T;
}
