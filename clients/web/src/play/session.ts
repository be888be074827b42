import type { Event, Game, Table as Watched } from "naval-battle-client";

import { advance, Player, ProblemError } from "../client.js";
import { api, once, setTable, store, type Table } from "../app.js";
import { happened } from "../notice/happened.js";
import { prove } from "../proof/each.js";
import * as seats from "../seats.js";
import { owes } from "../shapes.js";
import { endsBy } from "./busy.js";
import { Clock } from "./clock.js";
import { Live } from "./live.js";
import { Log } from "./log.js";
import { wordOf } from "./refusals.js";
import { settle } from "./settle.js";

/** How long a bot's move stays alone on the board, in milliseconds. */
const BEAT = 500;

/** After how long without an answer the connection is called lost, in milliseconds. */
const LOST = 3_000;

export type Salted = Parameters<typeof advance>[2];

/** A game of which nothing is known yet. */
function blank(id: string): Table {
    return {
        id,
        game: null,
        events: [],
        link: "opening",
        missing: null,
        isLocked: false,
        busy: null,
        word: null,
        aim: seats.aimOf(id),
        picked: [],
        draft: null,
        held: null,
        across: true,
        checked: null,
        isReady: false,
        seal: null,
        proofs: new Map(),
        next: null,
    };
}

/** A game that is open: what is known of it, where it stands, and the moves of one's own seat. */
export class Session {
    readonly clock = new Clock();
    readonly #live: Live;
    readonly #log: Log;
    #queue: Event[] = [];
    #pumping: number | undefined;
    #shownAt = 0;
    /** What oneself has hidden, once the server has taken it. */
    layout: Salted;
    #isClosed = false;
    #isLocked = false;
    #unanswered = new Set<number>();

    constructor(
        readonly id: string,
        readonly seat: seats.Kept | null,
    ) {
        this.#log = new Log(id, seat !== null);
        this.#live = new Live(this);
    }

    /** The open game's part of the state. */
    get table(): Table | null {
        const { table } = store.state;
        return this.#isClosed || table?.id !== this.id ? null : table;
    }

    /** Who looks and moves: a seat, or a spectator where there is none. */
    who(client = api()): Watched | Player {
        return this.seat && !this.#isLocked
            ? client.seat(this.id, this.seat.seat, this.seat.token)
            : client.table(this.id);
    }

    get isEnded(): boolean {
        const status = this.table?.game?.status;
        return status === "finished" || status === "aborted";
    }

    /** Whether each event up to the one that is drawn is known. */
    get isWhole(): boolean {
        return this.#log.whole >= (this.table?.game?.version ?? 0);
    }

    /** The last event that is known, drawn or about to be. */
    get last(): number {
        return Math.max(this.table?.game?.version ?? 0, ...this.#queue.map((event) => event.seq));
    }

    /** Looks at the game, draws it, then follows it. */
    async open(): Promise<void> {
        store.set({ table: blank(this.id) });
        for (
            let pause = 500;
            this.table && !this.table.game && !this.table.missing;
            pause = Math.min(2 * pause, 30_000)
        ) {
            const answered = this.expect();
            try {
                await this.look();
            } catch (error) {
                this.#cannotOpen(error);
            } finally {
                answered();
            }
            if (this.table && !this.table.game && !this.table.missing) {
                setTable({ link: "lost" });
                await new Promise((resolve) => setTimeout(resolve, pause));
            }
        }
        if (this.table?.game) {
            void this.#live.run();
        }
    }

    close(): void {
        this.#isClosed = true;
        clearTimeout(this.#pumping);
        this.#live.close();
        for (const timer of this.#unanswered) {
            clearTimeout(timer);
        }
    }

    /** Catches up and streams anew, at once. */
    wake(): void {
        this.#live.wake();
    }

    /** Lets go of the stream, so that the page can be kept for going back to. */
    rest(): void {
        this.#live.rest();
    }

    /** Calls the connection lost unless the function that this gives is called soon. */
    expect(): () => void {
        const timer = window.setTimeout(() => this.table && setTable({ link: "lost" }), LOST);
        this.#unanswered.add(timer);
        return () => {
            clearTimeout(timer);
            this.#unanswered.delete(timer);
        };
    }

    /** Something came: the connection is there. */
    hear(): void {
        if (this.table && this.table.link !== "live") {
            setTable({ link: "live" });
        }
    }

    /** Looks at the game and draws it, unless more is known by now. */
    async look(): Promise<void> {
        let game: Game;
        try {
            game = await this.who().look();
        } catch (error) {
            if (!(error instanceof ProblemError && error.code === "unauthorized") || this.#isLocked) {
                throw error;
            }
            if (seats.restoreSeat(this.id)) {
                dispatchEvent(new HashChangeEvent("hashchange"));
                return;
            }
            this.lock();
            game = await this.who().look();
        }
        this.hear();
        this.draw(game);
    }

    /** Draws a game that was looked at. */
    draw(game: Game): void {
        const before = this.table?.game ?? null;
        if (!this.table || game.version < (before?.version ?? 0)) {
            return;
        }
        this.#queue = this.#queue.filter((event) => event.seq > game.version);
        setTable({ game });
        settle(this, game);
        this.#pump(false);
    }

    /** Takes events, wherever they come from; each counts once, in its order. */
    receive(events: readonly Event[], how: "live" | "at once"): void {
        const { table } = this;
        if (!table?.game) {
            return;
        }
        const fresh = this.#log.take(events);
        const { version } = table.game;
        this.#queue.push(...fresh.filter((event) => event.seq > version));
        this.#queue.sort((one, other) => one.seq - other.seq);
        if (fresh.length > 0) {
            this.#pump(how === "at once");
        }
    }

    /** Shows at once what is still to be shown of a bot's moves; whether there was something. */
    hurry(): boolean {
        const waited = this.#queue.length > 0;
        this.#pump(true);
        return waited;
    }

    /** Draws what has come, a bot's moves one after the other unless all at once. */
    #pump(atOnce: boolean): void {
        clearTimeout(this.#pumping);
        for (;;) {
            const game = this.table?.game;
            const [event] = this.#queue;
            if (!game) {
                return;
            }
            if (event === undefined) {
                const events = this.#log.upTo(game.version);
                if (events.length !== this.table?.events.length) {
                    setTable({ events });
                }
                return;
            }
            if (event.seq > game.version + 1) {
                this.#live.wake();
                return;
            }
            const isBot = event.type === "fired" || event.type === "revealed" ? game.players[event.seat]?.bot : null;
            const rest = this.#shownAt + BEAT - Date.now();
            if (isBot && !atOnce && rest > 0 && document.visibilityState === "visible") {
                setTable({ events: this.#log.upTo(game.version) });
                this.#pumping = window.setTimeout(() => this.#pump(false), rest);
                return;
            }
            this.#queue.shift();
            this.#shownAt = Date.now();
            this.#happen(game, event);
        }
    }

    #happen(before: Game, event: Event): void {
        const isOwnLayout = event.type === "placed" && event.seat === before.you;
        const game = advance(before, event, isOwnLayout ? this.layout : undefined);
        setTable({ game, events: this.#log.upTo(game.version) });
        happened(before, event, game);
        if (game.result === null) {
            void prove(this.who(once()), game, event);
        }
        settle(this, game);
        endsBy(event, before.you);
        const tellsLittle =
            event.result !== undefined ||
            (isOwnLayout && game.boards[event.seat].salt === null) ||
            (owes(game, game.you)?.action === "reveal" && game.revealable === null);
        if (tellsLittle) {
            this.look().catch(() => this.wake());
        }
    }

    /** Goes on as a spectator: the token opens no seat. */
    lock(): void {
        this.#isLocked = true;
        setTable({ isLocked: true });
    }

    #cannotOpen(error: unknown): void {
        if (error instanceof ProblemError) {
            const isPassing = error.status === 429 || error.status >= 500;
            setTable(isPassing ? { word: wordOf(error.problem) } : { missing: wordOf(error.problem) });
        }
    }

    /** What came after what is known, from the log itself. */
    async catchUp(signal: AbortSignal): Promise<void> {
        for (;;) {
            const after = this.#log.whole;
            const log = await this.who(once()).events({ after, limit: 500 });
            if (signal.aborted || !this.table) {
                return;
            }
            this.hear();
            this.receive(log.events, log.events.length > 3 || after === 0 ? "at once" : "live");
            const [...events] = log.events;
            if (events.length === 0 || (events.at(-1)?.seq ?? 0) >= log.version) {
                return;
            }
        }
    }
}
