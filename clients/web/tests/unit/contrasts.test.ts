import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** What is told apart by each pair of mark and ground, and by how much at least, in light and in dark. */
const PAIRS: readonly (readonly [mark: string, ground: string, light: number, dark: number])[] = [
    ["water", "water-ground", 3.6, 4.4],
    ["miss", "miss-ground", 6.3, 8.1],
    ["hit", "hit-ground", 6.5, 8.1],
    ["sunk", "sunk-ground", 13.5, 14.4],
    ["mine", "mine-ground", 7.7, 9.0],
    ["given", "given-ground", 6.7, 7.9],
    ["empty", "empty-ground", 4.1, 5.5],
    ["ship", "ship-ground", 5.3, 5.9],
    ["aim", "water-ground", 5.2, 6.0],
    ["text", "ground", 15.5, 15.6],
    ["quiet", "ground", 7.0, 9.0],
    // Words on all that words stand on, and the edges of what is pressed.
    ["text", "card", 7, 7],
    ["quiet", "card", 4.5, 4.5],
    ["accent", "ground", 4.5, 4.5],
    ["accent", "card", 4.5, 4.5],
    ["accent", "accent-soft", 4.5, 4.5],
    ["on-accent", "accent", 4.5, 4.5],
    ["danger", "danger-soft", 4.5, 4.5],
    ["danger", "card", 4.5, 4.5],
    ["good", "good-soft", 4.5, 4.5],
    ["warn", "warn-soft", 4.5, 4.5],
    ["edge-strong", "card", 3, 3],
];

/** The colours that a block of the style names. */
function colours(style: string, selector: RegExp): Map<string, string> {
    const block = selector.exec(style);
    assert(block, `there is no block for ${selector}`);
    const inside = style.slice(block.index + block[0].length).split("}")[0] ?? "";
    return new Map(
        [...inside.matchAll(/--([a-z-]+):\s*(#[0-9a-f]{6})\b/g)].map(([, name = "", colour = ""]) => [name, colour]),
    );
}

/** The relative luminance of a colour, by WCAG 2.2. */
function luminance(colour: string): number {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
        .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
}

test("black on white is what it is known to be", () => {
    assert.equal(contrast("#000000", "#ffffff"), 21);
    assert.equal(contrast("#777777", "#ffffff").toFixed(2), "4.48");
});

test("marks and texts stand out from their grounds in both themes", () => {
    const style = readFileSync("src/style/colours.css", "utf8");
    const themes = [colours(style, /:root\b[^{]*\{/), colours(style, /\[data-theme="dark"\][^{]*\{/)];
    for (const [mark, ground, ...least] of PAIRS) {
        for (const [index, theme] of themes.entries()) {
            const named = (name: string) => {
                const colour = theme.get(name) ?? themes[0]?.get(name);
                assert(colour, `--${name} is no colour`);
                return colour;
            };
            const found = contrast(named(mark), named(ground));
            assert(found + 0.05 >= (least[index] ?? 0), `--${mark} on --${ground}: ${found.toFixed(2)}`);
        }
    }
});
