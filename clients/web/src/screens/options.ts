import type { Options, Rules } from "naval-battle-client";

import { configure, store, type State } from "../app.js";
import { attribute, h } from "../h.js";
import { chosen } from "../play/enter.js";
import { t } from "../text/index.js";
import { button } from "./screen.js";
import { duration, titleOf, wordOf } from "./words.js";

/** Clocks to choose from, in seconds. */
const CLOCKS = [30, 60, 180, 3_600, 86_400, 259_200, 1_209_600];

interface Preset {
    readonly name: () => string;
    readonly options: Partial<Options>;
}

const PLAIN = { grid: 10, fleet: "classic", mines: false, salvo: false, shoot_again: false } as const;

const PRESETS: readonly Preset[] = [
    { name: () => t.presetStandard, options: PLAIN },
    { name: () => t.presetMines, options: { ...PLAIN, grid: 8, mines: true } },
    { name: () => t.presetRussian, options: { ...PLAIN, fleet: "russian", mines: true, shoot_again: true } },
    { name: () => t.presetSalvo, options: { ...PLAIN, mines: true, salvo: true } },
];

type Choice = "grid" | "fleet" | "first";
type Switch = "mines" | "salvo" | "shoot_again";

/** All seven options with their words, kept as they are chosen. */
export class OptionsForm extends HTMLElement {
    #inputs: { input: HTMLInputElement; isChosen: (options: Options) => boolean }[] = [];
    #clock = h("select", { id: "clock", onchange: () => this.#setClock() });
    #seconds = h("input", { id: "seconds", type: "number", inputmode: "numeric", onchange: () => this.#setSeconds() });
    #custom = h("label", { class: "field", for: "seconds" });
    #rules: Rules | null = null;

    update({ rules, settings }: State): void {
        if (rules === null) {
            return;
        }
        if (this.#rules !== rules) {
            this.#rules = rules;
            this.#make(rules);
        }
        const options = chosen();
        for (const { input, isChosen } of this.#inputs) {
            input.checked = isChosen(options);
        }
        const clock = settings.options.turn_seconds;
        const isListed = clock === undefined || clock === null || CLOCKS.includes(clock);
        const value = clock === undefined || clock === null ? "" : isListed ? String(clock) : "other";
        if (document.activeElement !== this.#clock && this.#clock.value !== "other") {
            this.#clock.value = value;
        }
        this.#custom.hidden = this.#clock.value !== "other";
        if (!isListed && document.activeElement !== this.#seconds) {
            this.#seconds.value = String(clock);
        }
    }

    #make(rules: Rules): void {
        this.#inputs = [];
        const textOf = (option: string) => rules.options.find((one) => one.option === option)?.text ?? "";
        attribute(this.#seconds, "min", rules.turn_seconds.min);
        attribute(this.#seconds, "max", rules.turn_seconds.max);
        this.#clock.replaceChildren(
            h("option", { value: "" }, t.noClock),
            ...CLOCKS.map((seconds) => h("option", { value: seconds }, duration(seconds))),
            h("option", { value: "other" }, t.otherClock),
        );
        this.#custom.replaceChildren(
            h("span", {}, t.secondsBetween(rules.turn_seconds.min, rules.turn_seconds.max)),
            this.#seconds,
        );
        this.replaceChildren(
            h(
                "div",
                { class: "row presets", role: "group", "aria-label": t.presets },
                ...PRESETS.map(({ name, options }) => button(name(), () => this.#set(options), { class: "chip" })),
            ),
            this.#choice(
                "grid",
                rules.grids.map(({ grid }) => [grid, `${grid}×${grid}`]),
                textOf("grid"),
            ),
            this.#choice(
                "fleet",
                rules.fleets.map(({ fleet, ships }) => [fleet, `${wordOf(rules, "fleet", fleet)}: ${ships.join(" ")}`]),
                textOf("fleet"),
            ),
            h(
                "fieldset",
                {},
                h("legend", {}, t.variants),
                ...(["mines", "salvo", "shoot_again"] as const).map((option) => this.#switch(option, textOf(option))),
            ),
            this.#choice(
                "first",
                ["random", "host", "guest"].map((first) => [first, wordOf(rules, "first", first)]),
                textOf("first"),
            ),
            h(
                "fieldset",
                {},
                h("legend", {}, titleOf(rules, "turn_seconds")),
                h("p", { class: "quiet" }, textOf("turn_seconds")),
                h(
                    "label",
                    { class: "field", for: "clock" },
                    h("span", {}, titleOf(rules, "turn_seconds")),
                    this.#clock,
                ),
                this.#custom,
                h("p", { class: "quiet" }, t.listedClock),
            ),
        );
    }

    #choice(option: Choice, words: [string | number, string][], text: string): HTMLElement {
        return h(
            "fieldset",
            {},
            h("legend", {}, titleOf(this.#rules, option)),
            h("p", { class: "quiet" }, text),
            h(
                "div",
                { class: "row" },
                ...words.map(([word, title]) => {
                    const input = h("input", {
                        type: "radio",
                        name: option,
                        value: word,
                        onchange: () => this.#set({ [option]: word }),
                    });
                    this.#inputs.push({ input, isChosen: (options) => options[option] === word });
                    return h("label", { class: "chip" }, input, title);
                }),
            ),
        );
    }

    #switch(option: Switch, text: string): HTMLElement {
        const input = h("input", {
            type: "checkbox",
            role: "switch",
            onchange: () => this.#set({ [option]: input.checked }),
            "aria-describedby": `about-${option}`,
        });
        this.#inputs.push({ input, isChosen: (options) => options[option] });
        return h(
            "div",
            { class: "switch" },
            h("label", {}, input, h("span", {}, titleOf(this.#rules, option))),
            h("p", { class: "quiet", id: `about-${option}` }, text),
        );
    }

    /** Keeps a choice. A clock that nobody chose stays open: a listed game then gets one of its own. */
    #set(change: Partial<Options>): void {
        const { turn_seconds, ...others } = { ...chosen(), ...change };
        const isChosen = "turn_seconds" in change || store.state.settings.options.turn_seconds !== undefined;
        configure({ options: isChosen ? { ...others, turn_seconds } : others });
    }

    #setClock(): void {
        const { value } = this.#clock;
        this.#custom.hidden = value !== "other";
        if (value !== "other") {
            this.#set({ turn_seconds: value === "" ? null : Number(value) });
        } else {
            this.#seconds.focus();
        }
    }

    #setSeconds(): void {
        const { min, max } = this.#rules?.turn_seconds ?? { min: 10, max: 1_209_600 };
        const seconds = Math.round(Math.min(max, Math.max(min, Number(this.#seconds.value) || min)));
        this.#seconds.value = String(seconds);
        this.#set({ turn_seconds: seconds });
    }
}

customElements.define("nb-options", OptionsForm);
