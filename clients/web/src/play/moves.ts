import type { Cell } from "naval-battle-client";

import { columns, opposite, setTable, store, type Table } from "../app.js";
import { shown } from "../board/cells.js";
import type { PressedBy } from "../board/grid.js";
import { spoken } from "../notice/live.js";
import * as seats from "../seats.js";
import { owes } from "../shapes.js";
import { t } from "../text/index.js";
import { act } from "./act.js";
import { session } from "./open.js";

/** How many shots the turn has, or will have as far as it is known: 1, and with Salvo one for each ship afloat. */
export function shotsOf({ game }: Table): number {
    if (!game?.you) {
        return 0;
    }
    const due = owes(game, game.you);
    if (due?.action === "fire") {
        return due.count;
    }
    return game.options.salvo ? (game.players[game.you]?.ships_afloat ?? 1) : 1;
}

/** Why a cell of theirs is none to fire at, or `null`. */
export function whyNot(table: Table, cell: Cell): string | null {
    const game = table.game;
    if (!game?.you) {
        return t.onlyWatching;
    }
    if (table.seal === "false") {
        return t.notSealed;
    }
    const board = game.boards[opposite(game.you)];
    const where = shown(cell, columns());
    if (board.shots.some((shot) => shot.cell === cell)) {
        return t.firedBefore(where);
    }
    return game.status === "battle" ? null : t.battleNotBegun;
}

function tell(word: string): void {
    setTable({ word });
    spoken(word);
}

function choose(aim: Cell[]): void {
    setTable({ aim, word: null });
    seats.keepAim(session()?.id ?? "", aim);
}

/** A press on a cell of theirs: aims, takes back or fires, as the options and settings have it. */
export function press(cell: Cell, by: PressedBy): void {
    const open = session();
    const { table } = store.state;
    if (!open || !table?.game) {
        return;
    }
    if (open.hurry()) {
        return;
    }
    const no = whyNot(table, cell);
    if (no !== null) {
        tell(no);
        return;
    }
    const { game, aim } = table;
    const due = owes(game, game.you);
    if (due?.action === "reveal") {
        tell(t.debtFirst(due.count));
        return;
    }
    const most = shotsOf(table);
    const { confirm } = store.state.settings;
    if (
        !game.options.salvo &&
        due?.action === "fire" &&
        (confirm === "never" || (confirm === "automatic" && by !== "touch"))
    ) {
        void fire([cell]);
        return;
    }
    if (aim.includes(cell)) {
        choose(aim.filter((other) => other !== cell));
    } else if (most === 1) {
        choose([cell]);
    } else if (aim.length < most) {
        choose([...aim, cell]);
    } else {
        tell(t.noMoreShots(most));
    }
}

/** Aims at a cell, or at one more with Salvo, whatever the settings say: it was typed. */
export function aimAt(cell: Cell): void {
    const { table } = store.state;
    if (!table?.game) {
        return;
    }
    const no = whyNot(table, cell);
    if (no !== null) {
        tell(no);
        return;
    }
    const most = shotsOf(table);
    if (most === 1) {
        choose([cell]);
    } else if (!table.aim.includes(cell)) {
        if (table.aim.length < most) {
            choose([...table.aim, cell]);
        } else {
            tell(t.noMoreShots(most));
        }
    }
}

export function clearAim(): void {
    choose([]);
}

/** Fires, at what is aimed at unless told otherwise. */
export async function fire(cells: readonly Cell[] = store.state.table?.aim ?? []): Promise<void> {
    const open = session();
    const { table } = store.state;
    const due = table?.game ? owes(table.game, table.game.you) : undefined;
    if (!open || !table || open.hurry()) {
        return;
    }
    if (table.busy) {
        return;
    }
    if (due?.action !== "fire") {
        tell(t.notYourTurn);
        return;
    }
    if (cells.length !== due.count) {
        tell(t.chosenOf(cells.length, due.count));
        return;
    }
    const progress = await act(open, "fire", (seat, version) => seat.fire([...cells], version));
    if (progress && open.table) {
        // Whoever was told by the stream may have aimed anew since.
        choose((store.state.table?.aim ?? []).filter((cell) => !cells.includes(cell)));
        open.receive(progress.events, "live");
    }
}

/** A press on one of one's own cells while cells are owed. */
export function pick(cell: Cell): void {
    const { table } = store.state;
    const game = table?.game;
    if (!table || !game || session()?.hurry()) {
        return;
    }
    const due = owes(game, game.you);
    if (due?.action !== "reveal") {
        return;
    }
    if (!game.revealable?.includes(cell)) {
        tell(t.cannotGive(shown(cell, columns())));
    } else if (table.picked.includes(cell)) {
        setTable({ picked: table.picked.filter((other) => other !== cell), word: null });
    } else if (due.count === 1) {
        setTable({ picked: [cell], word: null });
    } else if (table.picked.length < due.count) {
        setTable({ picked: [...table.picked, cell], word: null });
    } else {
        tell(t.noMoreCells(due.count));
    }
}

/** Gives away what was picked. */
export async function give(): Promise<void> {
    const open = session();
    const { table } = store.state;
    const due = table?.game ? owes(table.game, table.game.you) : undefined;
    if (!open || !table || due?.action !== "reveal") {
        return;
    }
    if (table.picked.length !== due.count) {
        tell(t.chosenOf(table.picked.length, due.count));
        return;
    }
    const cells = [...table.picked];
    const progress = await act(open, "reveal", (seat, version) => seat.reveal(cells, version));
    if (progress && open.table) {
        setTable({ picked: (store.state.table?.picked ?? []).filter((cell) => !cells.includes(cell)) });
        open.receive(progress.events, "live");
    }
}

export async function resign(): Promise<void> {
    const open = session();
    open?.hurry();
    const progress = open && (await act(open, "resign", (seat, version) => seat.resign(version)));
    if (progress) {
        open?.receive(progress.events, "at once");
    }
}
