import assert from "node:assert/strict";

import type { Proof } from "naval-battle-client";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { inBattle, known, water } from "../harness/layouts.js";
import type { Person } from "../harness/person.js";
import { seated } from "../harness/play.js";

/** The lock beside an event in the list of moves. */
const lock = ({ page }: Person, seq: number, isTrue: boolean) =>
    page.locator(`ol.moves > li[value="${seq}"] .proof[data-true="${isTrue}"]`);

/** A proof that can be changed. */
type Loose = { -readonly [Name in keyof Omit<Proof, "cells">]: Proof[Name] } & {
    cells: { cell: string; content: string; salt: string; path: string[] }[];
};

/** What somebody could change of a proof on its way. */
const LIES: readonly (readonly [string, (proof: Loose) => unknown])[] = [
    ["the content of a cell", ({ cells }) => (cells[0]!.content = cells[0]!.content === "water" ? "ship" : "water")],
    ["the salt of a cell", ({ cells }) => (cells[0]!.salt = "00".repeat(32))],
    ["a hash on the way", ({ cells }) => (cells[0]!.path[0] = "00".repeat(32))],
    ["the root", (proof) => (proof.root = "00".repeat(32))],
    ["another cell", ({ cells }) => (cells[0]!.cell = "B2")],
    ["no cell at all", ({ cells }) => cells.pop()],
];

journey("proofs: beside each answer, and each cell given away, stands a lock", async ({ api, visit }) => {
    const { host, guest, layout } = await inBattle(api, { mines: true });
    const anna = await visit();
    await seated(anna, host);
    await anna.go(`#/g/${host.id}`);
    await anna.sees("fire");
    const [miss = ""] = water(layout, 10);
    await anna.fire("guest", miss);
    await lock(anna, 5, true).waitFor();
    assert.equal(await lock(anna, 5, true).innerText(), t.proven);
    await guest.fire([layout.mines?.[0] ?? ""]);
    await lock(anna, 6, true).waitFor();
    await guest.reveal(["A1"]);
    await lock(anna, 7, true).waitFor();
    await anna.fire("guest", "B1");
    await lock(anna, 8, true).waitFor();
    assert.equal(await anna.page.locator('.proof[data-true="false"]').count(), 0);
});

journey("proofs: whatever is changed of a proof on its way, the lock turns red and loud", async ({ api, visit }) => {
    const { host, guest, layout } = await inBattle(api);
    const anna = await visit();
    await seated(anna, host);
    const cells = water(layout, 10);
    for (const [index, [what, change]] of LIES.entries()) {
        await anna.go(`#/g/${host.id}`);
        await anna.page.reload();
        await anna.sees("fire");
        await anna.page.route("**/proof", async (route) => {
            const reply = await route.fetch();
            const proof = (await reply.json()) as Loose;
            change(proof);
            await route.fulfill({ response: reply, json: proof });
        });
        const version = await anna.version();
        await anna.fire("guest", cells[index] ?? "");
        await lock(anna, version + 1, false)
            .waitFor()
            .catch(() => assert.fail(`${what} was not found`));
        assert.equal(await lock(anna, version + 1, false).innerText(), t.disproven);
        const alert = anna.page.getByRole("alert").filter({ hasText: t.answerFalse });
        assert(await alert.isVisible(), what);
        await anna.page.getByRole("status").first().filter({ hasText: t.answerFalse }).waitFor();

        // It stays, whatever is true afterwards.
        await anna.page.unrouteAll({ behavior: "wait" });
        await guest.fire([cells[index] ?? ""]);
        await lock(anna, version + 2, true).waitFor();
        assert(await alert.isVisible(), what);
    }
});

journey("proofs: a commitment that is none to the fleet ends the game for whoever placed it", async ({ api, visit }) => {
    const anna = await visit({ settings: { options: { grid: 10, mines: true, first: "host" } } });
    await anna.press(t.createLink);
    await anna.sees("invite");
    const boris = await api.table(anna.game).join({ name: "Boris" });
    await boris.place(known((await boris.look()).options));
    await anna.sees("placing");
    await anna.page.route("**/place", async (route) => {
        const reply = await route.fetch();
        const progress = await reply.json();
        for (const event of progress.events ?? []) {
            if (event.type === "placed") {
                event.commitment = "00".repeat(32);
            }
        }
        await route.fulfill({ response: reply, json: progress });
    });
    await anna.ready();
    await anna.page.getByRole("alert").filter({ hasText: t.notSealed }).waitFor();
    assert.equal(await anna.page.getByText(t.sealed).isVisible(), false);
    assert.equal(await anna.button(/^Fire/).isVisible(), false, "nothing more is played");
    await anna.cell("guest", "A1").click({ force: true });
    assert.equal(await anna.page.locator("main").getAttribute("data-busy"), null);
    assert.deepEqual(
        anna.watch.requests.filter((request) => request.endsWith("/fire")),
        [],
    );
    assert.deepEqual((await boris.look()).boards.guest.shots, []);
});

journey("proofs: where the fleet lies as it was placed, the seal says so", async ({ api, visit }) => {
    const anna = await visit({ settings: { options: { grid: 8, mines: true, first: "host" } } });
    await anna.press(t.createLink);
    await anna.sees("invite");
    await api.table(anna.game).join({ name: "Boris" });
    await anna.ready();
    await anna.sees("placed");
    await anna.page.locator(".seal.true", { hasText: t.sealed }).waitFor();
});
