import type { Creation, Options, Player } from "naval-battle-client";

import { newKey, NoAnswer, ProblemError } from "../client.js";
import { api, setTable, store } from "../app.js";
import { go } from "../route.js";
import * as seats from "../seats.js";
import { t } from "../text/index.js";
import { open } from "./open.js";
import { treatment, wordOf } from "./refusals.js";

/** A listed game is looked for strangers no older than this, in milliseconds. */
const FRESH = 120_000;
/** The clock of a listed game where nobody chose one, in seconds. */
const LISTED = 180;

export type Opponent = "easy" | "medium" | "hard" | "friend" | "stranger";

/** The options that were chosen last, with every default filled in. */
export function chosen(opponent?: Opponent): Options {
    const { rules, settings } = store.state;
    const defaults: Options = rules?.defaults ?? {
        grid: 10,
        fleet: "classic",
        mines: true,
        salvo: false,
        shoot_again: false,
        first: "random",
        turn_seconds: null,
    };
    const clock = settings.options.turn_seconds;
    const listed = opponent === "stranger" && clock === undefined ? { turn_seconds: LISTED } : {};
    return { ...defaults, ...settings.options, ...listed };
}

/** Keeps a seat and shows its game. */
function sit(player: Player, name: string | null, other: string | null = null): void {
    seats.keepSeat(player.id, { seat: player.seat, token: player.token, name, other, at: Date.now() });
    seats.keepAsking(null);
    store.set({ seats: seats.allSeats() });
    go({ screen: "game", game: player.id });
    open(player.id);
}

/** Asks for a seat under a key that is kept before, so that a reload brings the same seat. */
async function ask(asking: seats.Asking): Promise<void> {
    const { creation, game, joining } = asking;
    seats.keepAsking(asking);
    store.set({ isAsking: true, trouble: null });
    try {
        const player =
            game === undefined
                ? await api().create(creation ?? {}, { key: asking.key })
                : await api()
                      .table(game)
                      .join(joining ?? {}, { key: asking.key });
        sit(player, creation?.name ?? joining?.name ?? null);
    } catch (error) {
        await refused(error, asking);
    } finally {
        store.set({ isAsking: false });
    }
}

async function refused(error: unknown, asking: seats.Asking): Promise<void> {
    if (!(error instanceof ProblemError)) {
        // The seat may be ours: the key is kept, and asking again brings it.
        store.set({ trouble: error instanceof NoAnswer ? t.noAnswer : t.somethingWrong });
        if (!(error instanceof NoAnswer)) {
            throw error;
        }
        return;
    }
    seats.keepAsking(null);
    switch (treatment(error.code)) {
        case "key":
            await ask({ ...asking, key: newKey() });
            break;
        case "own":
        case "watch":
        case "over":
            store.set({ trouble: wordOf(error.problem) });
            setTable({ word: wordOf(error.problem) });
            go({ screen: "game", game: asking.game ?? "" });
            break;
        case "old":
            store.set({ isOld: true });
            break;
        case "wait":
            store.set({ trouble: t.tryAgainIn(error.retryAfter ?? 1) });
            break;
        default:
            store.set({ trouble: wordOf(error.problem) });
    }
}

function named(): { name?: string } {
    const name = store.state.settings.name.trim();
    return name === "" ? {} : { name };
}

/** Begins a game with the options chosen last. */
export async function begin(opponent: Opponent): Promise<void> {
    if (store.state.isAsking) {
        return;
    }
    const options = chosen(opponent);
    const creation: Creation = { options, ...named() };
    if (opponent === "friend") {
        await ask({ key: newKey(), creation });
    } else if (opponent === "stranger") {
        await meet(options);
    } else {
        await ask({ key: newKey(), creation: { ...creation, bot: opponent } });
    }
}

/** Joins the newest fresh game of these options, else lists one. */
async function meet(options: Options): Promise<void> {
    store.set({ isAsking: true, trouble: null });
    const own = new Set(seats.allSeats().map(({ game }) => game));
    try {
        const { games } = await api().list({ limit: 100 });
        const fresh = games.find(
            (offer) =>
                !own.has(offer.id) &&
                Date.now() - Date.parse(offer.created_at) < FRESH &&
                isSame(offer.options, options),
        );
        if (fresh) {
            await join(fresh.id);
            return;
        }
    } catch (error) {
        await refused(error, { key: "" });
        return;
    } finally {
        store.set({ isAsking: false });
    }
    await ask({ key: newKey(), creation: { options, ...named(), listed: true } });
}

const isSame = (one: Options, other: Options): boolean =>
    (Object.keys(one) as (keyof Options)[]).every((option) => one[option] === other[option]);

/** Takes the free seat of a game. */
export async function join(game: string): Promise<void> {
    await ask({ key: newKey(), game, joining: named() });
}

/** Asks again for what was asked for when the page was left. */
export async function resume(): Promise<void> {
    const asking = seats.asking();
    if (asking) {
        await ask(asking);
    }
}

/** Asks for the rematch of an ended game, or accepts it. */
export async function rematch(game: string): Promise<void> {
    const seat = seats.seatOf(game);
    const { table } = store.state;
    if (!seat || table?.busy) {
        return;
    }
    setTable({ busy: "rematch", word: null });
    try {
        sit(await api().seat(game, seat.seat, seat.token).rematch(), seat.name, seat.other ?? null);
    } catch (error) {
        setTable({ word: error instanceof ProblemError ? wordOf(error.problem) : t.noAnswer });
    } finally {
        setTable({ busy: null });
    }
}
