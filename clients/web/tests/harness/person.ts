import assert from "node:assert/strict";

import type { Cell, Game, Seat } from "naval-battle-client";
import type { Locator, Page } from "playwright-core";

import { texts as t } from "../../src/text/en.js";
import type { Allowed, Watch } from "./watch.js";

export type Name =
    | "start"
    | "invite"
    | "invitation"
    | "placing"
    | "placed"
    | "fire"
    | "wait"
    | "reveal"
    | "watching"
    | "end"
    | "replay"
    | "check"
    | "rules";

/** Somebody with a browser of their own, or with one more tab of it. */
export class Person {
    constructor(
        readonly page: Page,
        readonly watch: Watch,
        /** Where the page is. */
        readonly at: string,
    ) {}

    /** Another tab of the same browser. */
    async tab(address = ""): Promise<Person> {
        const person = new Person(await this.page.context().newPage(), this.watch, this.at);
        await person.go(address);
        return person;
    }

    /** Goes to a screen, by what stands behind the page's own address. */
    async go(address: string): Promise<void> {
        await this.page.goto(new URL(address, `${this.at}/`).href);
    }

    /** Waits until one of these screens is shown, and gives which. */
    async sees(...names: readonly Name[]): Promise<Name> {
        await this.page.locator(names.map((name) => `main[data-state="${name}"]`).join(", ")).waitFor();
        await this.watch.look(this.page);
        return (await this.page.locator("main").getAttribute("data-state")) as Name;
    }

    /** Waits until a version of the game is drawn. */
    async sawVersion(version: number): Promise<void> {
        await this.page.locator(`main[data-version="${version}"]`).waitFor();
    }

    /** The version that is drawn. */
    async version(): Promise<number> {
        return Number(await this.page.locator("main").getAttribute("data-version"));
    }

    /** Waits until no move is under way. */
    async rests(): Promise<void> {
        await this.page.locator("main:not([data-busy])").waitFor();
    }

    button(name: string | RegExp): Locator {
        return this.page.getByRole("button", { name, ...(typeof name === "string" ? { exact: true } : {}) });
    }

    /** Presses a button. */
    async press(name: string | RegExp): Promise<void> {
        await this.button(name).click();
    }

    cell(side: Seat, cell: Cell): Locator {
        return this.page.locator(`[data-side="${side}"] [data-cell="${cell}"]`);
    }

    /** The id of the game that is open. */
    get game(): string {
        const id = /#\/g\/([0-9a-f-]{36})/.exec(this.page.url())?.[1];
        assert(id, `${this.page.url()} is no game`);
        return id;
    }

    /** The seat that the browser has kept of a game. */
    async kept(game = this.game): Promise<{ seat: Seat; token: string }> {
        const kept = await this.page.evaluate((name) => localStorage.getItem(name), `naval-battle/1/seat/${game}`);
        assert(kept, "there is a seat");
        return JSON.parse(kept);
    }

    /** What each cell of a board looks like, row by row. */
    async looks(side: Seat): Promise<string[]> {
        return this.page
            .locator(`[data-side="${side}"] [data-cell]`)
            .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-look") ?? ""));
    }

    /** Waits for words somewhere on the page. */
    async reads(words: string | RegExp): Promise<void> {
        await this.page.getByText(words).first().waitFor();
    }

    /** From now on this happens on purpose. */
    allow(allowed: Allowed): void {
        this.watch.allow(allowed);
    }

    /** Fires at these cells, with the mouse: one is fired at as it is pressed, a volley by its button. */
    async fire(side: Seat, ...cells: readonly Cell[]): Promise<void> {
        await this.rests();
        const version = await this.version();
        for (const cell of cells) {
            await this.cell(side, cell).click();
        }
        const fire = this.button(/^Fire/);
        if (cells.length > 1 || (await fire.isVisible())) {
            await fire.click();
        }
        await this.page.locator(`main:not([data-version="${version}"])`).waitFor();
        await this.rests();
    }

    /** Places the fleet that was shuffled, as soon as the server finds it legal. */
    async ready(): Promise<void> {
        await this.sees("placing", "invite");
        const ready = this.button(t.ready);
        // Where the other side was ready in this very moment the page asks once more.
        this.allow({ statuses: ["412 /place"] });
        await this.page.locator("main button.main:not([aria-disabled])", { hasText: t.ready }).waitFor();
        await ready.click();
        await this.page.locator("main:not([data-state=placing])").waitFor();
    }

    /** Presses Tab until something has the focus. */
    async tabTo(wanted: Locator, most = 60): Promise<void> {
        for (let step = 0; step < most; step += 1) {
            if (
                await wanted.evaluateAll((elements) => elements.some((element) => element === document.activeElement))
            ) {
                return;
            }
            await this.page.keyboard.press("Tab");
        }
        assert.fail(`Tab does not lead to ${wanted}`);
    }

    /** Goes to a cell of the board that has the focus, by typing it. */
    async type(cell: Cell): Promise<void> {
        for (const key of cell) {
            await this.page.keyboard.press(key.toLowerCase());
        }
        const focused = await this.page.evaluate(() => document.activeElement?.getAttribute("data-cell"));
        assert.equal(focused, cell, "typing leads to the cell");
    }

    /** Holds the boards that are drawn against a game that was looked at through the same eyes. */
    async draws(game: Game): Promise<void> {
        await this.sawVersion(game.version);
        for (const side of ["host", "guest"] as const) {
            assert.deepEqual(await this.looks(side), expected(game, side), `the board of the ${side}`);
        }
    }
}

/** What each cell should look like, by the game alone. */
export function expected(game: Game, side: Seat): string[] {
    const { grid } = game.options;
    const board = game.boards[side];
    const looks: string[] = Array.from({ length: grid * grid }, () => "water");
    const set = (cell: string, look: string) => {
        looks[(Number(cell.slice(1)) - 1) * grid + cell.charCodeAt(0) - "A".charCodeAt(0)] = look;
    };
    if (side !== game.you) {
        board.known_empty.forEach((cell) => set(cell, "empty"));
    }
    for (const { start, length, direction } of board.ships) {
        for (let step = 0; step < length; step += 1) {
            const [columns, rows] = direction === "down" ? [0, step] : [step, 0];
            set(`${String.fromCharCode(start.charCodeAt(0) + columns)}${Number(start.slice(1)) + rows}`, "ship");
        }
    }
    board.mines.forEach((cell) => set(cell, "ownMine"));
    board.revealed.forEach((cell) => set(cell, "given"));
    board.shots.forEach(({ cell, outcome }) => set(cell, outcome));
    return looks;
}
