import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";

journey(
    "4: a stranger's game is listed, seen and joined; of two who join at once one watches",
    async ({ api, visit }) => {
        // A grid of its own, so that other journeys' games are no match.
        const options = { grid: 12, fleet: "russian", mines: false, salvo: true, first: "guest", turn_seconds: 1_234 };
        const anna = await visit({ settings: { name: "Anna of the sea", options } });
        await anna.press(t.findGame);
        await anna.sees("invite");
        const { id } = api.table(anna.game);
        assert(
            (await api.list({ limit: 100 })).games.some((offer) => offer.id === id),
            "it is listed",
        );

        const [boris, clara] = [
            await visit({ settings: { name: "Boris" } }),
            await visit({ settings: { name: "Clara" } }),
        ];
        const offer = `${t.join}: Anna of the sea`;
        for (const person of [boris, clara]) {
            person.allow({ statuses: ["409 /join"] });
            await person.button(offer).first().click();
            await person.page.getByRole("dialog").waitFor();
        }
        await Promise.all(
            [boris, clara].map(async (person) =>
                person.page.getByRole("dialog").getByRole("button", { name: t.join }).click(),
            ),
        );

        const states = await Promise.all([
            boris.sees("placing", "watching", "invitation"),
            clara.sees("placing", "watching", "invitation"),
        ]);
        await anna.sees("placing");
        assert.equal(states.filter((state) => state === "placing").length, 1, states.join());
        assert.equal(states.filter((state) => state === "watching").length, 1, states.join());
        const game = await api.table(id).look();
        assert.equal(game.players.guest?.name, states[0] === "placing" ? "Boris" : "Clara");
    },
);

journey("4: a second stranger joins the newest game of the same options", async ({ api, visit }) => {
    const options = { grid: 12, fleet: "russian", mines: true, salvo: true, first: "guest", turn_seconds: 4_321 };
    const anna = await visit({ settings: { name: "Anna", options } });
    await anna.press(t.findGame);
    await anna.sees("invite");

    const boris = await visit({ settings: { name: "Boris", options } });
    await boris.press(t.findGame);
    await boris.sees("placing");

    await anna.sees("placing");
    assert.equal(boris.game, anna.game);
    assert.equal((await api.table(anna.game).look()).options.turn_seconds, 4_321);
});

journey("4: a listed game of somebody who chose no clock has one of three minutes", async ({ api, visit }) => {
    const anna = await visit({
        settings: { options: { grid: 15, fleet: "classic", shoot_again: true, first: "host" } },
    });
    await anna.press(t.findGame);
    await anna.sees("invite");
    assert.equal((await api.table(anna.game).look()).options.turn_seconds, 180);
});
