import type { Game, Seat } from "naval-battle-client";

import { columns, type Checked, type Table } from "../app.js";
import { cellAt, indexOf, shown } from "../board/cells.js";
import type { BoardView, CellView, Hull, Look } from "../board/view.js";
import { t } from "../text/index.js";
import { isSame, type Draft } from "./draft.js";
import { nameOf } from "./faults.js";

/** A draft as a board: what does not fit is hatched. */
export function viewOfDraft(draft: Draft, game: Game, { held, checked }: Pick<Table, "held" | "checked">): BoardView {
    const { grid } = draft;
    const letters = columns();
    const current: Checked | null = checked?.draft === draft ? checked : null;
    const looks = Array.from({ length: grid * grid }, (): Look => "water");
    const names = new Map<number, string>();
    const heldCells = new Set(held ? draft.cells(held) : []);
    const wrong = (current?.faults ?? []).flatMap((fault) => fault.pieces);
    const wrongCells = new Set<number>();
    const hulls: Hull[] = [];
    for (const piece of draft.pieces) {
        const isWrong = wrong.some((one) => isSame(one, piece));
        for (const cell of draft.cells(piece)) {
            looks[cell] = piece.kind === "mine" ? "ownMine" : "ship";
            names.set(cell, nameOf(piece, draft));
            if (isWrong) {
                wrongCells.add(cell);
            }
        }
        const berth = piece.kind === "ship" ? draft.berth(piece.index) : null;
        if (berth) {
            hulls.push({
                ...berth,
                name: `${piece.index}`,
                kind: isSame(piece, held) ? "held" : isWrong ? "wrong" : "own",
            });
        }
    }
    const ships = draft.pieces.filter((piece) => piece.kind === "ship");
    const wantsMine = ships.every((piece) => !draft.isDocked(piece)) && draft.drafted.mines.includes(null);
    const free = new Set(wantsMine ? (current?.free ?? []).map((cell) => indexOf(cell, grid)) : []);
    const cells = looks.map((look, index): CellView => {
        const place = shown(cellAt(index, grid), letters);
        const state = names.get(index) ?? (free.has(index) ? t.cellFree : t.cellWater);
        const more = [heldCells.has(index) ? t.cellPicked : "", wrongCells.has(index) ? t.cellWrong : ""];
        return {
            look,
            wasGiven: false,
            isPressed: names.has(index) ? heldCells.has(index) : null,
            isDim: false,
            isOpen: false,
            isStarred: false,
            label: [place, state, ...more].filter((word) => word !== "").join(", "),
        };
    });
    const heldMine = held?.kind === "mine" ? [...heldCells] : [];
    const wrongMines = wrong.filter((piece) => piece.kind === "mine").flatMap((piece) => draft.cells(piece));
    const side: Seat = game.you ?? "host";
    return {
        side,
        grid,
        columns: letters,
        label: t.yourWaters,
        cells,
        hulls,
        aim: [],
        isLit: false,
        last: heldMine,
        free: [...free],
        wrong: wrongMines,
        isStill: true,
    };
}
