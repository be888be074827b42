import { columns, type Checked } from "../app.js";
import { cellAt, shown } from "../board/cells.js";
import { sentence } from "../play/refusals.js";
import type { Fault } from "../shapes.js";
import { t } from "../text/index.js";
import type { Draft, Piece } from "./draft.js";

/** What a piece is called, with its place where it lies. */
export function nameOf(piece: Piece, draft: Draft): string {
    const [first] = draft.cells(piece);
    const name = piece.kind === "mine" ? t.mine : t.shipOf(draft.lengths[piece.index] ?? 0);
    return first === undefined ? name : t.at(name, shown(cellAt(first, draft.grid), columns()));
}

/** Whom a fault is about: the later piece of a pair first. */
export function piecesOf(fault: Fault, ships: readonly Piece[], mines: readonly Piece[]): Piece[] {
    const { other_ship = null, other_mine = null } = fault as Fault & {
        other_ship?: number | null;
        other_mine?: number | null;
    };
    const found =
        fault.mine === null
            ? [ships[fault.ship ?? -1], mines[other_mine ?? -1], ships[other_ship ?? -1]]
            : [mines[fault.mine], ships[fault.ship ?? -1], mines[other_mine ?? -1], ships[other_ship ?? -1]];
    return found.filter((piece) => piece !== undefined);
}

/** What is wrong with a draft, in sentences; of cells in the letters that are shown. */
export function faultsOf({ draft, faults }: Checked): string[] {
    const docked = draft.pieces.filter((piece) => draft.isDocked(piece));
    const said = docked.length === 0 ? [] : [t.inDock(docked.map((piece) => nameOf(piece, draft)).join(", "))];
    for (const { code, pieces, message } of faults) {
        const [one = null, other = null] = pieces.map((piece) => nameOf(piece, draft));
        switch (code) {
            case "wrong_fleet":
            case "wrong_mine_count":
                break;
            case "no_room_for_mines":
                said.push(t.faultNoRoom);
                break;
            case "overlap":
            case "mine_on_ship":
                said.push(t.faultOverlap(one ?? "", other ?? t.anotherOne));
                break;
            case "touch":
            case "mine_touches":
                said.push(t.faultTouch(one ?? "", other ?? t.anotherOne));
                break;
            case "outside_grid":
                said.push(t.faultOutside(one ?? ""));
                break;
            default:
                said.push(sentence(message));
        }
    }
    return [...new Set(said)];
}
