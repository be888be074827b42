// The game that the README shows, played from both seats.
import { NavalBattle } from "naval-battle-client";

const api = new NavalBattle(process.argv[2] ?? "http://127.0.0.1:8080");
const anna = await api.create({ name: "Anna", options: { first: "host" } });
const boris = await api.table(anna.id).join({ name: "Boris" });
const lengths = { B2: 5, B4: 4, B6: 3, F6: 3, B8: 2 };
const layout = { ships: Object.entries(lengths).map(([start, length]) => ({ start, length })), mines: ["J10"] };
await anna.place(layout);
await boris.place(layout);
await anna.fire(["J10"]); // a mine: she owes a cell of her own ships
await anna.reveal(["D4"]);
await boris.resign();
for await (const event of anna.follow()) {
    console.log(event.seq, event.type);
}
