import { configure, store, type State } from "../app.js";
import { h, keyed, say, show } from "../h.js";
import { join } from "../play/enter.js";
import * as seats from "../seats.js";
import type { Offer } from "../shapes.js";
import { language, t } from "../text/index.js";
import { bdi, button } from "./screen.js";
import { cut, wordsOf } from "./words.js";

/** The games that others offer. */
export class OffersList extends HTMLElement {
    readonly #list = h("ul", { class: "rows" });
    readonly #none = h("p", { class: "quiet" });
    readonly #name = h("input", { id: "joiner", type: "text", autocomplete: "nickname" });
    readonly #dialog = h("dialog", { "aria-labelledby": "join-title" });
    #wanted = "";

    constructor() {
        super();
        const form = h(
            "form",
            { method: "dialog", onsubmit: () => this.#join() },
            h("h2", { id: "join-title" }, t.joinTitle),
            h("label", { class: "field", for: "joiner" }, h("span", {}, t.yourName), this.#name),
            h(
                "div",
                { class: "row" },
                h("button", { class: "main" }, t.join),
                button(t.cancel, () => this.#dialog.close()),
            ),
        );
        this.#dialog.append(form);
        this.append(h("h2", {}, t.openGames), this.#list, this.#none, this.#dialog);
    }

    update({ offers, rules }: State): void {
        const own = new Set(seats.allSeats().map(({ game }) => game));
        const others = (offers ?? []).filter((offer) => !own.has(offer.id));
        keyed(
            this.#list,
            others,
            ({ id }) => id,
            (offer) => this.#row(offer),
            (row, offer) => {
                const about = row.querySelector(".about");
                if (about) {
                    say(about, `${wordsOf(offer.options, rules).join(" · ")} · ${age(offer.created_at)}`);
                }
            },
        );
        say(this.#none, offers === null ? t.looking : t.noOffers);
        show(this.#none, others.length === 0);
    }

    #row(offer: Offer): HTMLLIElement {
        const name = offer.host.name ?? t.somebody;
        return h(
            "li",
            {},
            h("span", { class: "grow" }, bdi(name), " ", h("span", { class: "about quiet" })),
            button(t.join, () => this.#ask(offer.id), { "aria-label": `${t.join}: ${name}` }),
        );
    }

    #ask(id: string): void {
        this.#wanted = id;
        this.#name.value = store.state.settings.name;
        this.#dialog.showModal();
    }

    #join(): void {
        configure({ name: cut(this.#name.value) });
        void join(this.#wanted);
    }
}

/** How long ago something was, in the words of the language. */
function age(at: string): string {
    const minutes = Math.round((Date.parse(at) - Date.now()) / 60_000);
    const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    return minutes > -60
        ? words.format(Math.min(0, minutes), "minute")
        : words.format(Math.round(minutes / 60), "hour");
}

customElements.define("nb-offers", OffersList);
