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
        select(
            "letters",
            t.setLetters,
            settings.letters,
            [
                ["language", t.lettersOfLanguage],
                ["latin", t.lettersLatin],
            ],
            (letters) => configure({ letters: letters as "latin" }),
        ),
        select(
            "theme",
            t.setTheme,
            settings.theme,
            [
                ["system", t.asSystem],
                ["light", t.themeLight],
                ["dark", t.themeDark],
            ],
            (theme) => configure({ theme: theme as "dark" }),
        ),
        select(
            "confirm",
            t.setConfirm,
            settings.confirm,
            [
                ["automatic", t.confirmAutomatic],
                ["always", t.confirmAlways],
                ["never", t.confirmNever],
            ],
            (confirm) => configure({ confirm: confirm as "always" }),
        ),
        h(
            "fieldset",
            {},
            h("legend", {}, t.setMarks),
            check(t.markEmpty, settings.empty, (empty) => configure({ empty })),
            check(t.markMineless, settings.mineless, (mineless) => configure({ mineless })),
        ),
        select(
            "sound",
            t.setSound,
            settings.sound,
            [
                ["off", t.soundOff],
                ["turn", t.soundTurn],
                ["all", t.soundAll],
            ],
            (sound) => configure({ sound: sound as "all" }),
        ),
        select(
            "motion",
            t.setMotion,
            settings.motion,
            [
                ["system", t.asSystem],
                ["full", t.motionFull],
                ["none", t.motionNone],
            ],
            (motion) => configure({ motion: motion as "none" }),
        ),
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
