import { EMPTY, given, laid, revealable, struck, type SaltedLayout } from "./boards.js";
import { across } from "./cells.js";
import type { Board, Event, Eyes, Game, Seat, ShownPlayer } from "./shapes.js";

/**
 * The game after an event, as a look at it would show it to the same eyes. The game given stays as it is. An event
 * that the game has had gives the game itself, and one that does not follow on it is a `RangeError`.
 *
 * `layout` is what oneself has hidden, with the salt out of the reply: it belongs to one's own `placed`. Without it
 * one's own board stays empty, and `revealable` is `null`, until one looks. So it is with what opens when somebody
 * wins: it is not in the log, and a look shows it.
 */
export function advance(game: Game, event: Event, layout?: SaltedLayout): Game {
    if (event.seq <= game.version) {
        return game;
    }
    if (event.seq !== game.version + 1) {
        throw new RangeError(`event ${event.seq} does not follow on version ${game.version}`);
    }
    const isOwn = event.type === "placed" && event.seat === game.you;
    return step(game, event, game.you ?? "spectator", isOwn ? layout : undefined);
}

/** The game after the next event, seen by these eyes, with the layout where they see one placed. */
export function step(game: Game, event: Event, eyes: Eyes, layout?: SaltedLayout): Game {
    const { seq: version, head, status, awaiting } = event;
    const after: Game = { ...game, version, head, status, awaiting, result: event.result ?? game.result };
    const then = happen(after, event, layout);
    return { ...then, revealable: owedBy(then, eyes) };
}

function happen(game: Game, event: Event, layout: SaltedLayout | undefined): Game {
    const { grid } = game.options;
    switch (event.type) {
        case "created":
            return seated(game, event.seat, { name: event.name ?? null });
        case "joined": {
            const { seat, first, name = null, bot = null } = event;
            return seated({ ...game, first }, seat, { name, bot });
        }
        case "placed": {
            const { seat, commitment } = event;
            const placed = withPlayer(game, seat, { placed: true, commitment });
            return layout ? withBoard(placed, seat, (board) => laid(board, layout)) : placed;
        }
        case "fired": {
            const seat = across(event.seat);
            const then = withBoard(game, seat, (board) => struck(board, event.shots, grid));
            const sunk = then.boards[seat].ships.filter((ship) => ship.sunk).length;
            return withPlayer(then, seat, { ships_afloat: game.setup.ships.length - sunk });
        }
        case "revealed":
            return withBoard(game, event.seat, (board) => given(board, event.cells, grid));
        case "resigned":
        case "timed_out":
        case "expired":
        case "extended":
        // What a later release tells has changed what all events tell, as far as it is known here.
        default:
            return game;
    }
}

/** The cells that these eyes owe and may give; `null` where they owe none, or do not know their own ships. */
function owedBy(game: Game, eyes: Eyes): Game["revealable"] {
    const due = game.awaiting[0];
    if (due === undefined || due.action !== "reveal" || due.seat !== eyes) {
        return null;
    }
    const board = game.boards[due.seat];
    return board.salt === null ? null : revealable(board);
}

function seated(game: Game, seat: Seat, who: Partial<ShownPlayer>): Game {
    const ships_afloat = game.setup.ships.length;
    const nobody: ShownPlayer = {
        name: null,
        bot: null,
        bot_seed: null,
        placed: false,
        commitment: null,
        ships_afloat,
    };
    const player: ShownPlayer = { ...nobody, ...game.players[seat], ...who };
    return { ...game, players: { ...game.players, [seat]: player } };
}

function withPlayer(game: Game, seat: Seat, change: Partial<ShownPlayer>): Game {
    return game.players[seat] === null ? game : seated(game, seat, change);
}

function withBoard(game: Game, seat: Seat, change: (board: Board) => Board): Game {
    return { ...game, boards: { ...game.boards, [seat]: change(game.boards[seat] ?? EMPTY) } };
}
