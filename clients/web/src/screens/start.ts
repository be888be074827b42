import { configure, store, type State } from "../app.js";
import { attribute, h, keyed, say, show, svg } from "../h.js";
import { levelOf } from "../notice/tell.js";
import { begin, chosen } from "../play/enter.js";
import { startLobby, stopLobby } from "../play/lobby.js";
import { language, LANGUAGES, OWN_NAMES, t } from "../text/index.js";
import { GamesList } from "./games.js";
import { OffersList } from "./offers.js";
import { OptionsForm } from "./options.js";
import { anchor, button, Screen } from "./screen.js";
import { capital, cut, wordsOf } from "./words.js";
import { openSettings } from "./dialogs.js";

/** What it is, three ways to play it, one's own games and those of others. */
export class StartScreen extends Screen {
    readonly #options = new OptionsForm();
    readonly #summary = h("span", { class: "quiet" });
    readonly #trouble = h("p", { class: "notice", role: "alert" });
    readonly #levels = h("div", { class: "row" });
    readonly #name = h("input", { id: "name", type: "text", autocomplete: "nickname", oninput: () => this.#rename() });
    readonly #language = h(
        "select",
        { "aria-label": t.setLanguage, onchange: () => configure({ language: this.#language.value }) },
        ...LANGUAGES.map((one) => h("option", { value: one, lang: one }, OWN_NAMES[one])),
    );
    readonly #games = new GamesList();
    readonly #offers = new OffersList();
    readonly #ways: HTMLElement;

    constructor() {
        super();
        say(this.heading, t.title);
        this.#language.value = language;
        const way = (title: string, text: string, acts: HTMLElement) =>
            h("section", { class: "card way" }, h("h2", {}, title), h("p", { class: "quiet" }, text), acts);
        this.#ways = h(
            "div",
            { class: "ways" },
            way(t.againstComputer, t.againstComputerText, this.#levels),
            way(
                t.withFriend,
                t.withFriendText,
                button(t.createLink, () => begin("friend"), { class: "main" }),
            ),
            way(
                t.withStranger,
                t.withStrangerText,
                button(t.findGame, () => begin("stranger"), { class: "main" }),
            ),
        );
        this.append(
            h(
                "header",
                { class: "hero" },
                picture(),
                h(
                    "div",
                    { class: "words" },
                    this.heading,
                    h("p", {}, t.whatItIs),
                    h("p", { class: "quiet" }, t.noSignUp),
                ),
            ),
            this.#trouble,
            this.#ways,
            h(
                "div",
                { class: "card settings" },
                h("label", { class: "field", for: "name" }, h("span", {}, t.yourName), this.#name),
                h(
                    "details",
                    { class: "options" },
                    h("summary", {}, h("span", {}, t.options), " ", this.#summary),
                    this.#options,
                ),
            ),
            this.#games,
            this.#offers,
            h(
                "footer",
                {},
                anchor(t.rules, "#/rules"),
                anchor(t.checkGame, "#/check"),
                this.#language,
                button(t.settings, () => openSettings(), { class: "link" }),
                anchor(t.api, "docs/"),
                h("p", { class: "quiet" }, t.about),
            ),
        );
        startLobby();
    }

    update(state: State): void {
        const { rules, settings, trouble, isAsking } = state;
        say(this.#summary, wordsOf(chosen(), rules).join(" · "));
        say(this.#trouble, trouble ?? "");
        show(this.#trouble, trouble !== null);
        keyed(
            this.#levels,
            ["easy", "medium", "hard"] as const,
            (level) => level,
            (level) => button(level, () => begin(level), { class: "main" }),
            (element, level) => say(element, capital(levelOf(level))),
        );
        if (document.activeElement !== this.#name) {
            this.#name.value = settings.name;
        }
        attribute(this.#ways, "aria-busy", isAsking ? "true" : null);
        this.#ways
            .querySelectorAll("button")
            .forEach((element) => attribute(element, "aria-disabled", isAsking ? "true" : null));
        this.#options.update(state);
        this.#games.update(state);
        this.#offers.update(state);
    }

    override leave(): void {
        stopLobby();
        store.set({ trouble: null });
    }

    #rename(): void {
        const name = cut(this.#name.value);
        if (name !== this.#name.value) {
            this.#name.value = name;
        }
        configure({ name });
    }
}

/** A ship on quiet water: waves of one size however wide the page is. */
function picture(): SVGSVGElement {
    const water = (y: number, shift: number, kind: string) =>
        svg("rect", {
            class: `wave ${kind}`,
            x: -48,
            y,
            width: "120%",
            height: 12,
            fill: "url(#wave)",
            transform: `translate(${shift} 0)`,
        });
    return svg(
        "svg",
        { class: "picture", "aria-hidden": "true", focusable: "false" },
        svg(
            "defs",
            {},
            svg(
                "pattern",
                { id: "wave", width: 48, height: 12, patternUnits: "userSpaceOnUse" },
                svg("path", { d: "M0 6q12 -8 24 0t24 0" }),
            ),
        ),
        svg("circle", { class: "sun", cx: "88%", cy: 34, r: 20 }),
        water(60, 8, "far"),
        svg(
            "svg",
            { class: "ship", x: "56%", y: 10, width: 150, height: 78, viewBox: "0 0 46 24", overflow: "visible" },
            svg("path", { class: "body", d: "M1 13H45L40 22H8C4 22 2 17 1 13Z" }),
            svg("path", { class: "cabin", d: "M12 12.4V8H17V4H26V8H32V12.4ZM19 3.4V0H23V3.4ZM34 12.4V11H40V12.4Z" }),
            svg("path", { class: "flag", d: "M28.5 7.4V1.5L32.5 3L28.5 4.5" }),
        ),
        water(84, 30, "middle"),
        water(108, 0, "near"),
    );
}

customElements.define("nb-start", StartScreen);
