import "../core.js";

import type { State } from "../app.js";
import { h, say } from "../h.js";
import { t } from "../text/index.js";
import { anchor, Screen } from "./screen.js";

/** The rules, in the server's words. */
export class RulesScreen extends Screen {
    readonly #body = h("div", { class: "prose" });
    #shown: State["rules"] = null;

    constructor() {
        super();
        say(this.heading, t.rules);
        this.append(h("header", { class: "head" }, this.heading), this.#body);
    }

    update({ rules }: State): void {
        if (rules === null || rules === this.#shown) {
            return;
        }
        this.#shown = rules;
        const { text } = rules;
        const paragraphs = (words: string) => words.split("\n\n").map((words) => h("p", {}, words));
        const standard = (text as { standard?: string }).standard;
        this.#body.replaceChildren(
            ...(standard === undefined ? [] : [h("h2", {}, t.standardGame), ...paragraphs(standard)]),
            h("h2", {}, t.mines),
            ...paragraphs(text.what),
            h("h2", {}, t.changes),
            h(
                "div",
                { class: "scroll", tabindex: 0, role: "region", "aria-label": t.changes },
                h(
                    "table",
                    {},
                    h(
                        "thead",
                        {},
                        h(
                            "tr",
                            {},
                            h("td"),
                            h("th", { scope: "col" }, t.standardGame),
                            h("th", { scope: "col" }, t.mines),
                        ),
                    ),
                    h(
                        "tbody",
                        {},
                        ...text.changes.map(({ rule, standard, mines }) =>
                            h("tr", {}, h("th", { scope: "row" }, rule), h("td", {}, standard), h("td", {}, mines)),
                        ),
                    ),
                ),
            ),
            h("h2", {}, t.options),
            h(
                "dl",
                {},
                ...rules.options.flatMap(({ title, text, words }) => [
                    h("dt", {}, title),
                    h(
                        "dd",
                        {},
                        [text, words.map(({ title }) => title).join(" · ")].filter((word) => word !== "").join(" "),
                    ),
                ]),
            ),
            h("h2", {}, t.history),
            ...paragraphs(text.history),
            h("p", {}, anchor(t.toStart, "#/")),
        );
    }
}

customElements.define("nb-rules", RulesScreen);
