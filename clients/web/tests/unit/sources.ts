import { readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";

/** A file of the page, by its path below `src`. */
export interface Source {
    readonly name: string;
    readonly text: string;
    /** The text without comments: what a rule is about is code. */
    readonly code: string;
}

/** Every file of the page with one of these endings; tests run in `clients/web`. */
export function sources(...endings: readonly string[]): Source[] {
    return readdirSync("src", { recursive: true, encoding: "utf8" })
        .filter((name) => endings.includes(extname(name)))
        .sort()
        .map((name) => {
            const text = readFileSync(join("src", name), "utf8");
            return { name, text, code: text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "") };
        });
}

/** Where these words stand, as `file: line`, files left out that may have them. */
export function places(words: RegExp, mayHave: readonly string[] = []): string[] {
    return sources(".ts")
        .filter(({ name }) => !mayHave.includes(name))
        .flatMap(({ name, code }) => code.split("\n").map((line) => ({ name, line: line.trim() })))
        .filter(({ line }) => words.test(line))
        .map(({ name, line }) => `${name}: ${line}`);
}
