import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { PICTURES } from "./journey.js";
import type { Person } from "./person.js";

const SIZES = [
    { width: 360, height: 740 },
    { width: 768, height: 1024 },
    { width: 1280, height: 800 },
];
const THEMES = ["light", "dark"] as const;
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

/** What colours can break: all else is the same in both themes, and asked for in the first. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe cannot decide by itself, and why it is right all the same. */
const LOOKED_AT: Readonly<Record<string, string>> = {
    "color-contrast": "a mark lies over it, or a picture behind it; the colours are held by the unit test of contrasts",
    "target-size": "cells of a board, which are measured below; others have 44 px, which is measured below too",
};

/** The least width of a target that is no cell, in CSS pixels. */
const TARGET = 44;

/** Looks at a screen with the eyes of everybody, in both themes and three widths, and keeps pictures of it. */
export async function inspect({ page, watch }: Person, name: string): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    const before = page.viewportSize();
    await page.evaluate(AXE);
    for (const size of SIZES) {
        await page.setViewportSize(size);
        for (const colorScheme of THEMES) {
            await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
            await rest(page);
            const asked = colorScheme === "light" ? { tags: TAGS } : { rules: OF_COLOURS };
            await audit(page, `${name}, ${size.width} px, ${colorScheme}`, asked);
            await page.screenshot({ path: join(PICTURES, `${name}-${size.width}-${colorScheme}.png`), fullPage: true });
        }
        await flow(page, `${name}, ${size.width} px`);
        await targets(page, `${name}, ${size.width} px`);
    }
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.setViewportSize({ width: 320, height: 640 });
    await rest(page);
    await flow(page, `${name}, 320 px`);
    await page.setViewportSize({ width: 640, height: 800 });
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    await rest(page);
    await flow(page, `${name}, 200 % text`);
    await page.evaluate(() => document.documentElement.style.removeProperty("font-size"));
    await page.emulateMedia({ forcedColors: "active" });
    await page.screenshot({ path: join(PICTURES, `${name}-forced-colours.png`), fullPage: true });
    await page.emulateMedia({ forcedColors: "none", reducedMotion: "no-preference", colorScheme: null });
    if (before) {
        await page.setViewportSize(before);
    }
    await watch.look(page);
}

/** Under reduced motion nothing moves, not even shortly. */
async function rest(page: Person["page"]): Promise<void> {
    const moving = await page.evaluate(
        () =>
            new Promise<string[]>((resolve) =>
                requestAnimationFrame(() =>
                    requestAnimationFrame(() =>
                        resolve(
                            document
                                .getAnimations()
                                .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 100) ?? "?"),
                        ),
                    ),
                ),
            ),
    );
    assert.deepEqual(moving, [], "nothing moves under reduced motion");
}

interface Axe {
    run(
        root: Document,
        options: object,
    ): Promise<
        Record<"violations" | "incomplete", { id: string; nodes: { html: string; failureSummary?: string }[] }[]>
    >;
}

async function audit(page: Person["page"], where: string, asked: { tags: string[] } | { rules: string[] }) {
    const { violations, incomplete } = await page.evaluate(async (asked) => {
        const { axe } = globalThis as unknown as { axe: Axe };
        const runOnly =
            "tags" in asked ? { type: "tag", values: asked.tags } : { type: "rule", values: asked.rules };
        const found = await axe.run(document, { runOnly, resultTypes: ["violations", "incomplete"] });
        const told = (list: (typeof found)["violations"]) =>
            list.map(({ id, nodes }) => ({
                id,
                nodes: nodes
                    .slice(0, 3)
                    .map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary ?? ""}`),
            }));
        return { violations: told(found.violations), incomplete: told(found.incomplete) };
    }, asked);
    assert.deepEqual(violations, [], where);
    assert.deepEqual(
        incomplete.filter(({ id }) => !(id in LOOKED_AT)),
        [],
        `${where}, not decided by axe`,
    );
}

/** The page never scrolls sideways; a frame in it may. */
async function flow(page: Person["page"], where: string): Promise<void> {
    const wide = await page.evaluate(() => {
        const width = document.documentElement.clientWidth;
        const isBeyond = (element: Element) => element.getBoundingClientRect().right > width + 1;
        return document.documentElement.scrollWidth > width + 1
            ? [...document.querySelectorAll("body *")]
                  .filter(isBeyond)
                  .slice(0, 5)
                  .map((element) => element.outerHTML.slice(0, 160))
            : [];
    });
    assert.deepEqual(wide, [], `${where}: wider than the window`);
}

/** What is pressed has 44 px, cells and links in a sentence apart; cells have what the table of sizes says. */
async function targets(page: Person["page"], where: string): Promise<void> {
    const small = await page.evaluate((least) => {
        const isShown = (element: Element) =>
            element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
        const size = (element: Element) => {
            // A field is pressed by its label too.
            const label =
                element instanceof HTMLInputElement ? (element.closest("label") ?? element.labels?.[0]) : null;
            const boxes = [element, ...(label ? [label] : [])].map((one) => one.getBoundingClientRect());
            return {
                width: Math.max(...boxes.map(({ width }) => width)),
                height: Math.max(...boxes.map(({ height }) => height)),
            };
        };
        const isInText = (element: Element) => element.matches("a") && getComputedStyle(element).display === "inline";
        return [
            ...document.querySelectorAll(
                "button, a[href], input, select, textarea, summary, [role=button], [role=slider]",
            ),
        ]
            .filter((element) => isShown(element) && !element.matches("[data-cell]") && !isInText(element))
            .map((element) => ({ element, ...size(element) }))
            .filter(({ width, height }) => width < least - 0.5 || height < least - 0.5)
            .map(
                ({ element, width, height }) =>
                    `${Math.round(width)}×${Math.round(height)} ${element.outerHTML.slice(0, 120)}`,
            );
    }, TARGET);
    assert.deepEqual(small, [], `${where}: too small to be pressed`);
}

/** The width of the cells of a board, in CSS pixels. */
export async function cellSize({ page }: Person, side: "host" | "guest"): Promise<number> {
    const box = await page.locator(`[data-side="${side}"] [data-cell="B2"]`).boundingBox();
    assert(box);
    return box.width;
}

/** What has the focus is not covered by anything that sticks. */
export async function focusIsSeen({ page }: Person): Promise<void> {
    const covered = await page.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body) {
            return null;
        }
        const { left, top, width, height } = element.getBoundingClientRect();
        const seen = document.elementFromPoint(left + width / 2, top + height / 2);
        return seen && (element.contains(seen) || seen.contains(element))
            ? null
            : `${element.outerHTML.slice(0, 120)} is below ${seen?.outerHTML.slice(0, 120)}`;
    });
    assert.equal(covered, null);
}
