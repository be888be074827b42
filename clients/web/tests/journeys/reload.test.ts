import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { answer, known } from "../harness/layouts.js";
import { seatOf } from "../harness/play.js";
import { clear, lying, put } from "../harness/yard.js";

journey("7: a reload changes nothing in any phase of a game", async ({ api, visit }) => {
    const anna = await visit({
        settings: { name: "Anna", options: { grid: 10, mines: true, salvo: true, first: "host" } },
    });
    const reload = () => anna.page.reload();

    await anna.press(t.createLink);
    await anna.sees("invite");
    await reload();
    await anna.sees("invite");
    const { id } = api.table(anna.game);

    const boris = await api.table(id).join({ name: "Boris" });
    await anna.sees("placing");
    await clear(anna);
    await put(anna, "ship 0", "B2");
    await put(anna, "ship 4", "B5", false);
    const draft = await lying(anna);
    await reload();
    await anna.sees("placing");
    await anna.page.locator('[data-cell="B2"][data-look="ship"]').waitFor();
    assert.deepEqual(await lying(anna), draft);
    await anna.press(t.shuffle);
    await anna.ready();
    await reload();
    await anna.sees("placed");

    const layout = known({ grid: 10, fleet: "classic", mines: true });
    await boris.place(layout);
    await anna.sees("fire");
    const volley = ["J1", "J3", "J5"];
    for (const cell of volley) {
        await anna.cell("guest", cell).click();
    }
    await reload();
    await anna.sees("fire");
    for (const cell of volley) {
        await anna.page.locator(`[data-side="guest"] [data-cell="${cell}"][aria-pressed="true"]`).waitFor();
    }
    const [mine = ""] = layout.mines ?? [];
    await anna.fire("guest", mine, "J7");
    const seat = await seatOf(api, anna);
    await anna.sees("reveal");
    await reload();
    await anna.sees("reveal");
    await anna.draws(await seat.look());
    const cell = (await seat.look()).revealable?.[0] ?? "";
    await anna.cell("host", cell).click();
    await anna.press(t.giveAway(cell));
    await anna.sees("wait");
    await answer(boris);
    await boris.resign();
    await anna.sees("end");
    await reload();
    await anna.sees("end");
    await anna.draws(await seat.look());
    await anna.reads(t.youWon);
});
