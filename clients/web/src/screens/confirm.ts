import { h } from "../h.js";
import { t } from "../text/index.js";
import { button } from "./screen.js";

/** Asks before something that cannot be taken back; whether it is wanted. */
export function confirmed(title: string, text: string, act: string): Promise<boolean> {
    return new Promise((resolve) => {
        const dialog: HTMLDialogElement = h(
            "dialog",
            { "aria-labelledby": "confirm-title" },
            h("h2", { id: "confirm-title" }, title),
            h("p", {}, text),
            h(
                "div",
                { class: "row" },
                button(act, () => dialog.close("yes"), { class: "danger" }),
                button(t.cancel, () => dialog.close("no"), { class: "plain" }),
            ),
        );
        dialog.addEventListener("close", () => {
            dialog.remove();
            resolve(dialog.returnValue === "yes");
        });
        document.body.append(dialog);
        dialog.showModal();
    });
}
