import quietIcon from "../icons/icon.svg";
import turnIcon from "../icons/turn.svg";

import { store } from "../app.js";
import { t } from "../text/index.js";

let heading = "";
let call: string | null = null;

/** Names the page after the screen that it shows. */
export function entitle(words: string): void {
    heading = words;
    renew();
}

/** Calls somebody who looks elsewhere: by title and icon, and by a notification where they wished for it. */
export function alert(words: string): void {
    if (document.visibilityState === "visible") {
        return;
    }
    call = words;
    renew();
    if (!store.state.settings.notices) {
        return;
    }
    try {
        const notification = new Notification(t.title, { body: words, icon: address(turnIcon), tag: "naval-battle" });
        notification.onclick = () => {
            focus();
            notification.close();
        };
    } catch {
        // Some phones have notifications for service workers alone; title and sound are there.
    }
}

document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && call !== null) {
        call = null;
        renew();
    }
});

const address = (icon: string): string => new URL(icon, import.meta.url).href;

function renew(): void {
    document.title = call === null ? (heading === t.title ? heading : `${heading} – ${t.title}`) : `● ${call}`;
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    const wanted = address(call === null ? quietIcon : turnIcon);
    if (icon && icon.href !== wanted) {
        icon.href = wanted;
    }
}
