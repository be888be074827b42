import { configure, type State } from "../app.js";
import { attribute, h, say, show } from "../h.js";
import { join } from "../play/enter.js";
import { session } from "../play/open.js";
import { isRematch } from "../shapes.js";
import { t } from "../text/index.js";
import { anchor, bdi, button, mixed, Screen } from "./screen.js";
import { cut, wordsOf } from "./words.js";

/** Somebody's link, opened: what is played, and whether to join or to watch. Opening it takes no seat. */
export class InvitationScreen extends Screen {
    readonly #options = h("ul", { class: "chips" });
    readonly #name = h("input", { id: "name", type: "text", autocomplete: "nickname" });
    readonly #word = h("p", { class: "word" });
    readonly #join = h("button", { class: "main" }, t.join);
    readonly #form = h("form", { class: "card", onsubmit: (event: SubmitEvent) => this.#submit(event) });
    readonly #rematch = h("p", { class: "card" }, t.rematchIsTaken);
    #host: string | null = null;

    constructor() {
        super();
        this.#form.append(
            h("label", { class: "field", for: "name" }, h("span", {}, t.yourName), this.#name),
            h("div", { class: "row" }, this.#join),
        );
        this.append(
            h("header", { class: "head" }, this.heading),
            this.#options,
            h("p", {}, anchor(t.rulesLink, "#/rules")),
            this.#form,
            this.#rematch,
            h(
                "div",
                { class: "row" },
                button(t.watch, () => this.#watch(), { class: "chip" }),
            ),
            this.#word,
        );
    }

    update({ table, rules, settings, isAsking }: State): void {
        const game = table?.game;
        if (!table || !game) {
            return;
        }
        const host = game.players.host?.name ?? t.somebody;
        if (host !== this.#host) {
            this.#host = host;
            this.heading.replaceChildren(
                ...mixed(t.invitesYou, bdi(host)).filter((child) => child !== null && child !== false),
            );
            this.#name.value = settings.name;
        }
        const words = wordsOf(game.options, rules);
        if (this.#options.childElementCount !== words.length) {
            this.#options.replaceChildren(...words.map((word) => h("li", {}, word)));
        }
        const isTaken = isRematch(game, table.events);
        show(this.#form, !isTaken);
        show(this.#rematch, isTaken);
        attribute(this.#join, "aria-disabled", isAsking ? "true" : null);
        say(this.#word, table.word ?? "");
    }

    #submit(event: SubmitEvent): void {
        event.preventDefault();
        configure({ name: cut(this.#name.value) });
        void join(session()?.id ?? "");
    }

    #watch(): void {
        say(this.#word, t.watching);
    }
}

customElements.define("nb-invitation", InvitationScreen);
