import type { SaltedLayout } from "./boards.js";
import { canonical } from "./bytes.js";
import { across, cellsOf, indexOf, type Lying } from "./cells.js";
import type { Awaited, Cell, Event, Options, Seat, Shot, Status } from "./shapes.js";

/** What a judge of a log says of an event; the words are names of checks. */
export interface Judgement {
    readonly check: "turns" | "answers" | "debts" | "clock";
    readonly message: string;
}

type Fired = Extract<Event, { type: "fired" }>;
type Revealed = Extract<Event, { type: "revealed" }>;
type Due = Pick<Awaited, "seat" | "action" | "count">;

/**
 * Judges the events of an opened game one after the other by the rules and both layouts: whose turn it was, what each
 * shot found, what was owed and given, and whether it came in time.
 */
export class Referee {
    /** How many answers to shots were judged, and how many debts. */
    readonly judged = { answers: 0, debts: 0 };
    readonly #fired = { host: new Set<Cell>(), guest: new Set<Cell>() };
    readonly #given = { host: new Set<Cell>(), guest: new Set<Cell>() };
    readonly #placed = new Set<Seat>();
    readonly #taken = new Set<Seat>();
    #status: Status = "waiting";
    #first: Seat = "host";
    #due: Due = { seat: "guest", action: "join", count: 1 };
    #deadline: string | null = null;
    #found: Judgement[] = [];

    constructor(
        readonly options: Options,
        readonly layouts: Readonly<Record<Seat, SaltedLayout>>,
    ) {}

    /** What is wrong with the next event. */
    judge(event: Event): Judgement[] {
        this.#found = [];
        this.#judgeTime(event);
        const result = this.#happen(event);
        if (canonical(event.result ?? null) !== canonical(result)) {
            this.#find("turns", "the game does not end so here");
        }
        this.#judgeDerived(event);
        return this.#found;
    }

    #find(check: Judgement["check"], message: string): void {
        this.#found.push({ check, message });
    }

    #expect(isRight: boolean, message: string): void {
        if (!isRight) {
            this.#find("turns", message);
        }
    }

    /** Goes on to the game after an event, and gives the result that it should have. */
    #happen(event: Event): Event["result"] | null {
        switch (event.type) {
            case "created":
                this.#expect(this.#taken.size === 0, "the game is created again");
                this.#taken.add(event.seat);
                this.#due = { seat: across(event.seat), action: "join", count: 1 };
                return null;
            case "joined":
                this.#expect(this.#status === "waiting" && event.seat === this.#due.seat, "no such seat was free");
                this.#expect(
                    ["random", event.first].includes(this.options.first),
                    "the options say who shoots first",
                );
                this.#taken.add(event.seat);
                [this.#status, this.#first] = ["placing", event.first];
                return null;
            case "placed":
                this.#place(event.seat);
                return null;
            case "fired":
                return this.#fire(event);
            case "revealed":
                this.#reveal(event);
                return null;
            case "resigned":
                this.#expect(this.#taken.has(event.seat), "nobody has this seat");
                return this.#end(this.#status === "battle" ? across(event.seat) : null, "resigned");
            case "timed_out":
                return this.#timeOut(event.seat ?? null);
            case "expired":
                this.#expect(
                    this.#status === "waiting" || this.options.turn_seconds === null,
                    "a clock ends this game",
                );
                this.#status = "aborted";
                return { winner: null, reason: "expired" };
            case "extended":
                this.#expect(this.#deadline !== null, "there was no deadline to move on");
                return null;
        }
    }

    #place(seat: Seat): void {
        const mayPlace = this.#status === "placing" || (this.#status === "waiting" && this.#taken.has(seat));
        this.#expect(mayPlace && !this.#placed.has(seat), `the ${seat} was not to place`);
        this.#placed.add(seat);
        if (this.#status === "placing" && this.#placed.size === 2) {
            this.#status = "battle";
            this.#pass(this.#first);
        }
    }

    #fire(event: Fired): Event["result"] | null {
        this.#isTurn(event.seat, "fire", event.shots.length);
        const target = across(event.seat);
        const fleet = this.layouts[target].ships;
        let [mines, successes] = [0, 0];
        for (const shot of event.shots) {
            const isFree = indexOf(shot.cell, this.options.grid) !== null && !this.#fired[target].has(shot.cell);
            this.#expect(isFree, `${shot.cell} could not be fired at`);
            this.#fired[target].add(shot.cell);
            const answer = this.#answer(shot.cell, target);
            this.judged.answers += 1;
            if (canonical(answer) !== canonical(shot)) {
                this.#find("answers", `a false answer at ${shot.cell}`);
            }
            mines += answer.outcome === "mine" ? 1 : 0;
            successes += answer.outcome === "hit" || answer.outcome === "sunk" ? 1 : 0;
        }
        const wins = fleet.every((ship) => this.#isSunk(ship, target));
        const owed = mines === 0 ? undefined : wins ? 0 : Math.min(mines, this.#revealable(event.seat).size);
        this.judged.debts += mines === 0 ? 0 : 1;
        if (event.owed !== owed) {
            this.#find("debts", `${owed ?? "nothing"} was owed`);
        }
        if (wins) {
            return this.#end(event.seat, "fleet_sunk");
        }
        if (owed) {
            this.#due = { seat: event.seat, action: "reveal", count: owed };
        } else if (this.options.shoot_again && mines === 0 && successes > 0) {
            this.#due = { seat: event.seat, action: "fire", count: this.#atMostLeft(successes, target) };
        } else {
            this.#pass(target);
        }
        return null;
    }

    #reveal({ seat, cells }: Revealed): void {
        this.#isTurn(seat, "reveal", cells.length);
        for (const cell of cells) {
            if (!this.#revealable(seat).has(cell)) {
                this.#find("debts", `${cell} could not be given away`);
            }
            this.#given[seat].add(cell);
        }
        this.#pass(across(seat));
    }

    #timeOut(seat: Seat | null): Event["result"] | null {
        const unplaced = (["host", "guest"] as const).filter((one) => !this.#placed.has(one));
        const late = this.#status === "battle" ? this.#due.seat : unplaced.length === 1 ? unplaced[0] : null;
        this.#expect(seat === late && this.#status !== "waiting", "it was not the one whose time ran out");
        return this.#end(this.#status === "battle" ? across(this.#due.seat) : null, "timed_out");
    }

    #end(winner: Seat | null, reason: "fleet_sunk" | "resigned" | "timed_out"): Event["result"] {
        this.#expect(this.#status !== "finished" && this.#status !== "aborted", "the game was over");
        this.#status = winner === null ? "aborted" : "finished";
        return { winner, reason: winner === null ? "aborted" : reason };
    }

    #isTurn(seat: Seat, action: Due["action"], count: number): void {
        const { seat: due, action: what, count: many } = this.#due;
        const isDue = this.#status === "battle" && seat === due && action === what;
        this.#expect(isDue, `the ${seat} was not to ${action}`);
        this.#expect(!isDue || count === many, `${many} were due, not ${count}`);
    }

    #pass(seat: Seat): void {
        const { ships } = this.layouts[seat];
        const afloat = ships.filter((ship) => !this.#isSunk(ship, seat)).length;
        const count = this.#atMostLeft(this.options.salvo ? afloat : 1, across(seat));
        this.#due = { seat, action: "fire", count };
    }

    #atMostLeft(count: number, target: Seat): number {
        return Math.min(count, this.options.grid ** 2 - this.#fired[target].size);
    }

    #answer(cell: Cell, target: Seat): Shot {
        const { ships, mines } = this.layouts[target];
        const ship = ships.find((ship) => cellsOf(ship).includes(cell));
        if (ship && this.#isSunk(ship, target)) {
            const { start, length, direction } = ship;
            return { cell, outcome: "sunk", ship: { start, length, direction: direction ?? "across" } };
        }
        return { cell, outcome: ship ? "hit" : mines?.includes(cell) ? "mine" : "miss" };
    }

    #isSunk(ship: Lying, seat: Seat): boolean {
        return cellsOf(ship).every((cell) => this.#fired[seat].has(cell));
    }

    #revealable(seat: Seat): Set<Cell> {
        const cells = this.layouts[seat].ships.flatMap(cellsOf);
        return new Set(cells.filter((cell) => !this.#fired[seat].has(cell) && !this.#given[seat].has(cell)));
    }

    /** What comes by a clock comes from its deadline on, all else before (R25, R30). */
    #judgeTime(event: Event): void {
        if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(event.at)) {
            this.#find("clock", "its time is none");
        } else if (this.#deadline !== null) {
            const isByClock = ["timed_out", "expired", "extended"].includes(event.type);
            if (isByClock !== event.at >= this.#deadline) {
                this.#find("clock", isByClock ? "it came too early" : "it came too late");
            }
        }
    }

    /** What is awaited after an event, and until when. */
    #judgeDerived(event: Event): void {
        this.#deadline = this.#deadlineAfter(event);
        this.#expect(event.status === this.#status, `the game was ${this.#status}`);
        const until = this.#deadline;
        const awaiting = this.#awaiting().map((due) => ({ ...due, until }));
        // What the host owes while nobody has joined is told since `place` is allowed then.
        const isTold = ({ action }: Due) => this.#status !== "waiting" || action === "join";
        this.#expect(canonical(event.awaiting.filter(isTold)) === canonical(awaiting), "something else was awaited");
    }

    #awaiting(): Due[] {
        switch (this.#status) {
            case "waiting":
            case "battle":
                return [this.#due];
            case "placing": {
                const late = (["host", "guest"] as const).filter((seat) => !this.#placed.has(seat));
                return late.map((seat) => ({ seat, action: "place", count: 1 }));
            }
            case "finished":
            case "aborted":
                return [];
        }
    }

    #deadlineAfter(event: Event): string | null {
        const { turn_seconds } = this.options;
        if (this.#status === "finished" || this.#status === "aborted") {
            return null;
        }
        if (event.type === "extended") {
            return this.#deadline && later(this.#deadline, event.seconds);
        }
        if (this.#status === "waiting") {
            // When a game expires is the server's to say.
            return event.awaiting.find(({ action }) => action === "join")?.until ?? null;
        }
        if (event.type === "placed" && this.#status === "placing") {
            return this.#deadline;
        }
        return turn_seconds === null ? null : later(event.at, turn_seconds);
    }
}

/** A time so many whole seconds later; its microseconds stay. */
function later(time: string, seconds: number): string {
    const moved = new Date(Date.parse(`${time.slice(0, 19)}Z`) + seconds * 1_000);
    return moved.toISOString().slice(0, 19) + time.slice(19);
}
