import type { Options, Rules } from "naval-battle-client";

import { language, t } from "../text/index.js";

/** A time in words, in its largest whole unit. */
export function duration(seconds: number): string {
    const units: [number, string][] = [
        [86_400, "day"],
        [3_600, "hour"],
        [60, "minute"],
        [1, "second"],
    ];
    const [size, unit] = units.find(([size]) => seconds % size === 0) ?? [1, "second"];
    return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(seconds / size);
}

/** What a word of an option is called. */
export function wordOf(rules: Rules | null, option: string, word: string): string {
    const words = rules?.options.find((one) => one.option === option)?.words;
    return words?.find((one) => one.word === word)?.title ?? word;
}

/** What an option is called. */
export const titleOf = (rules: Rules | null, option: string): string =>
    rules?.options.find((one) => one.option === option)?.title ?? option;

/** Options in words, each a short one. */
export function wordsOf(options: Options, rules: Rules | null): string[] {
    return [
        `${options.grid}×${options.grid}`,
        wordOf(rules, "fleet", options.fleet),
        options.mines ? titleOf(rules, "mines") : t.noMines,
        ...(options.salvo ? [titleOf(rules, "salvo")] : []),
        ...(options.shoot_again ? [titleOf(rules, "shoot_again")] : []),
        options.turn_seconds === null ? t.noClock : t.clockOf(duration(options.turn_seconds)),
    ];
}

/** A name has at most 32 characters as Unicode counts them, and none that control. */
export function cut(name: string): string {
    return [...name]
        .filter((letter) => !/\p{Cc}/u.test(letter))
        .slice(0, 32)
        .join("");
}

/** Words that begin a line of their own. */
export function capital(words: string): string {
    const [first = "", ...rest] = words;
    return first.toUpperCase() + rest.join("");
}
