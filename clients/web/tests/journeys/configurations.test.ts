import assert from "node:assert/strict";

import type { Options } from "naval-battle-client";

import { journey } from "../harness/journey.js";
import { inBattle, water } from "../harness/layouts.js";
import type { Person } from "../harness/person.js";
import { seated } from "../harness/play.js";

const GRIDS = [8, 10, 12, 15] as const;
const FLEETS = ["classic", "russian"] as const;
const BOTH = [true, false] as const;

/** Every configuration with this grid. */
const ofGrid = (grid: Options["grid"]): Partial<Options>[] =>
    FLEETS.flatMap((fleet) =>
        BOTH.flatMap((mines) =>
            BOTH.flatMap((salvo) => BOTH.map((shoot_again) => ({ grid, fleet, mines, salvo, shoot_again }))),
        ),
    );

type Begun = Awaited<ReturnType<typeof inBattle>>;

async function turn(anna: Person, { host, layout, game }: Begun): Promise<void> {
    await seated(anna, host);
    await anna.go(`#/g/${host.id}`);
    await anna.sees("fire");
    await anna.sawVersion(game.version);
    await anna.draws(game);
    const count = game.awaiting[0]?.count ?? 0;
    const { grid } = game.options;
    const shots = [...layout.ships.map(({ start }) => start), ...water(layout, grid)].slice(0, count);
    await anna.fire("guest", ...shots);
    await anna.draws(await host.look());
    const elements = await anna.page.evaluate(() => document.querySelectorAll("*").length);
    assert(elements <= 2_500, `${elements} elements on ${grid}×${grid}`);
}

for (const grid of GRIDS) {
    journey(
        `20: all configurations on ${grid}×${grid} are drawn, and a turn is fired in each`,
        async ({ api, visit }) => {
            const anna = await visit({ settings: { confirm: "never" } });
            for (const begun of await Promise.all(ofGrid(grid).map((options) => inBattle(api, options)))) {
                await turn(anna, begun);
            }
        },
    );
}
