import "../core.js";

import type { Check, Event, Game } from "naval-battle-client";
import { verify } from "naval-battle-client/verify.js";

import { once, store, type State } from "../app.js";
import { attribute, h, keyed, say, show } from "../h.js";
import { spoken } from "../notice/live.js";
import { endOf } from "../notice/tell.js";
import { session } from "../play/open.js";
import { go } from "../route.js";
import * as seats from "../seats.js";
import { t } from "../text/index.js";
import { ReplayPlayer, type Moment } from "./player.js";
import { button, Screen } from "./screen.js";

/** A game's two documents, as they were downloaded. */
interface Documents {
    readonly game: string;
    readonly events: string;
}

/** Checks a game in the browser: the one that is open, or one out of two files from anywhere. */
export class CheckScreen extends Screen {
    readonly #lead = h("p", { class: "lead" });
    readonly #list = h("ul", { class: "checks" });
    readonly #note = h("p", { class: "notice" });
    readonly #save: HTMLElement;
    readonly #files: HTMLElement;
    readonly #gameFile = h("input", {
        type: "file",
        id: "game-file",
        accept: "application/json,.json",
        onchange: () => void this.#read(),
    });
    readonly #eventsFile = h("input", {
        type: "file",
        id: "events-file",
        accept: "application/json,.json",
        onchange: () => void this.#read(),
    });
    readonly #player = new ReplayPlayer();
    readonly #back = button(t.backToGame, () => this.#goBack(), { class: "chip" });
    #documents: Documents | null = null;
    #opened: { game: Game; events: Event[] } | null = null;
    #moment: Moment = { seq: 1, eyes: null };
    #asked: string | null = null;

    constructor() {
        super();
        say(this.heading, t.checkTitle);
        this.#save = h(
            "div",
            { class: "row" },
            button(t.saveGame, () => this.#store("GAME.json", this.#documents?.game), { class: "chip" }),
            button(t.saveEvents, () => this.#store("EVENTS.json", this.#documents?.events), { class: "chip" }),
        );
        this.#files = h(
            "section",
            { class: "card" },
            h("h2", {}, t.checkFiles),
            h("p", { class: "quiet" }, t.checkFilesText),
            h("label", { class: "field", for: "game-file" }, h("span", {}, t.gameFile), this.#gameFile),
            h("label", { class: "field", for: "events-file" }, h("span", {}, t.eventsFile), this.#eventsFile),
        );
        show(this.#note, false);
        show(this.#player, false);
        this.append(
            h("header", { class: "head" }, this.heading, this.#lead),
            this.#files,
            this.#list,
            this.#note,
            h("div", { class: "row" }, this.#back, this.#save),
            h("p", { class: "quiet" }, t.checkDistrust),
            this.#player,
        );
        this.#player.go = (moment) => {
            this.#moment = moment;
            this.update(store.state);
        };
    }

    update(state: State): void {
        const { route, table } = state;
        const game = route.screen === "check" ? route.game : null;
        show(this.#files, game === null);
        show(this.#back, game !== null);
        show(this.#save, this.#documents !== null && game !== null);
        if (game !== null && table?.game && this.#asked !== `${game} ${table.game.version}`) {
            this.#asked = `${game} ${table.game.version}`;
            void this.#download(game);
        }
        if (this.#opened && game === null) {
            show(this.#player, true);
            this.#player.update(this.#opened.game, this.#opened.events, this.#moment, state);
        }
    }

    override leave(): void {
        this.#player.leave();
    }

    #goBack(): void {
        const { route } = store.state;
        if (route.screen === "check" && route.game !== null) {
            go({ screen: "game", game: route.game });
        }
    }

    async #download(game: string): Promise<void> {
        say(this.#lead, t.checkRunning);
        try {
            this.#documents = await once().table(game).download();
        } catch {
            say(this.#lead, t.noAnswer);
            this.#asked = null;
            return;
        }
        const heads = [...seats.headsOf(game).values()];
        await this.#check(this.#documents, heads);
        this.update(store.state);
    }

    /** Two files, from anywhere: no server is asked about them. */
    async #read(): Promise<void> {
        const [game] = this.#gameFile.files ?? [];
        const [events] = this.#eventsFile.files ?? [];
        if (!game || !events) {
            return;
        }
        this.#opened = null;
        show(this.#player, false);
        this.#documents = { game: await game.text(), events: await events.text() };
        this.#opened = await this.#check(this.#documents, []);
        this.#moment = { seq: this.#opened?.events.length ?? 1, eyes: null };
        this.update(store.state);
    }

    async #check(documents: Documents, heads: readonly string[]): Promise<{ game: Game; events: Event[] } | null> {
        const read = parsed(documents);
        if (!read) {
            keyed(this.#list, [], String, () => h("li"));
            say(this.#lead, t.notAGame);
            spoken(t.notAGame);
            return null;
        }
        const checks = await verify(read.game, read.events, heads);
        const isTrue = checks.every(({ ok }) => ok !== false);
        const words = isTrue ? t.checkAllTrue : t.checkSomethingFalse;
        say(this.#lead, session() ? words : `${endOf(read.game)}. ${words}`);
        attribute(this, "data-true", String(isTrue));
        spoken(words);
        keyed(
            this.#list,
            checks.filter(({ ok }) => ok !== null),
            ({ name }) => name,
            () => h("li", {}, h("span", { class: "sign" }), h("span"), h("ul")),
            (item, check) => this.#tell(item, check),
        );
        const { status } = read.game;
        say(this.#note, status === "aborted" ? t.checkAborted : t.checkOpen);
        show(this.#note, status !== "finished");
        return read;
    }

    #tell(item: HTMLLIElement, { name, ok, count, faults }: Check): void {
        const [sign, words, list] = item.children;
        attribute(item, "data-true", String(ok));
        if (sign && words && list) {
            say(sign, ok ? "✓" : "✗");
            attribute(sign, "aria-label", ok ? t.checkTrue : t.checkFalse);
            attribute(sign, "role", "img");
            say(words, t.checkNames[name](count));
            keyed(
                list,
                faults.slice(0, 20),
                ({ seq, message }) => `${seq} ${message}`,
                ({ seq, message }) => h("li", {}, seq === null ? message : `${seq}: ${message}`),
            );
        }
    }

    /** Saves a document as it came, byte for byte. */
    #store(name: string, text: string | undefined): void {
        if (text === undefined) {
            return;
        }
        const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
        h("a", { href: address, download: name }).click();
        setTimeout(() => URL.revokeObjectURL(address), 10_000);
    }
}

/** Reads two documents; a log of several pages is several documents in one file, a line each. */
function parsed({ game, events }: Documents): { game: Game; events: Event[] } | null {
    try {
        const pages = pagesOf(events);
        const all = pages.flatMap((page) => (page as { events: Event[] }).events);
        const read = JSON.parse(game) as Game;
        return typeof read.id === "string" && all.every((event) => typeof event.seq === "number") && all.length > 0
            ? { game: read, events: all }
            : null;
    } catch {
        return null;
    }
}

function pagesOf(text: string): unknown[] {
    try {
        const page: unknown = JSON.parse(text);
        return Array.isArray(page) ? [{ events: page }] : [page];
    } catch {
        return text
            .split("\n")
            .filter((line) => line.trim() !== "")
            .map((line) => JSON.parse(line) as unknown);
    }
}

customElements.define("nb-check", CheckScreen);
