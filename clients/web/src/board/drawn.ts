import { svg } from "../h.js";
import { berthed, deck, hull, placed, type Shape } from "./marks.js";
import type { BoardView, Hull, Look } from "./view.js";

/** A shape at a cell. */
export interface Mark {
    readonly name: string;
    readonly shape: Shape;
    readonly index: number;
    readonly kind: string;
    readonly scale?: number;
    readonly shift?: number;
}

/** Everything that lies over hulls and grounds. */
export function marksOf(view: BoardView): Mark[] {
    const marks: Mark[] = [];
    const add = (shape: Shape, index: number, more: Partial<Mark> = {}) =>
        marks.push({ name: more.kind ?? shape, shape, index, kind: shape, ...more });
    view.cells.forEach(({ look, wasGiven, isStarred, isOpen }, index) => {
        if (look !== "water" && look !== "ship") {
            add(look, index);
        }
        if (wasGiven) {
            add("given", index, { kind: "given corner", scale: 0.34, shift: 0.02 });
        }
        if (isOpen) {
            add("last", index, { kind: "open" });
        }
        if (isStarred) {
            add("star", index, { scale: 0.5, shift: 0.25 });
        }
    });
    view.free?.forEach((index) => add("free", index));
    view.wrong?.forEach((index) => add("hit", index, { kind: "wrong" }));
    view.picked?.forEach((index) => add("given", index, { kind: "given picked" }));
    view.aim.forEach((index) => add("aim", index, view.aim.length > 1 ? { kind: "aim numbered" } : {}));
    view.last.forEach((index) => add("last", index));
    return marks;
}

/** A hull where it lies; what is sunk lies in a frame of its own. */
export function drawn({ kind, start, across, length }: Hull, grid: number): SVGGElement {
    return svg(
        "g",
        { class: `hull ${kind}`, transform: berthed(start, across, grid) },
        kind === "sunk"
            ? svg("rect", { class: "wreck", x: 0.04, y: 0.04, width: length - 0.08, height: 0.92, rx: 0.2 })
            : null,
        svg("path", { class: "body", d: hull(length) }),
        svg("path", { class: "deck", d: deck(length) }),
    );
}

/** A short play of water, smoke or fire at a cell: the style moves its parts. */
export function effect(look: Look, index: number, grid: number): SVGGElement {
    const parts = Array.from({ length: look === "miss" ? 3 : 5 }, (_, part) =>
        svg("circle", { class: `p${part}`, cx: 0.5, cy: 0.5, r: 0.12 }),
    );
    return svg("g", { class: `effect ${look}`, transform: placed(index, grid) }, ...parts);
}
