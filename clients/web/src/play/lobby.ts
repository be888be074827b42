import { ProblemError } from "../client.js";
import { api, once, store, type Glance } from "../app.js";
import * as seats from "../seats.js";

/** How often the lobby is renewed while it is looked at, in milliseconds. */
const RENEWAL = 5_000;
/** How many of one's own games are looked at together. */
export const GLANCES = 8;

let timer: number | undefined;
let isRunning = false;

/** Looks at the lobby and at one's own games, now and again and again. */
export function startLobby(): void {
    if (!isRunning) {
        isRunning = true;
        document.addEventListener("visibilitychange", renew);
        renew();
    }
}

export function stopLobby(): void {
    isRunning = false;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", renew);
}

function renew(): void {
    clearTimeout(timer);
    if (!isRunning || document.visibilityState !== "visible") {
        return;
    }
    void Promise.allSettled([lookAtLobby(), lookAtOwn()]).then(() => {
        if (isRunning) {
            timer = window.setTimeout(renew, RENEWAL);
        }
    });
}

async function lookAtLobby(): Promise<void> {
    const { games } = await once().list({ limit: 20 });
    store.set({ offers: games });
}

/** Whether the server tells of many games in one reply. */
let hasStatus = true;

async function lookAtOwn(): Promise<void> {
    const kept = seats.allSeats().slice(0, GLANCES);
    if (kept.length === 0) {
        return;
    }
    const glances = new Map<string, Glance | null>();
    if (hasStatus) {
        try {
            const games = await once().status(kept.map(({ game, seat }) => ({ id: game, token: seat.token })));
            kept.forEach(({ game }, index) => glances.set(game, games[index] ?? null));
            store.set({ glances });
            return;
        } catch (error) {
            if (!(error instanceof ProblemError) || ![400, 404, 405].includes(error.status)) {
                throw error;
            }
            hasStatus = false;
        }
    }
    await Promise.all(
        kept.map(async ({ game, seat }) => {
            try {
                glances.set(game, await api().seat(game, seat.seat, seat.token).look());
            } catch {
                glances.set(game, null);
            }
        }),
    );
    store.set({ glances });
}
