import type { State } from "../app.js";
import { h, say, show } from "../h.js";
import { spoken } from "../notice/live.js";
import { link } from "../route.js";
import { t } from "../text/index.js";
import { button } from "./screen.js";

/** A link to give away: shown, shared, copied, or as a QR code. */
export class LinkBox extends HTMLElement {
    readonly #field = h("input", {
        type: "text",
        readonly: true,
        class: "link",
        spellcheck: "false",
        onfocus: () => this.#field.select(),
    });
    readonly #share = button(t.share, () => this.#give(), { class: "main" });
    readonly #word = h("span", { class: "quiet" });
    readonly #code = h("div", { class: "code", hidden: true });
    readonly #show: HTMLButtonElement;
    #address = "";

    constructor(label: string) {
        super();
        this.#field.setAttribute("aria-label", label);
        this.#show = button(t.qrCode, () => this.#draw(), { class: "chip", "aria-expanded": "false" });
        show(this.#share, typeof navigator.share === "function");
        this.append(
            this.#field,
            h(
                "div",
                { class: "row" },
                this.#share,
                button(t.copy, () => this.#copy(), { class: "chip" }),
                this.#show,
                this.#word,
            ),
            this.#code,
        );
    }

    set address(address: string) {
        if (address !== this.#address) {
            this.#address = address;
            this.#field.value = address;
            this.#code.hidden = true;
        }
    }

    async #give(): Promise<void> {
        try {
            await navigator.share({ url: this.#address, title: t.title });
        } catch (error) {
            if (!(error instanceof DOMException && error.name === "AbortError")) {
                await this.#copy();
            }
        }
    }

    async #copy(): Promise<void> {
        const words = (await copied(this.#address, this.#field)) ? t.copied : t.copyByHand;
        say(this.#word, words);
        spoken(words);
    }

    async #draw(): Promise<void> {
        if (this.#code.hidden) {
            const { drawing } = await import("./code.js");
            this.#code.replaceChildren(drawing(this.#address, t.qrCode));
        }
        this.#code.hidden = !this.#code.hidden;
        this.#show.setAttribute("aria-expanded", String(!this.#code.hidden));
    }
}

/** Copies a text; where the platform has no clipboard, out of a selected field. */
export async function copied(text: string, field: HTMLInputElement): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        field.focus();
        field.select();
        try {
            return document.execCommand("copy");
        } catch {
            return false;
        }
    }
}

/** The link to a game that waits for its second player. */
export class ShareBox extends HTMLElement {
    readonly #link = new LinkBox(t.inviteLink);
    readonly #local = h("p", { class: "notice" }, t.onlyHere);

    constructor() {
        super();
        this.className = "card";
        this.append(h("p", {}, t.inviteText), this.#link, this.#local);
        show(this.#local, /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname));
    }

    update({ table }: State): void {
        if (table) {
            this.#link.address = link({ screen: "game", game: table.id });
        }
    }
}

customElements.define("nb-link", LinkBox);
customElements.define("nb-share", ShareBox);
