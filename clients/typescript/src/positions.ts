import { step } from "./advance.js";
import { EMPTY, laid, type SaltedLayout } from "./boards.js";
import type { Event, Eyes, Game, Seat } from "./shapes.js";

const SEATS: readonly Seat[] = ["host", "guest"];

/**
 * Every position of a game, out of the game and its log from the first event on: `positions(…)[7]` is the game right
 * after event 8, as `replay` shows it through these eyes. `you` is the one of the game.
 *
 * A position of eyes that see a layout which the game does not show is a `RangeError`: one's own and a spectator's are
 * always there, the others once somebody has won.
 */
export function positions(game: Game, events: readonly Event[], eyes: Eyes): Game[] {
    const layouts = { host: layoutOf(game, "host"), guest: layoutOf(game, "guest") };
    const sees = (seat: Seat) => eyes === "all" || eyes === seat;
    let position: Game = {
        ...game,
        version: 0,
        first: null,
        result: null,
        next: null,
        players: { host: null, guest: null },
        boards: { host: EMPTY, guest: EMPTY },
    };
    return events.map((event) => {
        if (event.seq !== position.version + 1) {
            throw new RangeError(`event ${event.seq} does not follow on event ${position.version}`);
        }
        const seat = event.type === "placed" && sees(event.seat) ? event.seat : null;
        if (seat !== null && layouts[seat] === undefined) {
            throw new RangeError(`the game does not show what the ${seat} has hidden`);
        }
        position = step(position, event, eyes, seat === null ? undefined : layouts[seat]);
        if (seat !== null) {
            position = withSeed(position, seat, game);
        }
        if (event.result?.winner) {
            position = opened(position, game, layouts);
        }
        return position;
    });
}

/** What a game shows of what a seat has hidden; nothing where its salt is not shown, as then its ships are not. */
export function layoutOf(game: Game, seat: Seat): SaltedLayout | undefined {
    const { ships, mines, salt } = game.boards[seat];
    return salt === null ? undefined : { ships, mines, salt };
}

/** Both boards whole, once somebody has won. */
function opened(position: Game, game: Game, layouts: Record<Seat, SaltedLayout | undefined>): Game {
    return SEATS.reduce((then, seat) => {
        const layout = layouts[seat];
        const boards = layout ? { ...then.boards, [seat]: laid(then.boards[seat], layout) } : then.boards;
        return withSeed({ ...then, boards }, seat, game);
    }, position);
}

/** Where a bot's choices come from is seen with what it has hidden. */
function withSeed(position: Game, seat: Seat, game: Game): Game {
    const [player, shown] = [position.players[seat], game.players[seat]];
    if (player === null || shown === null) {
        return position;
    }
    return { ...position, players: { ...position.players, [seat]: { ...player, bot_seed: shown.bot_seed ?? null } } };
}
