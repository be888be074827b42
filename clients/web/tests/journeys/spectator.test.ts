import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { afloat, inBattle, playOut, takeTurn } from "../harness/layouts.js";

journey(
    "5: a spectator sees each move live, and no ship or mine that was not struck until the end",
    async ({ api, visit }) => {
        const { host, guest, layout } = await inBattle(api, { mines: true });
        const clara = await visit({ address: null });
        const replies: string[] = [];
        clara.page.on("response", (response) => {
            if (response.url().includes("/v1/games/")) {
                response
                    .text()
                    .then((text) => replies.push(text))
                    .catch(() => undefined);
            }
        });
        await clara.go(`#/g/${host.id}`);
        await clara.sees("watching");

        for (let move = 0; move < 6; move += 1) {
            await ((await takeTurn(host, layout.mines ?? [])) ? Promise.resolve() : takeTurn(guest));
            const game = await api.table(host.id).look();
            await clara.draws(game);
            const looks = [...(await clara.looks("host")), ...(await clara.looks("guest"))];
            assert(
                looks.every((look) => !["ship", "ownMine"].includes(look)),
                "nothing that was not struck",
            );
            for (const side of ["host", "guest"] as const) {
                const struck = new Set([
                    ...game.boards[side].shots.map(({ cell }) => cell),
                    ...game.boards[side].revealed,
                ]);
                for (const cell of afloat(layout, 10).filter((cell) => !struck.has(cell))) {
                    const label = (await clara.cell(side, cell).getAttribute("aria-label")) ?? "";
                    assert.doesNotMatch(label, /ship|mine$/i, `${side} ${cell}`);
                }
            }
        }
        for (const reply of replies.filter((text) => text.startsWith("{"))) {
            const { boards } = JSON.parse(reply) as {
                boards?: Record<string, { ships: unknown[]; mines: unknown[]; salt: unknown }>;
            };
            for (const board of Object.values(boards ?? {})) {
                assert.deepEqual([board.salt, board.ships.length], [null, 0], "nothing hidden was sent");
            }
        }

        const ended = await playOut([host, guest]);
        await clara.sees("end");
        await clara.draws(await api.table(host.id).look());
        assert(
            (await clara.looks("host")).includes("ship") || (await clara.looks("guest")).includes("ship"),
            "both boards lie open",
        );
        await clara.reads(t.wonBy(ended.result?.winner === "host" ? "Anna" : "Boris"));
    },
);
