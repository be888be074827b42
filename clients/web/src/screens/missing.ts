import type { State } from "../app.js";
import { h, say } from "../h.js";
import { t } from "../text/index.js";
import { anchor, Screen } from "./screen.js";

/** While a game is looked for, and where there is none. */
export class MissingScreen extends Screen {
    readonly #word = h("p", { class: "lead" });

    constructor() {
        super();
        this.append(h("header", { class: "head" }, this.heading), this.#word, h("p", {}, anchor(t.toStart, "#/")));
    }

    update({ table }: State): void {
        say(this.heading, table?.missing ? t.noGame : t.looking);
        say(this.#word, table?.missing ?? table?.word ?? "");
    }
}

customElements.define("nb-missing", MissingScreen);
