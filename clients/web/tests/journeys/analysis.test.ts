import assert from "node:assert/strict";

import type { Analysis, Player } from "naval-battle-client";

import { cellAt } from "../../src/board/cells.js";
import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { inBattle, known, playOut } from "../harness/layouts.js";
import type { Person } from "../harness/person.js";
import { seated } from "../harness/play.js";

const percent = (share: number): string =>
    new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 }).format(share);

const bestOf = ({ best }: Analysis["shots"][number]): string => t.best(best.cell, percent(best.ship_chance));

/** The numbers that are drawn over a board, with the opacity of their ground, row by row; `null` where there is none. */
async function heat({ page }: Person, side: "host" | "guest"): Promise<(readonly [string, number] | null)[]> {
    return page.locator(`nb-board:has([data-side="${side}"])`).evaluate((board) => {
        const grid = Math.sqrt(board.querySelectorAll("[data-cell]").length);
        const found: (readonly [string, number] | null)[] = Array.from({ length: grid * grid }, () => null);
        for (const group of board.querySelectorAll(".heat > g")) {
            const rect = group.querySelector("rect");
            const index = Number(rect?.getAttribute("y")) * grid + Number(rect?.getAttribute("x"));
            const opacity = Number(rect ? getComputedStyle(rect).fillOpacity : 0) *
                Number(rect ? getComputedStyle(rect).opacity : 0);
            found[index] = [group.querySelector("text")?.textContent ?? "", opacity];
        }
        return found;
    });
}

/** Goes to the position after an event, through all eyes, with chances shown. */
async function chancesAt(anna: Person, { id }: Pick<Player, "id">, seq: number): Promise<void> {
    await anna.go(`#/g/${id}/${seq}/all`);
    await anna.sees("replay");
    await anna.page.locator(`ol.moves > li[value="${seq}"] [aria-current]`).waitFor();
    const chances = anna.page.getByRole("switch", { name: t.chances });
    if (!(await chances.isChecked())) {
        await chances.check();
    }
    await anna.page.locator(".heat text").first().waitFor();
}

journey("analysis: the end tells how lucky both were, to players and to who watched", async ({ api, visit }) => {
    const { host, guest } = await inBattle(api, { grid: 8, mines: true });
    await playOut([host, guest]);
    const judged = await host.analysis();
    const [anna, clara] = [await visit(), await visit({ address: `#/g/${host.id}` })];
    await seated(anna, host);
    await anna.go(`#/g/${host.id}`);
    for (const person of [anna, clara]) {
        await person.sees("end");
        for (const [seat, name] of [
            ["host", "Anna"],
            ["guest", "Boris"],
        ] as const) {
            const { luck, hits, expected_hits } = judged.seats[seat];
            const line = person.page.locator(`nb-end .luck [data-seat="${seat}"]`);
            await line.waitFor();
            const words = await line.innerText();
            const signed = new Intl.NumberFormat("en", { signDisplay: "exceptZero", maximumFractionDigits: 1 });
            assert(words.startsWith(`${name}: ${signed.format(luck)}`), words);
            assert(words.includes(t.luckText(hits, String(Math.round(expected_hits * 10) / 10))), words);
            const [middle, bar] = await line.locator(".balance").evaluate((balance) => {
                const [whole, part] = [balance, balance.firstElementChild as Element].map((one) =>
                    one.getBoundingClientRect(),
                ) as [DOMRect, DOMRect];
                return [whole.left + whole.width / 2, [part.left, part.right]] as const;
            });
            const [left = 0, right = 0] = bar;
            assert(luck >= 0 ? Math.abs(left - middle) < 1 : Math.abs(right - middle) < 1, "it begins in the middle");
            assert(luck === 0 || right - left > 0, "and has a length");
        }
    }
});

journey("analysis: behind the replay lie chances in colour and number, with the best cell", async ({ api, visit }) => {
    const { host, guest } = await inBattle(api, { grid: 8, mines: true });
    await playOut([host, guest]);
    const judged = await host.analysis();
    const anna = await visit({ address: null });
    const shots = judged.shots.filter(({ seat }, index) => seat === "guest" && index > 4);
    const [first, , , later] = shots;
    assert(first && later);
    for (const shot of [first, later]) {
        await chancesAt(anna, host, shot.seq);
        const { ship_chances } = await host.analysis(shot.seq);
        const expected = ship_chances.flat();
        const before = judged.shots.filter(({ seat, seq }) => seat === shot.seat && seq < shot.seq);
        const fired = new Set(before.map(({ cell }) => cell));
        await anna.reads(`${shot.cell} ${percent(shot.ship_chance)}. ${bestOf(shot)}.`);
        await anna.reads(t.chancesText);
        const found = await heat(anna, "host");
        assert.deepEqual(
            found.map((cell) => cell?.[0] ?? null),
            expected.map((chance, index) =>
                chance > 0 && !fired.has(cellAt(index, 8)) ? String(Math.round(chance * 100)) : null,
            ),
            "whatever was not fired at before, and may hold a ship, has its number",
        );
        const shown = found.flatMap((cell, index) => (cell ? [{ chance: expected[index] ?? 0, depth: cell[1] }] : []));
        for (const one of shown) {
            for (const other of shown) {
                assert(one.chance <= other.chance || one.depth > other.depth, "the likelier, the deeper");
            }
        }
        assert((await heat(anna, "guest")).every((cell) => cell === null), "only where it was fired");
    }
    for (const shot of [first, later]) {
        const line = anna.page.locator(`ol.moves > li[value="${shot.seq}"] .note`);
        assert.equal(await line.innerText(), bestOf(shot));
    }
    await anna.page.getByRole("switch", { name: t.chances }).uncheck();
    await anna.page.locator(".heat > g").first().waitFor({ state: "detached" });
});

journey("analysis: of the computer's shots it is what the computer believed", async ({ api, visit }) => {
    const host = await api.create({ name: "Anna", bot: "hard", options: { grid: 8, first: "host" } });
    await host.place(known((await host.look()).options));
    const ended = await playOut([host]);
    assert.equal(ended.status, "finished");
    const anna = await visit({ address: null });
    const { events } = await host.events({ limit: 500 });
    const [bots, own] = (["guest", "host"] as const).map((seat) =>
        events.find((event) => event.type === "fired" && event.seat === seat),
    );
    assert(bots && own);
    await chancesAt(anna, host, bots.seq);
    await anna.reads(t.botBelieved);
    await anna.reads(t.computersWaters);
    await chancesAt(anna, host, own.seq);
    await anna.reads(t.chancesText);
});
