import assert from "node:assert/strict";

import type { Cell, Layout } from "naval-battle-client";

import { texts as t } from "../../src/text/en.js";
import type { Person } from "./person.js";

/** Empties the board. */
export async function clear(person: Person): Promise<void> {
    await person.press(t.clear);
    await person.page.locator('[data-piece="ship 0"]').waitFor();
}

/** Has the next ship lie this way. */
export async function lay(person: Person, across: boolean): Promise<void> {
    const way = person.button(across ? t.liesDown : t.liesAcross);
    if (await way.isVisible()) {
        await way.click();
    }
}

/** Puts a ship or mine of the dock somewhere by pressing it, then a cell. */
export async function put(person: Person, piece: string, cell: Cell, across = true): Promise<void> {
    await lay(person, across);
    await person.page.locator(`[data-piece="${piece}"]`).click();
    await person.page.locator(`[data-cell="${cell}"]`).click();
}

/** Puts a whole fleet somewhere. */
export async function arrange(
    person: Person,
    { ships, mines = [] }: Layout,
    lengths: readonly number[],
): Promise<void> {
    await clear(person);
    const left = [...ships];
    for (const [index, length] of lengths.entries()) {
        const found = left.findIndex((ship) => ship.length === length);
        assert(found >= 0, "the layout has the fleet");
        const [ship] = left.splice(found, 1);
        await put(person, `ship ${index}`, ship?.start ?? "A1", ship?.direction !== "down");
    }
    for (const [index, mine] of (mines ?? []).entries()) {
        await put(person, `mine ${index}`, mine);
    }
}

/** Drags a piece of the dock so that its first cell comes to lie on a cell. */
export async function drag(
    { page }: Person,
    piece: string,
    cell: Cell,
    length: number,
    across: boolean,
): Promise<void> {
    const from = await page.locator(`[data-piece="${piece}"]`).boundingBox();
    const to = await page.locator(`[data-cell="${cell}"]`).boundingBox();
    assert(from && to);
    // A piece of the dock is held by its middle.
    const middle = Math.floor((length - 1) / 2);
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + from.width / 2 + 10, from.y + from.height / 2, { steps: 2 });
    await page.mouse.move(
        to.x + to.width / 2 + (across ? middle * to.width : 0),
        to.y + to.height / 2 + (across ? 0 : middle * to.height),
        { steps: 5 },
    );
    await page.mouse.up();
}

/** The cells of the draft on which something lies, in order. */
export async function lying({ page }: Person, look: "ship" | "ownMine" = "ship"): Promise<Cell[]> {
    return page
        .locator(`[data-cell][data-look="${look}"]`)
        .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-cell") ?? ""));
}
