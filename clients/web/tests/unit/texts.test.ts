import assert from "node:assert/strict";
import { test } from "node:test";

import { texts as de } from "../../src/text/de.js";
import { texts as en } from "../../src/text/en.js";
import { texts as fi } from "../../src/text/fi.js";
import { texts as it } from "../../src/text/it.js";
import { texts as ru } from "../../src/text/ru.js";
import { sources } from "./sources.js";

const LANGUAGES = { en, de, fi, it, ru };

const entries = (texts: object) => Object.entries(texts as Record<string, unknown>);

test("all languages have the same messages with the same arguments", () => {
    const form = (texts: object) =>
        Object.fromEntries(
            entries(texts).map(([name, text]) => [name, typeof text === "function" ? text.length : "words"]),
        );
    for (const [language, texts] of Object.entries(LANGUAGES)) {
        assert.deepEqual(form(texts), form(en), language);
    }
});

test("each message is used, and none is empty", () => {
    const program = sources(".ts")
        .filter(({ name }) => !name.startsWith("text/"))
        .map(({ code }) => code)
        .join("\n");
    const used = new Set([...program.matchAll(/\bt\.([A-Za-z]\w*)/g)].map(([, name]) => name));
    assert.deepEqual(
        Object.keys(en).filter((name) => !used.has(name)),
        [],
        "messages that nobody says",
    );
    assert.deepEqual(
        [...used].filter((name) => !(String(name) in en)),
        [],
        "messages that there are not",
    );
    for (const [language, texts] of Object.entries(LANGUAGES)) {
        assert.deepEqual(
            entries(texts)
                .filter(([, text]) => text === "")
                .map(([name]) => name),
            [],
            language,
        );
    }
});

test("no sentence was left in English", () => {
    const isSentence = (text: unknown): text is string => typeof text === "string" && text.split(" ").length > 2;
    for (const [language, texts] of Object.entries(LANGUAGES).filter(([language]) => language !== "en")) {
        const same = entries(texts).filter(
            ([name, text]) => isSentence(text) && text === (en as unknown as Record<string, unknown>)[name],
        );
        assert.deepEqual(
            same.map(([name]) => name),
            [],
            language,
        );
    }
});

test("Russian is written in Cyrillic, the others are not", () => {
    const words = (texts: object) =>
        entries(texts)
            .map(([, text]) => String(text))
            .join(" ");
    for (const [language, texts] of Object.entries(LANGUAGES)) {
        const share = (words(texts).match(/[Ѐ-ӿ]/g) ?? []).length / (words(texts).match(/\p{L}/gu) ?? []).length;
        assert(language === "ru" ? share > 0.5 : share === 0, `${language}: ${share}`);
    }
});
