import "./core.js";

import { api, store, type State } from "./app.js";
import { attribute, h, show } from "./h.js";
import { entitle } from "./notice/alert.js";
import { rematchWished } from "./notice/happened.js";
import { awaken } from "./notice/sound.js";
import { nameOf } from "./notice/tell.js";
import { resume } from "./play/enter.js";
import { open, session } from "./play/open.js";
import { here, link, tidy } from "./route.js";
import { MissingScreen } from "./screens/missing.js";
import { anchor, button, iconButton, type Screen } from "./screens/screen.js";
import { openSettings } from "./screens/dialogs.js";
import * as seats from "./seats.js";
import { stateOf, type ScreenName } from "./state.js";
import { language, preferred, speak, t } from "./text/index.js";

type Made = new () => Screen;

/** Each screen by the element that shows it; those that a game does not begin with come when they are wanted. */
const SCREENS: Readonly<Record<ScreenName, () => Made | Promise<Made>>> = {
    start: async () => (await import("./screens/home.js")).StartScreen,
    missing: () => MissingScreen,
    invitation: async () => (await import("./screens/game.js")).InvitationScreen,
    placing: async () => (await import("./screens/game.js")).PlacingScreen,
    battle: async () => (await import("./screens/game.js")).BattleScreen,
    end: async () => (await import("./screens/end.js")).EndScreen,
    replay: async () => (await import("./screens/replay.js")).ReplayScreen,
    check: async () => (await import("./screens/check.js")).CheckScreen,
    rules: async () => (await import("./screens/rules.js")).RulesScreen,
};

const main = document.querySelector("main") as HTMLElement;
const top = document.querySelector("#top") as HTMLElement;
const banner = document.querySelector("#banner") as HTMLElement;

let shown: { name: ScreenName; words: string; element: Screen } | null = null;
let wanted: ScreenName | null = null;

/** Brings the page up to date with the state. */
function update(state: State): void {
    const { name, state: word } = stateOf(state);
    const game = "game" in state.route ? state.route.game : null;
    const key = `${language} ${game}`;
    if (shown && shown.name === name && shown.words === key) {
        shown.element.update(state);
        attribute(main, "data-state", word);
        attribute(main, "data-busy", state.table?.busy ?? null);
        attribute(main, "data-version", state.table?.game?.version ?? null);
        entitle(shown.element.heading.textContent ?? t.title);
    } else if (wanted !== name) {
        wanted = name;
        void bring(name, key);
    }
    tell(state);
}

/** Puts another screen in the place of the one that is shown. */
async function bring(name: ScreenName, words: string): Promise<void> {
    try {
        const Made = await SCREENS[name]();
        if (wanted !== name) {
            return;
        }
        const isFirst = shown === null;
        const isSame = shown?.name === name;
        shown?.element.leave();
        const element = new Made();
        shown = { name, words, element };
        wanted = null;
        element.update(store.state);
        main.replaceChildren(element);
        update(store.state);
        if (!isFirst && !isSame) {
            element.heading.focus({ preventScroll: true });
            scrollTo(0, 0);
        }
    } catch (error) {
        wanted = null;
        store.set({ isOld: true });
        throw error;
    }
}

/** What concerns the whole page: an older page, a lost connection, a seat that opens nothing, nothing kept. */
function tell({ isOld, table, route }: State): void {
    const isGame = route.screen === "game" || route.screen === "replay";
    const words = isOld
        ? t.pageIsOld
        : isGame && table?.link === "lost"
          ? t.connectionLost
          : isGame && table?.isLocked
            ? t.keyOpensNothing
            : !seats.isLasting && isGame && table?.game?.you
              ? t.notKept
              : "";
    show(banner, words !== "");
    if (banner.dataset["words"] === words) {
        return;
    }
    banner.dataset["words"] = words;
    const kept = table && !seats.isLasting ? seats.seatOf(table.id) : null;
    const act = isOld
        ? button(t.reload, () => location.reload(), { class: "chip" })
        : kept && table && words === t.notKept
          ? anchor(t.keyLink, link({ screen: "seat", game: table.id, seat: kept.seat, token: kept.token }))
          : null;
    banner.replaceChildren(h("span", {}, words), ...(act ? [act] : []));
}

/** Goes where the address leads. */
function travel(): void {
    const route = here();
    if (route.screen === "seat") {
        seats.tryKey(route.game, { seat: route.seat, token: route.token, name: null, at: Date.now() });
        tidy({ screen: "game", game: route.game });
        store.set({ seats: seats.allSeats() });
        travel();
        return;
    }
    store.set({ route, trouble: null });
    open("game" in route ? route.game : null);
}

function frame(): void {
    top.replaceChildren(
        anchor(t.title, "#/", { class: "brand" }),
        h(
            "nav",
            { "aria-label": t.title },
            anchor(t.rules, "#/rules"),
            iconButton("gear", t.settings, () => openSettings()),
        ),
    );
}

/** Shows in attributes of the root what settings change everywhere. */
function dress({ settings }: State): void {
    const root = document.documentElement;
    const isDark =
        settings.theme === "dark" ||
        (settings.theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
    attribute(root, "data-theme", isDark ? "dark" : "light");
    attribute(root, "data-motion", settings.motion === "system" ? null : settings.motion);
}

async function loadRules(): Promise<void> {
    for (let pause = 500; ; pause = Math.min(2 * pause, 30_000)) {
        const asked = language;
        try {
            const rules = await api().rules();
            if (asked === language) {
                store.set({ rules });
            }
            return;
        } catch {
            await new Promise((resolve) => setTimeout(resolve, pause));
        }
    }
}

/** Speaks the language of the settings, and asks for the server's words in it. */
async function talk(): Promise<void> {
    const chosen = preferred(store.state.settings.language);
    if (chosen === store.state.language && store.state.rules) {
        return;
    }
    try {
        await speak(chosen);
    } catch {
        store.set({ isOld: true });
        return;
    }
    frame();
    store.set({ language: chosen });
    await loadRules();
}

let wish: string | null = null;

/** Tells once of a rematch that the other side asks for. */
function wishes({ table }: State): void {
    if (table?.game?.you && table.next !== null && table.next !== wish) {
        wish = table.next;
        if (seats.seatOf(table.next) === null) {
            rematchWished(nameOf(table.game, table.game.you === "host" ? "guest" : "host"));
        }
    }
}

async function begin(): Promise<void> {
    dress(store.state);
    await speak(preferred(store.state.settings.language));
    store.set({ language });
    frame();
    travel();
    update(store.state);
    let settings = store.state.settings;
    store.listen((state) => {
        if (state.settings !== settings) {
            settings = state.settings;
            dress(state);
            void talk();
        }
        update(state);
        wishes(state);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dress(store.state));
    addEventListener("hashchange", travel);
    addEventListener("pointerdown", awaken, { capture: true });
    addEventListener("keydown", awaken, { capture: true });
    addEventListener("online", () => session()?.wake());
    addEventListener("offline", () => session()?.wake());
    addEventListener("pageshow", (event) => event.persisted && session()?.wake());
    addEventListener("pagehide", () => session()?.rest());
    seats.watchOthers(() => {
        store.set({ seats: seats.allSeats(), settings: seats.settings() });
        travel();
    });
    await Promise.all([loadRules(), resume()]);
}

void begin();
