import "../core.js";

import type { Layout, Options, Seat } from "naval-battle-client";
import { commitmentTo } from "naval-battle-client/proof.js";

/** What was placed, and what the server says that it has sealed. */
export interface Placed {
    readonly game: string;
    readonly options: Options;
    readonly seat: Seat;
    readonly layout: Layout;
    readonly salt: string;
    readonly commitment: string;
}

/** Whether a commitment is one to exactly this layout. */
export async function isSealed({ game, options, seat, layout, salt, commitment }: Placed): Promise<boolean> {
    const ships = layout.ships.map(({ start, length, direction }) => ({
        start,
        length,
        direction: direction ?? ("across" as const),
    }));
    return (await commitmentTo({ ships, mines: layout.mines ?? [], salt }, game, options, seat)) === commitment;
}
