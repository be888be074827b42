import type { Game, Layout } from "naval-battle-client";

import { ProblemError } from "../client.js";
import { api, setTable, store, type Table } from "../app.js";
import type { PressedBy } from "../board/grid.js";
import { spoken } from "../notice/live.js";
import { act } from "../play/act.js";
import { session } from "../play/open.js";
import { wordOf } from "../play/refusals.js";
import * as seats from "../seats.js";
import { t } from "../text/index.js";
import { Draft, isSame, type Piece } from "./draft.js";
import { faultsOf, nameOf, piecesOf } from "./faults.js";
import { moved } from "./geometry.js";

/** How long a draft rests before the server is asked about it, in milliseconds. */
const REST = 150;

let checking: number | undefined;
/** The draft from before a piece was taken up, for whoever changes their mind. */
let before: Draft | null = null;

function table(): (Table & { game: Game }) | null {
    const { table } = store.state;
    return table?.game ? { ...table, game: table.game } : null;
}

/** Shows a draft, keeps it, and asks about it once it rests. */
export function draw(draft: Draft, held: Piece | null = null, isFinal = true): void {
    const open = table();
    if (!open) {
        return;
    }
    setTable({ draft, held, word: null });
    if (isFinal) {
        seats.keepDraft(open.id, draft.drafted);
        clearTimeout(checking);
        checking = window.setTimeout(() => void check(draft), REST);
    }
}

/** Begins with what was kept, else with a legal layout of the server's. */
export async function begin(): Promise<void> {
    const open = table();
    if (!open || open.draft) {
        return;
    }
    const kept = seats.draftOf(open.id);
    const draft = kept ? Draft.kept(open.game, kept) : null;
    draw(draft ?? Draft.empty(open.game));
    if (!draft) {
        await shuffle();
    }
}

export async function shuffle(): Promise<void> {
    const open = table();
    if (!open) {
        return;
    }
    before = null;
    setTable({ held: null });
    const { grid, fleet, mines } = open.game.options;
    try {
        const { layout } = await api().randomLayout({ grid, fleet, mines });
        draw(Draft.of(open.game, layout));
    } catch (error) {
        setTable({ word: error instanceof ProblemError ? wordOf(error.problem) : t.noAnswer });
    }
}

export function clear(): void {
    const open = table();
    if (open) {
        before = null;
        draw(Draft.empty(open.game));
    }
}

/** The layout of the last game of the same grid, fleet and mines. */
export function lastTime(): void {
    const open = table();
    const layout = open ? seats.lastLayout(open.game.options) : null;
    if (open && layout) {
        before = null;
        draw(Draft.of(open.game, layout));
    }
}

/** Takes hold of a piece in the dock, or lets go of it. */
export function choose(piece: Piece, by: PressedBy, active: number): void {
    const open = table();
    if (!open?.draft) {
        return;
    }
    if (isSame(open.held, piece)) {
        setTable({ held: null });
        return;
    }
    before = open.draft;
    if (by === "key") {
        draw(open.draft.with(piece, active, open.across), piece);
        tellWhere(piece);
    } else {
        setTable({ held: piece, word: null });
    }
}

/** A press on a cell: takes up, puts down, or turns. */
export function press(cell: number, by: PressedBy): void {
    const open = table();
    if (!open?.draft) {
        return;
    }
    const { draft, held } = open;
    const there = draft.at(cell);
    if (held === null) {
        if (there === null) {
            setTable({ word: draft.isWhole ? null : t.chooseShip });
            return;
        }
        before = draft;
        setTable({ held: there, word: null });
        tellWhere(there);
        return;
    }
    if (by === "key") {
        // What is carried by keys is put down where it lies.
        draw(draft.isDocked(held) ? draft.with(held, cell, open.across) : draft);
        return;
    }
    if (isSame(there, held)) {
        turn();
    } else if (there !== null && !draft.isDocked(held)) {
        before = draft;
        setTable({ held: there });
    } else {
        draw(draft.with(held, cell, draft.isDocked(held) ? open.across : undefined));
    }
}

/** Turns the ship that is held, or the way in which the next one lies. */
export function turn(): void {
    const open = table();
    if (!open?.draft) {
        return;
    }
    const { draft, held } = open;
    if (held?.kind === "ship" && !draft.isDocked(held)) {
        draw(draft.turned(held), held);
        tellWhere(held);
    } else {
        setTable({ across: !open.across });
    }
}

/** Returns what is held to the dock. */
export function dock(piece: Piece | null = table()?.held ?? null): void {
    const open = table();
    if (open?.draft && piece) {
        draw(open.draft.with(piece, null));
    }
}

/** A key on a cell; `true` where it was taken. */
export function key(event: KeyboardEvent): number | boolean {
    const open = table();
    if (!open?.draft || event.ctrlKey || event.altKey || event.metaKey) {
        return false;
    }
    const { draft, held } = open;
    if (held === null) {
        return false;
    }
    const steps: Readonly<Record<string, readonly [number, number]>> = {
        ArrowLeft: [-1, 0],
        ArrowRight: [1, 0],
        ArrowUp: [0, -1],
        ArrowDown: [0, 1],
    };
    const step = steps[event.key];
    const [first] = draft.cells(held);
    if (step && first !== undefined) {
        const berth = held.kind === "ship" ? draft.berth(held.index) : { start: first, length: 1, across: true };
        const next = berth ? moved(berth, step[0], step[1], draft.grid).start : first;
        draw(draft.with(held, next), held);
        tellWhere(held);
        return next;
    }
    switch (event.key.toLowerCase()) {
        case "r":
        case "к":
            turn();
            return table()?.draft?.cells(held)[0] ?? true;
        case "delete":
        case "backspace":
            dock(held);
            spoken(t.backInDock(nameOf(held, draft)));
            return true;
        case "escape":
            draw(before ?? draft);
            return true;
        default:
            return false;
    }
}

function tellWhere(piece: Piece): void {
    const draft = table()?.draft;
    if (draft) {
        const lies = piece.kind === "ship" ? (draft.drafted.ships[piece.index]?.across ? t.across : t.down) : "";
        spoken([nameOf(piece, draft), lies].filter((word) => word !== "").join(", "));
    }
}

/** Asks the server about a draft; what it says of an older one is dropped. */
async function check(draft: Draft): Promise<void> {
    const open = table();
    if (!open || open.draft !== draft) {
        return;
    }
    const { layout, ships, mines } = draft.sent;
    try {
        const { legal, faults, free_mine_cells } = await api().checkLayout({ options: open.game.options, layout });
        if (table()?.draft === draft) {
            const told = faults.map((fault) => ({ ...fault, pieces: piecesOf(fault, ships, mines) }));
            setTable({ checked: { draft, legal, faults: told, free: free_mine_cells } });
        }
    } catch (error) {
        if (table()?.draft !== draft) {
            return;
        }
        setTable({ word: error instanceof ProblemError ? wordOf(error.problem) : t.noAnswer });
        checking = window.setTimeout(() => void check(draft), 2_000);
    }
}

/** Hides ships and mines for good, and checks that the server has sealed just these. */
export async function ready(): Promise<void> {
    const open = session();
    const now = table();
    if (!open || !now?.draft || now.busy) {
        return;
    }
    if (!(now.checked?.draft === now.draft && now.checked.legal)) {
        const why = now.checked?.draft === now.draft ? faultsOf(now.checked).join(" ") : t.stillChecking;
        setTable({ word: why });
        spoken(why);
        return;
    }
    const layout: Layout = now.draft.sent.layout;
    const progress = await act(
        open,
        "place",
        async (seat, version) => {
            try {
                return await seat.place(layout, version);
            } catch (error) {
                // Somebody joined, or was ready, in this moment: that changes nothing for this move.
                if (error instanceof ProblemError && error.code === "stale_version") {
                    return seat.place(layout);
                }
                throw error;
            }
        },
        layout,
    );
    const refused = table();
    if (!progress) {
        if (refused && refused.game.status === "waiting") {
            setTable({ isReady: true, word: t.placedOnceJoined });
        }
        void check(now.draft);
        return;
    }
    seats.keepDraft(now.id, null);
    setTable({ isReady: false, draft: null, checked: null, held: null });
    open.receive(progress.events, "live");
    const own = progress.events.find((event) => event.type === "placed" && event.seat === now.game.you);
    if (own?.type === "placed" && progress.salt !== undefined && now.game.you) {
        const { isSealed } = await import("../proof/seal.js");
        const isTrue = await isSealed({
            game: now.id,
            options: now.game.options,
            seat: now.game.you,
            layout,
            salt: progress.salt,
            commitment: own.commitment,
        });
        setTable({ seal: isTrue ? "true" : "false" });
        spoken(isTrue ? t.sealed : t.notSealed);
    }
}
