import assert from "node:assert/strict";

import { texts as t } from "../../src/text/en.js";
import { journey } from "../harness/journey.js";
import { answer, known } from "../harness/layouts.js";
import { seatOf } from "../harness/play.js";

const OPTIONS = { grid: 10, fleet: "classic", mines: true, first: "host" } as const;

journey("13: a seat is moved by its link, and both devices play; a wrong key watches", async ({ api, visit }) => {
    const desk = await visit({ settings: { options: OPTIONS } });
    await desk.press(t.createLink);
    await desk.sees("invite");
    const boris = await api.table(desk.game).join({ name: "Boris" });
    await boris.place(known(OPTIONS));
    await desk.ready();
    await desk.sees("fire");
    desk.allow({ tokens: true });
    await desk.press(t.moveSeat);
    const link = await desk.page.getByRole("dialog").getByRole("textbox").inputValue();
    await desk.page.getByRole("dialog").getByRole("button", { name: t.close }).click();
    desk.allow({ tokens: false });
    const { token } = await desk.kept();
    assert(link.endsWith(`/key/host/${token}`));

    const phone = await visit({ address: null, viewport: { width: 390, height: 800 } });
    phone.watch.guard(token);
    await phone.go(link);
    await phone.sees("fire");
    assert.equal(new URL(phone.page.url()).hash, `#/g/${desk.game}`, "the key is taken out of the address");
    // The address that was opened holds the key: it is the link itself, and no proxy sees what stands behind its #.
    assert(phone.watch.requests.every((request) => !request.includes(token)));
    await phone.fire("guest", "J1");
    const seat = await seatOf(api, desk);
    await desk.draws(await seat.look());
    await answer(boris);
    await Promise.all([desk.sees("fire"), phone.sees("fire")]);
    await desk.fire("guest", "J3");
    await phone.draws(await seat.look());

    const clara = await visit({ address: null });
    clara.allow({ statuses: [`401 ${desk.game}`] });
    await clara.go(`#/g/${desk.game}/key/host/${"x".repeat(token.length)}`);
    await clara.sees("watching");
    await clara.reads(t.keyOpensNothing);
    await clara.draws(await api.table(desk.game).look());
});
