import type { Texts } from "./texts.js";

export const LANGUAGES = ["en", "de", "fi", "it", "ru"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What each language calls itself. */
export const OWN_NAMES: Readonly<Record<Language, string>> = {
    en: "English",
    de: "Deutsch",
    fi: "Suomi",
    it: "Italiano",
    ru: "Русский",
};

/** The messages in the present language. */
export let t: Texts;
export let language: Language = "en";

const CHUNKS: Readonly<Record<Language, () => Promise<{ texts: Texts }>>> = {
    en: () => import("./en.js"),
    de: () => import("./de.js"),
    fi: () => import("./fi.js"),
    it: () => import("./it.js"),
    ru: () => import("./ru.js"),
};

/** The language that was chosen, else the first of the browser's that the page speaks. */
export function preferred(chosen: string | null): Language {
    for (const wish of [chosen, ...navigator.languages]) {
        const found = LANGUAGES.find((language) => language === wish?.toLowerCase().split("-")[0]);
        if (found) {
            return found;
        }
    }
    return "en";
}

/** Speaks a language from now on. */
export async function speak(wanted: Language): Promise<void> {
    const { texts } = await CHUNKS[wanted]();
    t = texts;
    language = wanted;
    document.documentElement.lang = wanted;
}
