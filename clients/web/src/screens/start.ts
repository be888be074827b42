import { configure, store, type State } from "../app.js";
import { attribute, h, keyed, say, show, svg } from "../h.js";
import { levelOf } from "../notice/tell.js";
import { begin, chosen } from "../play/enter.js";
import { startLobby, stopLobby } from "../play/lobby.js";
import { t } from "../text/index.js";
import { GamesList } from "./games.js";
import { OffersList } from "./offers.js";
import { OptionsForm } from "./options.js";
import { anchor, button, Screen } from "./screen.js";
import { cut, wordsOf } from "./words.js";
import { openSettings } from "./dialogs.js";

/** What it is, three ways to play it, one's own games and those of others. */
export class StartScreen extends Screen {
    readonly #options = new OptionsForm();
    readonly #summary = h("span", { class: "quiet" });
    readonly #trouble = h("p", { class: "notice", role: "alert" });
    readonly #levels = h("div", { class: "row" });
    readonly #name = h("input", { id: "name", type: "text", autocomplete: "nickname", oninput: () => this.#rename() });
    readonly #games = new GamesList();
    readonly #offers = new OffersList();
    readonly #ways: HTMLElement;

    constructor() {
        super();
        say(this.heading, t.title);
        const way = (title: string, text: string, acts: HTMLElement) =>
            h("section", { class: "card way" }, h("h2", {}, title), h("p", { class: "quiet" }, text), acts);
        this.#ways = h("div", { class: "ways" },
            way(t.againstComputer, t.againstComputerText, this.#levels),
            way(t.withFriend, t.withFriendText, button(t.createLink, () => begin("friend"), { class: "main" })),
            way(t.withStranger, t.withStrangerText, button(t.findGame, () => begin("stranger"), { class: "main" })));
        this.append(
            h("header", { class: "hero" }, picture(), h("div", { class: "words" }, this.heading, h("p", {}, t.whatItIs), h("p", { class: "quiet" }, t.noSignUp))),
            this.#trouble, this.#ways,
            h("div", { class: "card settings" },
                h("label", { class: "field", for: "name" }, h("span", {}, t.yourName), this.#name),
                h("details", { class: "options" }, h("summary", {}, h("span", {}, t.options), " ", this.#summary), this.#options)),
            this.#games, this.#offers,
            h("footer", {},
                anchor(t.rules, "#/rules"), anchor(t.checkGame, "#/check"),
                button(t.settings, () => openSettings(), { class: "link" }),
                anchor(t.api, "docs/"), h("p", { class: "quiet" }, t.about)));
        startLobby();
    }

    update(state: State): void {
        const { rules, settings, trouble, isAsking } = state;
        say(this.#summary, wordsOf(chosen(), rules).join(" · "));
        say(this.#trouble, trouble ?? "");
        show(this.#trouble, trouble !== null);
        keyed(this.#levels, ["easy", "medium", "hard"] as const, (level) => level,
            (level) => button(level, () => begin(level), { class: "main" }), (element, level) => say(element, levelOf(level)));
        if (document.activeElement !== this.#name) {
            this.#name.value = settings.name;
        }
        attribute(this.#ways, "aria-busy", isAsking ? "true" : null);
        this.#ways.querySelectorAll("button").forEach((element) => attribute(element, "aria-disabled", isAsking ? "true" : null));
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

/** A ship on quiet water. */
function picture(): SVGSVGElement {
    const wave = (y: number, shift: number) =>
        `M${-12 + shift} ${y}${Array.from({ length: 16 }, () => "q3 -2.200 6 0t6 0").join("")}`;
    return svg("svg", { class: "picture", viewBox: "0 0 120 44", preserveAspectRatio: "xMidYMax slice", "aria-hidden": "true", focusable: "false" },
        svg("circle", { class: "sun", cx: 92, cy: 16, r: 8 }),
        svg("path", { class: "wave far", d: wave(28, 0) }),
        svg("g", { class: "ship", transform: "translate(30 12)" },
            svg("path", { class: "body", d: "M2 14H44L39 22H8C5 22 3 18 2 14Z" }),
            svg("path", { class: "deck", d: "M12 14V9H18V5H24V9H31V14ZM19.500 5V1M33 12.500H38" })),
        svg("path", { class: "wave", d: wave(33, 3) }),
        svg("path", { class: "wave near", d: wave(39, 1) }));
}

customElements.define("nb-start", StartScreen);
