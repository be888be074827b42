import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { inBattle, water } from "../harness/layouts.js";
import type { Person } from "../harness/person.js";
import { seated } from "../harness/play.js";

interface Told {
    told: { title: string; body: string }[];
    asked: number;
    isSeen: boolean;
}

/** A browser in which tabs can be hidden, and which writes down what it was asked to notify of. */
function pretend(): void {
    const told: Told = { told: [], asked: 0, isSeen: true };
    class Notification {
        static permission = "default";
        static async requestPermission() {
            told.asked += 1;
            return (Notification.permission = "granted");
        }
        onclick: (() => void) | null = null;
        constructor(title: string, { body }: { body: string }) {
            told.told.push({ title, body });
        }
        close() {}
    }
    Object.assign(globalThis, { Notification, told });
    Object.defineProperty(document, "visibilityState", { get: () => (told.isSeen ? "visible" : "hidden") });
    Object.defineProperty(document, "hidden", { get: () => !told.isSeen });
}

const told = ({ page }: Person): Promise<Told> => page.evaluate(() => (globalThis as unknown as { told: Told }).told);

/** Looks at another tab, or comes back. */
async function look({ page }: Person, isSeen: boolean): Promise<void> {
    await page.evaluate((isSeen) => {
        (globalThis as unknown as { told: Told }).told.isSeen = isSeen;
        document.dispatchEvent(new Event("visibilitychange"));
    }, isSeen);
}

const icon = ({ page }: Person): Promise<string> =>
    page.evaluate(() => document.querySelector<HTMLLinkElement>("link[rel=icon]")?.href ?? "");

const titled = ({ page }: Person, title: string) =>
    page.waitForFunction((title) => document.title === title, title, { polling: 50 });

journey("notices: a hidden tab calls by its title and icon, and by nothing else unless asked", async ({ api, visit }) => {
    const { host, guest, layout } = await inBattle(api, { mines: true });
    const anna = await visit({ before: pretend });
    await seated(anna, host);
    await anna.go(`#/g/${host.id}`);
    await anna.sees("fire");
    const quiet = await icon(anna);
    const [one = "", two = "", three = ""] = water(layout, 10);
    const title = await anna.page.title();
    assert.equal(title, `${t.yourTurn} – ${t.title}`);

    // Whoever looks is not called.
    await anna.fire("guest", one);
    await guest.fire([one]);
    await anna.sees("fire");
    assert.equal(await anna.page.title(), title);

    await anna.fire("guest", two);
    await look(anna, false);
    await guest.fire([two]);
    await titled(anna, `● ${t.yourTurn} – Boris`);
    const calling = await icon(anna);
    assert.notEqual(calling, quiet);
    const picture = await anna.page.request.get(calling);
    assert.deepEqual([picture.status(), picture.headers()["content-type"]], [200, "image/svg+xml"]);
    await look(anna, true);
    await titled(anna, title);
    assert.equal(await icon(anna), quiet);
    const { told: notices, asked } = await told(anna);
    assert.deepEqual([notices, asked], [[], 0]);

    // Their own debt is no turn, and the end is told.
    await anna.fire("guest", three);
    await look(anna, false);
    await guest.fire([layout.mines?.[0] ?? ""]);
    await anna.sawVersion((await host.look()).version);
    assert.doesNotMatch(await anna.page.title(), /^●/);
    await guest.resign();
    await titled(anna, `● ${t.youWon} – Boris`);
    assert.deepEqual((await told(anna)).told, []);
});

journey("notices: who asks for notifications gets one for each turn while the tab is hidden", async ({ api, visit }) => {
    const { host, guest, layout } = await inBattle(api, { first: "guest" });
    const anna = await visit({ before: pretend });
    await seated(anna, host);
    await anna.button(t.settings).first().click();
    await anna.page.getByLabel(t.setNotices).check();
    await anna.press(t.close);
    assert.equal((await told(anna)).asked, 1);
    await anna.go(`#/g/${host.id}`);
    await anna.sees("wait");
    const [one = ""] = water(layout, 10);
    await look(anna, false);
    await guest.fire([one]);
    await titled(anna, `● ${t.yourTurn} – Boris`);
    assert.deepEqual((await told(anna)).told, [{ title: t.title, body: `${t.yourTurn} – Boris` }]);
});
