import type { Cell, Creation, Joining, Layout, Options, Seat } from "naval-battle-client";

/** What is kept of a seat; `other` is who sits opposite, as far as it was seen. */
export interface Kept {
    readonly seat: Seat;
    readonly token: string;
    readonly name: string | null;
    readonly at: number;
    readonly other?: string | null;
}

/** A seat that was asked for and not yet given: the key brings the same seat again. */
export interface Asking {
    readonly key: string;
    readonly creation?: Creation;
    readonly game?: string;
    readonly joining?: Joining;
}

export interface Settings {
    readonly language: string | null;
    readonly letters: "language" | "latin";
    readonly theme: "system" | "light" | "dark";
    readonly confirm: "automatic" | "always" | "never";
    readonly empty: boolean;
    readonly mineless: boolean;
    readonly sound: "off" | "turn" | "all";
    readonly motion: "system" | "full" | "none";
    readonly notices: boolean;
    readonly name: string;
    readonly options: Partial<Options>;
}

export const DEFAULTS: Settings = {
    language: null,
    letters: "language",
    theme: "system",
    confirm: "automatic",
    empty: true,
    mineless: false,
    sound: "turn",
    motion: "system",
    notices: false,
    name: "",
    options: {},
};

/** A ship of a draft by its place in the fleet: the first cell, counted row by row, or `null` in the dock. */
export interface Drafted {
    readonly ships: readonly { readonly start: number | null; readonly across: boolean }[];
    readonly mines: readonly (number | null)[];
}

const ROOM = "naval-battle/1/";
const ASKING = "naval-battle/asking";

const memory = new Map<string, string>();

/** Whether what is kept outlives this page. */
export let isLasting = true;

function take(name: string): unknown {
    let text = memory.get(name) ?? null;
    try {
        text = localStorage.getItem(name) ?? text;
    } catch {
        isLasting = false;
    }
    try {
        return text === null ? null : JSON.parse(text);
    } catch {
        return null;
    }
}

function keep(name: string, value: unknown): void {
    const text = JSON.stringify(value);
    try {
        localStorage.setItem(name, text);
        memory.delete(name);
    } catch {
        isLasting = false;
        memory.set(name, text);
    }
}

function drop(name: string): void {
    memory.delete(name);
    try {
        localStorage.removeItem(name);
    } catch {
        isLasting = false;
    }
}

function names(room: string): string[] {
    const found = new Set([...memory.keys()].filter((name) => name.startsWith(room)));
    try {
        for (let index = 0; index < localStorage.length; index += 1) {
            const name = localStorage.key(index);
            if (name?.startsWith(room)) {
                found.add(name);
            }
        }
    } catch {
        isLasting = false;
    }
    return [...found];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);

/** The seat that was kept of a game. */
export function seatOf(game: string): Kept | null {
    const value = take(`${ROOM}seat/${game}`);
    return isRecord(value) &&
        typeof value["token"] === "string" &&
        (value["seat"] === "host" || value["seat"] === "guest")
        ? ({ name: null, at: 0, ...(value as object) } as Kept)
        : null;
}

/** Of how many games the heads are kept: storage has an end. */
const REMEMBERED = 50;

export function keepSeat(game: string, seat: Kept): void {
    keep(`${ROOM}seat/${game}`, seat);
    for (const older of allSeats().slice(REMEMBERED)) {
        drop(`${ROOM}heads/${older.game}`);
    }
}

/** Seats that gave way to another key of the same game, until it is known whether that one opens anything. */
const displaced = new Map<string, Kept>();

/** Keeps a seat that came by a link. */
export function tryKey(game: string, seat: Kept): void {
    const before = seatOf(game);
    if (before && before.token !== seat.token) {
        displaced.set(game, before);
    }
    keepSeat(game, seat);
}

/** Brings back the seat that gave way to a key which opens nothing; whether there was one. */
export function restoreSeat(game: string): boolean {
    const before = displaced.get(game);
    if (before) {
        displaced.delete(game);
        keepSeat(game, before);
    }
    return before !== undefined;
}

/** Every seat that was kept, newest first. */
export function allSeats(): { readonly game: string; readonly seat: Kept }[] {
    return names(`${ROOM}seat/`)
        .map((name) => name.slice(`${ROOM}seat/`.length))
        .flatMap((game) => {
            const seat = seatOf(game);
            return seat ? [{ game, seat }] : [];
        })
        .sort((one, other) => other.seat.at - one.seat.at);
}

/** Drops all that was kept of a game. */
export function forget(game: string): void {
    for (const room of ["seat", "draft", "aim", "heads"]) {
        drop(`${ROOM}${room}/${game}`);
    }
}

export function settings(): Settings {
    const value = take(`${ROOM}settings`);
    return { ...DEFAULTS, ...(isRecord(value) ? value : {}) };
}

export function keepSettings(value: Settings): void {
    keep(`${ROOM}settings`, value);
}

/** What was asked for when the page was left, each by its key. */
export function asking(): Asking | null {
    const value = take(ASKING);
    return isRecord(value) && typeof value["key"] === "string" ? (value as unknown as Asking) : null;
}

export function keepAsking(value: Asking | null): void {
    if (value === null) {
        drop(ASKING);
    } else {
        keep(ASKING, value);
    }
}

export function draftOf(game: string): Drafted | null {
    const value = take(`${ROOM}draft/${game}`);
    return isRecord(value) && Array.isArray(value["ships"]) && Array.isArray(value["mines"])
        ? (value as unknown as Drafted)
        : null;
}

/** Keeps a draft; `null` drops it, since a draft is a secret and no longer needed once it is placed. */
export function keepDraft(game: string, draft: Drafted | null): void {
    if (draft === null) {
        drop(`${ROOM}draft/${game}`);
    } else {
        keep(`${ROOM}draft/${game}`, draft);
    }
}

export function aimOf(game: string): Cell[] {
    const value = take(`${ROOM}aim/${game}`);
    return Array.isArray(value) ? value.filter((cell) => typeof cell === "string") : [];
}

export function keepAim(game: string, aim: readonly Cell[]): void {
    if (aim.length === 0) {
        drop(`${ROOM}aim/${game}`);
    } else {
        keep(`${ROOM}aim/${game}`, aim);
    }
}

/** The heads of a game that this browser saw while it was played, by the `seq` of their events. */
export function headsOf(game: string): Map<number, string> {
    const value = take(`${ROOM}heads/${game}`);
    return new Map(isRecord(value) ? Object.entries(value).map(([seq, head]) => [Number(seq), String(head)]) : []);
}

export function keepHeads(game: string, heads: ReadonlyMap<number, string>): void {
    keep(`${ROOM}heads/${game}`, Object.fromEntries(heads));
}

const kind = (options: Options): string => `${options.grid}-${options.fleet}-${options.mines ? "mines" : "plain"}`;

/** The layout that was last used with such a grid, fleet and mines, in a game that is over. */
export function lastLayout(options: Options): Layout | null {
    const value = take(`${ROOM}layout/${kind(options)}`);
    return isRecord(value) && Array.isArray(value["ships"]) ? (value as unknown as Layout) : null;
}

export function keepLayout(options: Options, layout: Layout): void {
    keep(`${ROOM}layout/${kind(options)}`, layout);
}

/** Calls back when another tab has changed the seats or the settings that are kept. */
export function watchOthers(changed: () => void): void {
    addEventListener("storage", (event) => {
        if (event.key === null || event.key.startsWith(`${ROOM}se`)) {
            changed();
        }
    });
}
