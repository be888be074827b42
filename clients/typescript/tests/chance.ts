import assert from "node:assert/strict";

import { across, cellsOf, nameOf } from "../src/cells.js";
import type { Cell, Event, Game, Layout, NavalBattle, Options, Player, Seat, SaltedLayout } from "../src/index.js";

/** Numbers from 0 to below 1, the same ones for the same seed (mulberry32). */
export function chance(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

/** All choices of options that change what is played. */
export function configurations(): Pick<Options, "grid" | "fleet" | "mines" | "salvo" | "shoot_again">[] {
    const both = [false, true];
    return ([8, 10, 12, 15] as const).flatMap((grid) =>
        (["classic", "russian"] as const).flatMap((fleet) =>
            both.flatMap((mines) =>
                both.flatMap((salvo) => both.map((shoot_again) => ({ grid, fleet, mines, salvo, shoot_again }))),
            ),
        ),
    );
}

/** A game that is played at random, by somebody who knows both layouts and so comes to an end. */
export class RandomGame {
    readonly layouts = new Map<Seat, SaltedLayout>();
    readonly events: Event[] = [];

    private constructor(
        readonly api: NavalBattle,
        readonly host: Player,
        readonly guest: Player,
        readonly random: () => number,
        readonly keen: number,
    ) {}

    /** A new game; the keener, the fewer shots miss. */
    static async create(api: NavalBattle, options: Partial<Options>, seed: number, keen = 16): Promise<RandomGame> {
        const host = await api.create({ name: "Ada", options });
        const guest = await api.table(host.id).join();
        return new RandomGame(api, host, guest, chance(seed), keen);
    }

    player(seat: Seat): Player {
        return seat === "host" ? this.host : this.guest;
    }

    /** Does what is due, and gives the events that it brought; none once the game has ended. */
    async move(game: Game): Promise<Event[]> {
        const due = game.awaiting[Math.floor(this.random() * game.awaiting.length)];
        if (due === undefined) {
            return [];
        }
        const player = this.player(due.seat);
        switch (due.action) {
            case "place": {
                const layout = await this.layout(game);
                const { salt, events } = await player.place(layout);
                assert(salt);
                this.layouts.set(due.seat, { ...layout, salt });
                return events;
            }
            case "reveal": {
                const own = this.layouts.get(due.seat)?.ships.flatMap(cellsOf) ?? [];
                const board = game.boards[due.seat];
                const gone = new Set([...board.shots.map(({ cell }) => cell), ...board.revealed]);
                const left = this.shuffled(own.filter((cell) => !gone.has(cell)));
                return (await player.reveal(left.slice(0, due.count))).events;
            }
            case "fire":
                return (await player.fire(this.targets(game, across(due.seat), due.count))).events;
            case "join":
                throw new Error("both have joined");
        }
    }

    private async layout({ options: { grid, fleet, mines } }: Game): Promise<Layout> {
        const seed = Math.floor(this.random() * 2 ** 53);
        const { layout } = await this.api.randomLayout({ grid, fleet, mines, seed });
        // In an order that nobody's list has.
        return { ships: this.shuffled(layout.ships), mines: this.shuffled(layout.mines) };
    }

    /** Cells not fired at, most of them of ships, and a mine now and then. */
    private targets(game: Game, seat: Seat, count: number): Cell[] {
        const fired = new Set(game.boards[seat].shots.map(({ cell }) => cell));
        const layout = this.layouts.get(seat);
        const { grid } = game.options;
        const all = Array.from({ length: grid * grid }, (_, index) => nameOf(index % grid, Math.floor(index / grid)));
        const weight = new Map(all.map((cell) => [cell, this.random()]));
        layout?.ships.flatMap(cellsOf).forEach((cell) => weight.set(cell, this.random() ** this.keen));
        layout?.mines?.forEach((cell) => weight.set(cell, this.random() ** 6));
        const left = all.filter((cell) => !fired.has(cell));
        return left.sort((one, other) => (weight.get(one) ?? 1) - (weight.get(other) ?? 1)).slice(0, count);
    }

    shuffled<T>(list: readonly T[]): T[] {
        const keyed = list.map((value) => ({ value, key: this.random() }));
        return keyed.sort((one, other) => one.key - other.key).map(({ value }) => value);
    }
}

/** Does something with each of these, a few at a time. */
export async function each<T>(list: readonly T[], atOnce: number, work: (value: T, index: number) => Promise<void>) {
    let next = 0;
    const one = async () => {
        while (next < list.length) {
            const index = next++;
            await work(list[index] as T, index);
        }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
}
