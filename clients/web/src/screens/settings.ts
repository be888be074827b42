import "../core.js";

import { configure, store } from "../app.js";
import { h, show } from "../h.js";
import { link } from "../route.js";
import * as seats from "../seats.js";
import { session } from "../play/open.js";
import { LANGUAGES, OWN_NAMES, preferred, t } from "../text/index.js";
import { button } from "./screen.js";
import { LinkBox } from "./share.js";

type Choices = readonly (readonly [string, string])[];
type Settings = seats.Settings;
/** The settings that are one of some words. */
type Chosen = "letters" | "theme" | "confirm" | "sound" | "motion";

/** Opens the settings; each is kept as it is chosen. */
export function openSettings(): void {
    const dialog = h("dialog", { class: "settings-dialog", "aria-labelledby": "settings-title" });
    const { settings } = store.state;
    const select = (name: string, title: string, value: string, choices: Choices, choose: (value: string) => void) => {
        const element = h(
            "select",
            { id: `setting-${name}`, onchange: () => choose(element.value) },
            ...choices.map(([word, words]) => h("option", { value: word }, words)),
        );
        element.value = value;
        return h("label", { class: "field", for: `setting-${name}` }, h("span", {}, title), element);
    };
    const choice = <K extends Chosen>(name: K, title: string, choices: readonly (readonly [Settings[K], string])[]) =>
        select(name, title, settings[name], choices, (value) => configure({ [name]: value } as Partial<Settings>));
    const check = (title: string, isOn: boolean, choose: (isOn: boolean) => void) => {
        const input = h("input", { type: "checkbox", role: "switch", onchange: () => choose(input.checked) });
        input.checked = isOn;
        return h("label", { class: "switch" }, input, h("span", {}, title));
    };
    const notices = check(t.setNotices, settings.notices, (isOn) => void allowNotices(isOn));
    show(notices, typeof Notification !== "undefined");
    dialog.append(
        h("h2", { id: "settings-title" }, t.settings),
        select(
            "language",
            t.setLanguage,
            preferred(settings.language),
            LANGUAGES.map((language) => [language, OWN_NAMES[language]]),
            (language) => {
                dialog.close();
                configure({ language });
            },
        ),
        choice("letters", t.setLetters, [
            ["language", t.lettersOfLanguage],
            ["latin", t.lettersLatin],
        ]),
        choice("theme", t.setTheme, [
            ["system", t.asSystem],
            ["light", t.themeLight],
            ["dark", t.themeDark],
        ]),
        choice("confirm", t.setConfirm, [
            ["automatic", t.confirmAutomatic],
            ["always", t.confirmAlways],
            ["never", t.confirmNever],
        ]),
        h(
            "fieldset",
            {},
            h("legend", {}, t.setMarks),
            check(t.markEmpty, settings.empty, (empty) => configure({ empty })),
            check(t.markMineless, settings.mineless, (mineless) => configure({ mineless })),
        ),
        choice("sound", t.setSound, [
            ["off", t.soundOff],
            ["turn", t.soundTurn],
            ["all", t.soundAll],
        ]),
        choice("motion", t.setMotion, [
            ["system", t.asSystem],
            ["full", t.motionFull],
            ["none", t.motionNone],
        ]),
        notices,
        h(
            "div",
            { class: "row" },
            button(t.close, () => dialog.close(), { class: "main" }),
        ),
    );
    present(dialog);
}

/** Asked for only here, by pressing it. */
async function allowNotices(isOn: boolean): Promise<void> {
    const isAllowed = isOn && (await Notification.requestPermission()) === "granted";
    configure({ notices: isAllowed });
}

/** Shows the link that takes one's seat to another device. */
export function openSeat(): void {
    const open = session();
    const kept = open ? seats.seatOf(open.id) : null;
    if (!open || !kept) {
        return;
    }
    const box = new LinkBox(t.moveSeat);
    box.address = link({ screen: "seat", game: open.id, seat: kept.seat, token: kept.token });
    const dialog = h("dialog", { "aria-labelledby": "seat-title" });
    dialog.append(
        h("h2", { id: "seat-title" }, t.moveSeat),
        h("p", { class: "notice" }, t.moveSeatText),
        box,
        h(
            "div",
            { class: "row" },
            button(t.close, () => dialog.close(), { class: "main" }),
        ),
    );
    present(dialog);
}

function present(dialog: HTMLDialogElement): void {
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
}
