// Holds what the page weighs to what it may: `node sizes.mjs dist`. Bytes are those of gzip -9, KB are 1,024 of them.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const LIMITS = { "first load": 50, "its scripts": 36, "a lazy chunk": 12, all: 120 };
const LANGUAGES = ["en", "de", "fi", "it", "ru"];

const [folder = "dist"] = process.argv.slice(2);
const assets = join(folder, "assets");
const weigh = (path) => gzipSync(readFileSync(path), { level: 9 }).length / 1024;

const page = readFileSync(join(folder, "index.html"), "utf8");
const files = readdirSync(assets);
const named = [...page.matchAll(/(?:src|href)="assets\/([^"]+)"/g)].map((found) => found[1]);

/** Scripts that a script cannot begin without, with itself. */
function withImports(name, found = new Set()) {
    if (!found.has(name)) {
        found.add(name);
        const text = readFileSync(join(assets, name), "utf8");
        for (const [, other] of text.matchAll(
            /(?:^|[;}\n])\s*(?:import|export)\s*(?:[\w$*\s{},]*from)?\s*"\.\/([^"]+)"/g,
        )) {
            withImports(other, found);
        }
    }
    return found;
}

const first = new Set(named.filter((name) => name.endsWith(".js")).flatMap((name) => [...withImports(name)]));
const total = (names) => [...names].reduce((sum, name) => sum + weigh(join(assets, name)), 0);
const languages = files.filter((name) =>
    LANGUAGES.some((language) => name.startsWith(`${language}-`) && name.endsWith(".js")),
);
const heaviest = Math.max(0, ...languages.filter((name) => !first.has(name)).map((name) => weigh(join(assets, name))));
const scripts = total(first) + heaviest;
const lazy = files.filter((name) => name.endsWith(".js") && !first.has(name));

const weights = [
    ["first load", weigh(join(folder, "index.html")) + scripts + total(named.filter((name) => name.endsWith(".css")))],
    ["its scripts", scripts],
    ...lazy.map((name) => ["a lazy chunk", weigh(join(assets, name)), name]),
    ["all", weigh(join(folder, "index.html")) + total(files)],
];
for (const [what, weight, name = ""] of weights) {
    const over = weight > LIMITS[what];
    console.log(
        `${weight.toFixed(1).padStart(6)} KB of ${LIMITS[what]}: ${what} ${name}${over ? "  ← too heavy" : ""}`,
    );
    process.exitCode ||= over ? 1 : 0;
}
