import { store } from "../app.js";
import type { BoardGrid } from "../board/grid.js";
import { hull } from "../board/marks.js";
import { h, property, svg } from "../h.js";
import type { Draft, Piece } from "./draft.js";
import * as yard from "./yard.js";

/** A press becomes a drag when it has moved so far, in CSS pixels. */
const THRESHOLD = 6;

interface Drag {
    readonly piece: Piece;
    readonly pointer: number;
    readonly target: Element;
    readonly from: { readonly x: number; readonly y: number };
    /** Which cell of the ship was taken hold of, in columns and rows from its first. */
    readonly grip: readonly [number, number];
    readonly draft: Draft;
    isMoving: boolean;
}

/** Lets ships and mines be dragged from board and dock to either; `pieceOf` tells what lies under an element. */
export function draggable(
    room: HTMLElement,
    board: BoardGrid,
    pieceOf: (target: Element) => { piece: Piece; grip: readonly [number, number] } | null,
): void {
    let drag: Drag | null = null;
    const shadow = h("div", { class: "shadow", "aria-hidden": "true" });

    const end = (isKept: boolean) => {
        if (!drag) {
            return;
        }
        const { isMoving, draft } = drag;
        drag = null;
        shadow.remove();
        if (isMoving) {
            yard.draw(isKept ? (store.state.table?.draft ?? draft) : draft);
        }
    };

    room.addEventListener("pointerdown", (event) => {
        const target = event.target instanceof Element ? event.target : null;
        const found = target && event.isPrimary && event.button === 0 ? pieceOf(target) : null;
        const draft = store.state.table?.draft;
        if (target && found && draft) {
            drag = {
                ...found,
                pointer: event.pointerId,
                target,
                from: { x: event.clientX, y: event.clientY },
                draft,
                isMoving: false,
            };
        }
    });
    room.addEventListener("pointermove", (event) => {
        if (!drag || drag.pointer !== event.pointerId) {
            return;
        }
        const { x, y } = drag.from;
        if (!drag.isMoving) {
            if (Math.hypot(event.clientX - x, event.clientY - y) < THRESHOLD) {
                return;
            }
            drag.isMoving = true;
            room.setPointerCapture(event.pointerId);
            begin(shadow, drag, board);
        }
        move(shadow, drag, board, event);
    });
    room.addEventListener("pointerup", (event) => {
        if (drag?.pointer === event.pointerId) {
            const wasMoving = drag.isMoving;
            end(true);
            if (wasMoving) {
                // The click that follows belongs to the drag.
                const stop = (click: Event) => click.stopPropagation();
                addEventListener("click", stop, { capture: true, once: true });
                setTimeout(() => removeEventListener("click", stop, { capture: true }), 50);
            }
        }
    });
    room.addEventListener("pointercancel", () => end(false));
    room.addEventListener(
        "keydown",
        (event) => {
            if (event.key === "Escape" && drag?.isMoving) {
                event.stopPropagation();
                end(false);
            }
        },
        { capture: true },
    );
}

function begin(shadow: HTMLElement, { piece, draft }: Drag, board: BoardGrid): void {
    const across =
        piece.kind === "mine" ||
        (draft.isDocked(piece)
            ? (store.state.table?.across ?? true)
            : (draft.drafted.ships[piece.index]?.across ?? true));
    const length = piece.kind === "mine" ? 1 : (draft.lengths[piece.index] ?? 1);
    const [columns, rows] = across ? [length, 1] : [1, length];
    property(shadow, "--cell", `${board.cellSize}px`);
    property(shadow, "--columns", columns);
    property(shadow, "--rows", rows);
    const body = svg("path", {
        d: piece.kind === "mine" ? "M.5 .2A.3 .3 0 1 1 .5 .8A.3 .3 0 1 1 .5 .2Z" : hull(length),
        transform: across ? "" : "translate(1 0) rotate(90)",
    });
    shadow.replaceChildren(svg("svg", { viewBox: `0 0 ${columns} ${rows}` }, body));
    document.body.append(shadow);
}

function move(shadow: HTMLElement, { piece, draft, grip }: Drag, board: BoardGrid, event: PointerEvent): void {
    const cell = board.cellUnder(event.clientX, event.clientY);
    const across = draft.isDocked(piece) ? store.state.table?.across : undefined;
    if (cell === null) {
        yard.draw(draft.with(piece, null), piece, false);
    } else {
        const column = Math.max(0, (cell % draft.grid) - grip[0]);
        const row = Math.max(0, Math.floor(cell / draft.grid) - grip[1]);
        yard.draw(draft.with(piece, row * draft.grid + column, across), piece, false);
    }
    shadow.hidden = cell !== null;
    property(shadow, "--x", `${event.clientX}px`);
    property(shadow, "--y", `${event.clientY}px`);
    property(shadow, "--grip-x", grip[0] + 0.5);
    property(shadow, "--grip-y", grip[1] + 0.5);
}
