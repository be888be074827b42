import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { places, sources } from "./sources.js";

test("nothing is made of a text that a browser reads as HTML or as a program", () => {
    assert.deepEqual(places(/\b(?:innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|srcdoc)\b/), []);
    assert.deepEqual(places(/\bdocument\.write|\beval\(|new Function\b|javascript:/), []);
    assert.deepEqual(places(/setTimeout\(\s*["'`]|setInterval\(\s*["'`]/), []);
});

test("no style is a string: the policy of the page would block it", () => {
    assert.deepEqual(places(/\bcssText\b|["']style["']|\bstyle:\s(?!"unit")|\bstyle=/), []);
});

test("the client asks the server, and nothing else does", () => {
    assert.deepEqual(places(/\bfetch\b|\bXMLHttpRequest\b|\bEventSource\b|\bWebSocket\b|\bsendBeacon\b/), []);
});

test("one file uses the browser's storage", () => {
    assert.deepEqual(places(/\b(?:localStorage|sessionStorage|indexedDB|document\.cookie)\b/, ["seats.ts"]), []);
});

test("one file reads and writes addresses", () => {
    assert.deepEqual(places(/\b(?:pushState|replaceState)\b|\blocation\.hash\b/, ["route.ts"]), []);
});

test("nobody else is asked for anything", () => {
    const names = /https?:\/\/(?!www\.w3\.org\/)/;
    const elsewhere = sources(".ts", ".css", ".svg", ".webmanifest").filter(({ code }) => names.test(code));
    assert.deepEqual(
        elsewhere.map(({ name }) => name),
        [],
    );
    assert.doesNotMatch(readFileSync("index.html", "utf8"), names);
});

test("a listener stands in a program, never in the page", () => {
    assert.deepEqual(places(/(?:setAttribute|attribute)\([^)]*["']on[a-z]+["']/), []);
});

test("a file is one thing: a word, and no more lines than one reads at once", () => {
    const long = sources(".ts", ".css").filter(
        ({ name, text }) => !name.startsWith("text/") && text.split("\n").length > 301,
    );
    const wide = sources(".ts", ".css").flatMap(({ name, text }) =>
        text.split("\n").flatMap((line, index) => (line.length > 120 ? [`${name}:${index + 1}`] : [])),
    );
    const odd = sources(".ts").filter(({ name }) => !/^(?:[a-z]+\/)*[a-z]+\.ts$/.test(name));
    assert.deepEqual(
        long.map(({ name }) => name),
        [],
    );
    assert.deepEqual(wide, []);
    assert.deepEqual(
        odd.map(({ name }) => name),
        [],
    );
});
