/** What may stand below an element; `null` and `false` are left out. */
export type Child = Node | string | null | false;

/** Attributes by their names; functions are listeners, by `on` and the event's name. */
export type Properties = Record<string, string | number | boolean | null | EventListener | ((event: never) => void)>;

const SVG = "http://www.w3.org/2000/svg";

/** Makes an HTML element. */
export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    properties: Properties = {},
    ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
    return furnish(document.createElement(tag), properties, children);
}

/** Makes an SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
    tag: K,
    properties: Properties = {},
    ...children: readonly Child[]
): SVGElementTagNameMap[K] {
    return furnish(document.createElementNS(SVG, tag) as SVGElementTagNameMap[K], properties, children);
}

/** Gives an element its attributes, listeners and children. */
export function furnish<E extends Element>(element: E, properties: Properties, children: readonly Child[]): E {
    for (const [name, value] of Object.entries(properties)) {
        if (typeof value === "function") {
            element.addEventListener(name.slice("on".length), value as EventListener);
        } else {
            attribute(element, name, value);
        }
    }
    element.append(...children.filter((child) => child !== null && child !== false));
    return element;
}

/** Sets an attribute where it differs; `null` and `false` take it away, `true` sets it empty. */
export function attribute(element: Element, name: string, value: string | number | boolean | null): void {
    if (value === null || value === false) {
        if (element.hasAttribute(name)) {
            element.removeAttribute(name);
        }
        return;
    }
    const said = value === true ? "" : String(value);
    if (element.getAttribute(name) !== said) {
        element.setAttribute(name, said);
    }
}

/** Sets a text where it differs. */
export function say(node: Node, words: string): void {
    if (node.textContent !== words) {
        node.textContent = words;
    }
}

/** Shows or hides an element. */
export function show(element: HTMLElement, shown: boolean): void {
    if (element.hidden === shown) {
        element.hidden = !shown;
    }
}

/** A CSS custom property of one element: a `style` string would be blocked by the page's policy. */
export function property(element: HTMLElement | SVGElement, name: string, value: string | number): void {
    const said = String(value);
    if (element.style.getPropertyValue(name) !== said) {
        element.style.setProperty(name, said);
    }
}

const kept = new WeakMap<Element, Map<string, Element>>();

/**
 * Makes the children of an element those of a list: what was there before under the same name is kept and brought up
 * to date, the rest is made or removed.
 */
export function keyed<T, E extends Element>(
    parent: Element,
    items: Iterable<T>,
    nameOf: (item: T) => string,
    make: (item: T) => E,
    update: (element: E, item: T) => void = () => undefined,
): void {
    const before = kept.get(parent) ?? new Map<string, Element>();
    const after = new Map<string, Element>();
    let place: Element | null = parent.firstElementChild;
    for (const item of items) {
        const name = nameOf(item);
        const element = (before.get(name) as E | undefined) ?? make(item);
        update(element, item);
        after.set(name, element);
        if (element === place) {
            place = place.nextElementSibling;
        } else {
            parent.insertBefore(element, place);
        }
    }
    for (const [name, element] of before) {
        if (after.get(name) !== element) {
            element.remove();
        }
    }
    kept.set(parent, after);
}
