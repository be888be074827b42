import assert from "node:assert/strict";

import { NavalBattle } from "naval-battle-client";

import { texts as t } from "../../src/text/en.js";
import { journey, SERVER } from "../harness/journey.js";
import { answer, known } from "../harness/layouts.js";

const OPTIONS = { grid: 10, fleet: "classic", mines: true, first: "host" } as const;

journey(
    "18: where storage is denied a seat lives as long as the page, which shows the link to keep",
    async ({ api, visit }) => {
        const anna = await visit({
            before: () => {
                const deny = () => {
                    throw new DOMException("denied", "SecurityError");
                };
                Object.defineProperty(globalThis, "localStorage", { get: deny });
            },
        });
        anna.allow({ tokens: true });
        await anna.press(t.createLink);
        await anna.sees("invite");
        await anna.reads(t.notKept);
        const link = await anna.page
            .locator("#banner a, #banner input")
            .first()
            .evaluate((element) =>
                element instanceof HTMLInputElement ? element.value : (element as HTMLAnchorElement).href,
            );
        assert.match(link, /#\/g\/[0-9a-f-]{36}\/key\/host\/.+$/);

        const boris = await api.table(anna.game).join();
        await boris.place(known((await boris.look()).options));
        await anna.ready();
        await anna.sees("fire", "wait");

        const other = await visit({ address: link });
        other.allow({ tokens: true });
        await other.sees("fire", "wait");
        assert.equal((await other.kept(anna.game)).seat, "host");
    },
);

const PORT = new URL(SERVER).port;

journey(
    "18: over plain HTTP share, proof, locks and clipboard have their fallbacks",
    async ({ visit }) => {
        const at = `http://sea.example:${PORT}`;
        const api = new NavalBattle(SERVER);
        const anna = await visit({ at, settings: { options: OPTIONS } });
        assert.equal(await anna.page.evaluate(() => isSecureContext), false);
        await anna.press(t.createLink);
        await anna.sees("invite");
        await anna.press(t.copy);
        await anna.reads(new RegExp(`${t.copied}|${t.copyByHand}`));
        const boris = await api.table(anna.game).join({ name: "Boris" });
        await boris.place(known(OPTIONS));
        await anna.ready();
        await anna.sees("fire");

        await anna.fire("guest", "J1");
        await answer(boris);
        await anna.sees("fire");
        await boris.resign();
        await anna.sees("end");
        await anna.press(t.check);
        await anna.sees("check");
        await anna.reads(t.checkAllTrue);
    },
    { args: [`--host-resolver-rules=MAP sea.example 127.0.0.1`] },
);
