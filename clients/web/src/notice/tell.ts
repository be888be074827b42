import type { Event, Game, Seat } from "naval-battle-client";

import { columns, store } from "../app.js";
import { shown } from "../board/cells.js";
import { owes } from "../shapes.js";
import { t } from "../text/index.js";

/** What a player is called; one without a name by what they are. */
export function nameOf(game: Game, seat: Seat): string {
    const player = game.players[seat];
    if (player?.bot) {
        return t.computer(levelOf(player.bot));
    }
    return player?.name ?? (seat === "host" ? t.host : t.guest);
}

/** Whose waters a board shows. */
export function watersOf(game: Game, seat: Seat): string {
    return game.players[seat]?.bot ? t.computersWaters : t.watersOf(nameOf(game, seat));
}

/** What a level of the computer is called, by the server. */
export function levelOf(level: string): string {
    const levels: Readonly<Record<string, string>> =
        (store.state.rules as { levels?: Record<string, string> } | null)?.levels ?? {};
    return levels[level] ?? level;
}

/** Who did something: oneself is “you”. */
export function subject(game: Game, seat: Seat): string {
    return game.you === seat ? t.you : nameOf(game, seat);
}

/** What each shot of an event found, in words. */
export function answers(event: Extract<Event, { type: "fired" }>): string {
    const words = store.state.rules?.answers;
    return event.shots
        .map(({ cell, outcome }) => `${shown(cell, columns())}, ${words?.[outcome] ?? outcome}`)
        .join("; ");
}

/** An event, in one sentence, as it is written in the list of moves and told to screen readers. */
export function sentenceOf(event: Event, game: Game): string {
    const who = "seat" in event && event.seat ? subject(game, event.seat) : "";
    const isYou = "seat" in event && event.seat !== undefined && event.seat === game.you;
    switch (event.type) {
        case "created":
            return t.eventCreated(who);
        case "joined":
            return t.eventJoined(who, isYou);
        case "placed":
            return t.eventPlaced(who, isYou);
        case "fired": {
            const said = t.eventFired(who, answers(event));
            return event.owed ? `${said}. ${t.eventOwes(who, event.owed, isYou)}` : said;
        }
        case "revealed":
            return t.eventRevealed(who, event.cells.map((cell) => shown(cell, columns())).join(", "), isYou);
        case "resigned":
            return t.eventResigned(who, isYou);
        case "timed_out":
            return t.eventTimedOut(who);
        case "expired":
            return t.eventExpired;
        case "extended":
            return t.eventExtended(event.seconds);
    }
}

/** Whose turn it is, in words. */
export function turnOf(game: Game): string {
    const own = owes(game, game.you);
    const [due] = game.awaiting;
    if (own?.action === "fire") {
        return game.options.salvo || own.count > 1 ? t.yourShots(own.count) : t.yourTurn;
    }
    if (own?.action === "reveal") {
        return t.yourDebt(own.count);
    }
    if (own?.action === "place") {
        return t.placeYours;
    }
    if (due === undefined) {
        return "";
    }
    const who = nameOf(game, due.seat);
    switch (due.action) {
        case "join":
            return t.waitingForSomebody;
        case "place":
            return t.theyPlace(who);
        case "reveal":
            return t.theyOwe(who);
        case "fire":
            return t.theirTurn(who);
    }
}

/** How a game ended, in words: who won, from one's own side where one has one. */
export function endOf(game: Game): string {
    const { result, you } = game;
    const winner = result?.winner ?? null;
    if (winner === null) {
        return t.nobodyWon;
    }
    return you === null ? t.wonBy(nameOf(game, winner)) : you === winner ? t.youWon : t.youLost;
}

/** Why a game ended, in the server's words. */
export function reasonOf(game: Game): string {
    const reason = game.result?.reason;
    return reason === undefined ? "" : (store.state.rules?.reasons[reason] ?? reason);
}
