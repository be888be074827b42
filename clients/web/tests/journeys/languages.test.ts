import assert from "node:assert/strict";

import { NavalBattle } from "naval-battle-client";

import { texts as de } from "../../src/text/de.js";
import { texts as en } from "../../src/text/en.js";
import { texts as fi } from "../../src/text/fi.js";
import { texts as it } from "../../src/text/it.js";
import { texts as ru } from "../../src/text/ru.js";
import { journey, SERVER } from "../harness/journey.js";
import { inBattle, water } from "../harness/layouts.js";
import { seated } from "../harness/play.js";

const LANGUAGES = { en, de, fi, it, ru };

journey("17: the page of the rules says word for word what the server says, in each language", async ({ visit }) => {
    for (const [language, texts] of Object.entries(LANGUAGES)) {
        const reader = await visit({ settings: { language }, address: "#/rules" });
        await reader.sees("rules");
        await reader.page.getByRole("heading", { level: 1, name: texts.rules }).waitFor();
        assert.equal(await reader.page.locator("html").getAttribute("lang"), language);
        const shown = (await reader.page.locator("main").innerText()).replace(/\s+/g, " ");
        const { text, options } = await new NavalBattle(SERVER, { language }).rules();
        const said = [
            text.what,
            text.history,
            ...text.changes.flatMap(({ rule, standard, mines }) => [rule, standard, mines]),
            ...options.flatMap((option) => [option.title, option.text]),
        ];
        for (const words of said.flatMap((words) => words.split("\n\n"))) {
            assert(shown.includes(words.replace(/\s+/g, " ").trim()), `${language}: ${words}`);
        }
        await reader.page.context().close();
    }
});

journey(
    "17: Russian letters are drawn and typed, cells go out by their place, and a change keeps the game as it is",
    async ({ api, visit }) => {
        const { host, layout } = await inBattle(api, { grid: 15, fleet: "russian", mines: true, shoot_again: false });
        const [target = ""] = water(layout, 15).filter((cell) => cell.startsWith("C"));
        const anna = await visit({ settings: { language: "ru", confirm: "always" } });
        await seated(anna, host);
        await anna.go(`#/g/${host.id}`);
        await anna.sees("fire");
        assert.equal(
            (await anna.page.locator('[data-side="guest"] [role=columnheader]').allTextContents()).join(""),
            "АБВГДЕЖЗИКЛМНОП",
        );

        await anna.cell("guest", "A1").focus();
        // The keyboard that Playwright has knows Latin letters alone.
        await anna.page.evaluate(() =>
            document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "в", bubbles: true })),
        );
        for (const key of target.slice(1)) {
            await anna.page.keyboard.press(key);
        }
        assert.equal(
            await anna.page.evaluate(() => document.activeElement?.getAttribute("data-cell")),
            target,
            "a Cyrillic В is the third column",
        );
        await anna.page.keyboard.press("Enter");
        await anna.press(ru.fireAt(`В${target.slice(1)}`));
        await anna.sees("wait");
        assert.deepEqual(
            (await host.look()).boards.guest.shots.map(({ cell }) => cell),
            [target],
        );

        await anna.press(ru.settings);
        await anna.page.locator("#setting-language").selectOption("fi");
        await anna.page.getByRole("heading", { name: fi.theirTurn("Boris") }).waitFor();
        await anna.sees("wait");
        await anna.draws(await host.look());
        assert.equal(
            (await anna.page.locator('[data-side="guest"] [role=columnheader]').allTextContents()).join(""),
            "ABCDEFGHIJKLMNO",
        );
    },
);
