import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import { NavalBattle } from "naval-battle-client";
import { chromium, type Browser, type BrowserContextOptions } from "playwright-core";

import { Person } from "./person.js";
import { Watch } from "./watch.js";

/** The server that all journeys share, without limits. */
export const SERVER: string = process.env["SERVER"] ?? "http://127.0.0.1:8080";

/** Where pictures of screens go. */
export const PICTURES: string = process.env["PICTURES"] ?? "build/pictures";

const ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
];

export interface Visit extends BrowserContextOptions {
    /** Where the page is; the shared server if nothing is said. */
    readonly at?: string;
    /** What is in the browser's storage when it begins: settings of the page. */
    readonly settings?: Record<string, unknown>;
    /** Runs before the page does. */
    readonly before?: () => void;
    /** Where to go; the start if nothing is said, nowhere with `null`. */
    readonly address?: string | null;
}

export interface Journey {
    /** The shared server through the typed client. */
    readonly api: NavalBattle;
    /** Somebody with a browser of their own, with nothing kept in it. */
    visit(visit?: Visit): Promise<Person>;
}

/** How the browser of a journey is started. */
export interface Start {
    /** Arguments beside those of all journeys. */
    readonly args?: readonly string[];
    /** With all that draws its own windows, as its pages for Back, where most do with Chromium's headless shell. */
    readonly isWhole?: boolean;
}

/** One browser for each way to start it in a file of tests. */
const browsers = new Map<string, Promise<Browser>>();
after(async () => {
    for (const browser of browsers.values()) {
        await (await browser).close();
    }
});

function browser({ args = [], isWhole = false }: Start): Promise<Browser> {
    const { CHROMIUM = "/usr/bin/chromium", HEADLESS_SHELL = CHROMIUM } = process.env;
    const executablePath = isWhole ? CHROMIUM : HEADLESS_SHELL;
    const name = [executablePath, ...args].join(" ");
    const found =
        browsers.get(name) ??
        chromium.launch({
            executablePath,
            args: [...ARGUMENTS, ...args],
            // Players' browsers have it.
            ignoreDefaultArgs: ["--disable-back-forward-cache"],
        });
    browsers.set(name, found);
    return found;
}

/** A test in a browser, which fails too where anybody met with what no page may do. */
export function journey(name: string, go: (tools: Journey) => Promise<void>, start: Start = {}): void {
    test(name, async () => {
        const people: Person[] = [];
        const visit = async ({
            at = SERVER,
            settings,
            before,
            address = "",
            ...options
        }: Visit = {}): Promise<Person> => {
            const context = await (
                await browser(start)
            ).newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", ...options });
            context.setDefaultTimeout(15_000);
            const watch = await Watch.over(context, new URL(at).origin);
            if (settings) {
                await context.addInitScript((kept) => {
                    if (
                        location.protocol.startsWith("http") &&
                        localStorage.getItem("naval-battle/1/settings") === null
                    ) {
                        localStorage.setItem("naval-battle/1/settings", kept);
                    }
                }, JSON.stringify(settings));
            }
            if (before) {
                await context.addInitScript(before);
            }
            const person = new Person(await context.newPage(), watch, at);
            people.push(person);
            if (address !== null) {
                await person.go(address);
            }
            return person;
        };
        let isDone = false;
        try {
            await go({ api: new NavalBattle(SERVER), visit });
            for (const person of people) {
                if (!person.page.isClosed()) {
                    await person.watch.look(person.page);
                }
            }
            isDone = true;
        } finally {
            for (const [index, { page, watch }] of people.entries()) {
                if (!isDone) {
                    mkdirSync(PICTURES, { recursive: true });
                    await page
                        .screenshot({ path: join(PICTURES, `failed ${name.slice(0, 40)} ${index}.png`) })
                        .catch(() => undefined);
                    console.error(
                        `${index}: ${page.url()} ${await page
                            .locator("main")
                            .getAttribute("data-state", { timeout: 100 })
                            .catch(() => "?")}`,
                    );
                    watch.faults.forEach((fault) => console.error(`${index}: ${fault}`));
                }
                await page.context().close();
            }
        }
        assert.deepEqual(
            people.flatMap(({ watch }) => watch.faults),
            [],
        );
    });
}
