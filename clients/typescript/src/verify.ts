import { canonical, hex, joined, unhex, utf8 } from "./bytes.js";
import type { SaltedLayout } from "./boards.js";
import { FLEETS, illegal, mineCount } from "./fleets.js";
import { layoutOf, positions } from "./positions.js";
import { commitmentTo } from "./proof.js";
import { Referee } from "./referee.js";
import type { Event, Game, Seat } from "./shapes.js";
import { sha256 as platformSha256, type Sha256 } from "./sha256.js";

/** What is checked. */
export type CheckName =
    /** Each event's `head` is SHA-256 over the head before it and the event, so that none was changed. */
    | "chain"
    /** The game ends where its log ends, and is what the log says. */
    | "game"
    /** The heads that were noted during play are in the log. */
    | "heads"
    /** Both layouts keep to the rules. */
    | "layouts"
    /** Both layouts are those that were sealed before the first shot. */
    | "commitments"
    /** Each answer to a shot is what the layouts say. */
    | "answers"
    /** What was owed for mines is right, and what was given away could be. */
    | "debts"
    /** Each did what was theirs to do, and the end is what the rules say. */
    | "turns"
    /** Each move came in time, and no clock ran out too early. */
    | "clock"
    /** Both boards show what the log and the layouts make of them. */
    | "boards";

/** What a check found. */
export interface Check {
    readonly name: CheckName;
    /** Whether all is right; `null` where it cannot be told, because the layouts are sealed or no head was noted. */
    readonly ok: boolean | null;
    /** How many things were checked: events, heads, layouts, commitments, answers, debts. */
    readonly count: number;
    readonly faults: readonly CheckFault[];
}

export interface CheckFault {
    /** The place of the event that it is about, from 1; `null` where it is about the game as a whole. */
    readonly seq: number | null;
    readonly message: string;
}

const SEATS: readonly Seat[] = ["host", "guest"];

/** The checks that need both layouts. */
const OPENED: readonly CheckName[] = ["layouts", "commitments", "answers", "debts", "turns", "clock", "boards"];

/**
 * Checks a game against its whole log, trusting nobody, the server included; `notedHeads` are heads that were kept
 * from earlier moments. Before somebody has won the layouts are sealed, and there is the chain alone to check. What
 * cannot even be read as a game is not true.
 */
export async function verify(
    game: Game,
    events: readonly Event[],
    notedHeads: Iterable<string> = [],
    sha256: Sha256 = platformSha256,
): Promise<Check[]> {
    const ledger = new Ledger();
    await ledger.run("chain", () => checkChain(ledger, events, sha256));
    await ledger.run("game", () => checkGame(ledger, game, events));
    await ledger.run("heads", () => checkHeads(ledger, events, notedHeads));
    // The result was hashed: whatever is said of the status beside it, it tells whether all is to be opened.
    if (events.some((event) => event?.result?.winner)) {
        await ledger.run(OPENED, () => checkOpened(ledger, game, events, sha256));
    } else {
        OPENED.forEach((name) => ledger.seal(name));
    }
    return ledger.checks();
}

async function checkChain(ledger: Ledger, events: readonly Event[], sha256: Sha256): Promise<void> {
    let head: Uint8Array = new Uint8Array(32);
    if (events.length === 0) {
        ledger.find("chain", null, "there are no events");
    }
    for (const [index, event] of events.entries()) {
        const { status, awaiting, head: claimed, ...hashed } = event;
        head = await sha256(joined(head, utf8(canonical(hashed))));
        ledger.count("chain");
        if (event.seq !== index + 1) {
            ledger.find("chain", index + 1, `event ${event.seq} is not in its place`);
        }
        if (claimed !== hex(head)) {
            ledger.find("chain", index + 1, "the event does not continue the chain");
            // From the false head on, so that each lie is told once.
            head = unhex(claimed);
        }
    }
}

function checkGame(ledger: Ledger, game: Game, events: readonly Event[]): void {
    const [first, last] = [events[0], events.at(-1)];
    const expect = (shown: unknown, logged: unknown, what: string) => {
        ledger.count("game");
        if (canonical(shown ?? null) !== canonical(logged ?? null)) {
            ledger.find("game", null, `the game has another ${what} than its log`);
        }
    };
    if (first?.type !== "created" || last === undefined) {
        return ledger.find("game", 1, "the log does not begin with the creation");
    }
    expect(game.id, first.game, "id");
    expect(game.options, first.options, "options");
    expect(game.created_at, first.at, "created_at");
    expect(game.version, events.length, "version");
    expect(game.head, last.head, "head");
    expect(game.status, last.status, "status");
    expect(game.awaiting, last.awaiting, "awaiting");
    expect(game.result, last.result, "result");
    const { winner } = last.result ?? {};
    const ended = last.result && (winner ? "finished" : "aborted");
    const isOver = ["finished", "aborted"].includes(game.status);
    expect(isOver ? game.status : null, ended, "end");
    expect(game.setup, { ships: FLEETS[first.options.fleet], mines: mineCount(first.options) }, "setup");
    for (const seat of SEATS) {
        const placed = events.find((event) => event.type === "placed" && event.seat === seat);
        const commitment = placed?.type === "placed" ? placed.commitment : null;
        expect(game.players[seat]?.commitment, commitment, `commitment of the ${seat}`);
    }
}

function checkHeads(ledger: Ledger, events: readonly Event[], noted: Iterable<string>): void {
    const heads = new Set(events.map((event) => event.head));
    for (const head of noted) {
        ledger.count("heads");
        if (!heads.has(head)) {
            ledger.find("heads", null, `the log has not the head ${head}`);
        }
    }
    if (ledger.counted("heads") === 0) {
        ledger.seal("heads");
    }
}

async function checkOpened(ledger: Ledger, game: Game, events: readonly Event[], sha256: Sha256): Promise<void> {
    const [host, guest] = [layoutOf(game, "host"), layoutOf(game, "guest")];
    if (host === undefined || guest === undefined) {
        return OPENED.forEach((name) => ledger.find(name, null, "somebody has won, and the layouts are not shown"));
    }
    const layouts = { host, guest };
    const { options } = game;
    await ledger.run("layouts", () => {
        for (const seat of SEATS) {
            ledger.count("layouts");
            const fault = illegal(layouts[seat], options);
            if (fault !== null) {
                ledger.find("layouts", null, `the ${seat}'s layout: ${fault}`);
            }
        }
    });
    await ledger.run("commitments", () => checkCommitments(ledger, game, events, layouts, sha256));
    await ledger.run(["answers", "debts", "turns", "clock"], () => checkPlay(ledger, game, events, layouts));
    await ledger.run("boards", () => checkBoards(ledger, game, events));
}

async function checkCommitments(
    ledger: Ledger,
    game: Game,
    events: readonly Event[],
    layouts: Record<Seat, SaltedLayout>,
    sha256: Sha256,
): Promise<void> {
    for (const seat of SEATS) {
        const placed = events.filter((event) => event.type === "placed" && event.seat === seat);
        const [event] = placed;
        const commitment = await commitmentTo(layouts[seat], game.id, game.options, seat, sha256);
        ledger.count("commitments");
        if (event?.type !== "placed" || placed.length > 1 || event.commitment !== commitment) {
            ledger.find("commitments", event?.seq ?? null, `the ${seat} committed to another layout`);
        }
    }
}

function checkPlay(ledger: Ledger, game: Game, events: readonly Event[], layouts: Record<Seat, SaltedLayout>): void {
    const referee = new Referee(game.options, layouts);
    for (const [index, event] of events.entries()) {
        ledger.count("turns");
        ledger.count("clock");
        for (const { check, message } of referee.judge(event)) {
            ledger.find(check, index + 1, message);
        }
    }
    ledger.count("answers", referee.judged.answers);
    ledger.count("debts", referee.judged.debts);
}

function checkBoards(ledger: Ledger, game: Game, events: readonly Event[]): void {
    const last = positions(game, events, game.you ?? "spectator").at(-1);
    ledger.count("boards", 2);
    // What an earlier release did not speak of is `null` here.
    const plain = (shown: Game | undefined) => canonical(withoutNull({ ...shown, next: null }));
    if (plain(last) !== plain(game)) {
        ledger.find("boards", null, "the game shown is not the game of this log");
    }
}

function withoutNull(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value, (_, part: unknown) => (part === null ? undefined : part)));
}

/** What was checked, and what was found. */
class Ledger {
    readonly #found = new Map<CheckName, CheckFault[]>();
    readonly #counts = new Map<CheckName, number>();
    readonly #sealed = new Set<CheckName>();

    count(name: CheckName, many = 1): void {
        this.#counts.set(name, this.counted(name) + many);
    }

    counted(name: CheckName): number {
        return this.#counts.get(name) ?? 0;
    }

    find(name: CheckName, seq: number | null, message: string): void {
        this.#found.set(name, [...(this.#found.get(name) ?? []), { seq, message }]);
    }

    seal(name: CheckName): void {
        this.#sealed.add(name);
    }

    /** Makes a check, or several in one; what cannot be read is not true. */
    async run(names: CheckName | readonly CheckName[], check: () => void | Promise<void>): Promise<void> {
        try {
            await check();
        } catch (cause) {
            [names].flat().forEach((name) => this.find(name, null, `it cannot be read: ${String(cause)}`));
        }
    }

    checks(): Check[] {
        const names: readonly CheckName[] = ["chain", "game", "heads", ...OPENED];
        return names.map((name) => {
            const faults = this.#found.get(name) ?? [];
            const ok = this.#sealed.has(name) && faults.length === 0 ? null : faults.length === 0;
            return { name, ok, count: this.counted(name), faults };
        });
    }
}
