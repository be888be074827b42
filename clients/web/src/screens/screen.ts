import type { State } from "../app.js";
import { h, svg, type Child, type Properties } from "../h.js";

/** One screen: made once, then brought up to date at each change of the state. */
export abstract class Screen extends HTMLElement {
    /** What names the screen: it has the focus when the screen comes, and the page its title. */
    readonly heading = h("h1", { tabindex: -1 });

    abstract update(state: State): void;

    /** Ends what the screen has begun. */
    leave(): void {
        // Most screens begin nothing.
    }
}

/** A button that does something. */
export function button(label: string, press: () => unknown, properties: Properties = {}): HTMLButtonElement {
    return h("button", { type: "button", onclick: () => void press(), ...properties }, label);
}

/** A link to somewhere in the page, or beside it. */
export function anchor(label: string, href: string, properties: Properties = {}): HTMLAnchorElement {
    return h("a", { href, ...properties }, label);
}

/** A name that somebody chose: kept apart from the text around it, whichever way it is written. */
export function bdi(name: string): HTMLElement {
    return h("bdi", { class: "name" }, name);
}

const ICONS = {
    lock: "M7 10V7a5 5 0 0 1 10 0v3M5 10h14v10H5z",
    gear:
        "M12 8.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM12 2v3M12 19v3M2 12h3M19 12h3" +
        "M4.9 4.9 7 7M17 17l2.1 2.1M19.1 4.9 17 7M7 17l-2.1 2.1",
    left: "M15 5 8 12l7 7",
    right: "m9 5 7 7-7 7",
    up: "m5 15 7-7 7 7",
    down: "m5 9 7 7 7-7",
    first: "M17 5l-7 7 7 7M7 5v14",
    end: "m7 5 7 7-7 7M17 5v14",
    play: "M8 5v14l11-7z",
    pause: "M8 5v14M16 5v14",
    book: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11",
    more: "M5 12h.01M12 12h.01M19 12h.01",
    star: "m12 4 2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.7l5.600-.7z",
} as const;

export type Icon = keyof typeof ICONS;

/** A small picture beside words, or in a button that has a name of its own. */
export function icon(name: Icon): SVGSVGElement {
    return svg(
        "svg",
        { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
        svg("path", { d: ICONS[name] }),
    );
}

/** A button with a picture alone. */
export function iconButton(
    name: Icon,
    label: string,
    press: () => unknown,
    properties: Properties = {},
): HTMLButtonElement {
    return h(
        "button",
        {
            type: "button",
            class: "plain",
            "aria-label": label,
            title: label,
            onclick: () => void press(),
            ...properties,
        },
        icon(name),
    );
}

/** Words with parts in them that are elements: `{0}` is the first. */
export function mixed(words: string, ...parts: readonly Node[]): Child[] {
    return words.split(/(\{\d\})/).map((piece): Child => {
        const found = /^\{(\d)\}$/.exec(piece);
        return found ? (parts[Number(found[1])] ?? null) : piece;
    });
}
