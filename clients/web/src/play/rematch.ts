import { ProblemError } from "../client.js";
import { once } from "../app.js";
import type { Session } from "./session.js";

/** How often a server is asked that cannot hold a reply, in milliseconds: at first, and after two minutes. */
const PAUSES = { least: 1_000, first: 4_000, later: 15_000, change: 120_000 };

/** How long a server is asked to hold its reply, in seconds. */
const WAIT = 25;

/** Sees to it that a rematch of an ended game shows, which is no event: asks while the page is visible. */
export async function awaitRematch(session: Session, isClosed: () => boolean): Promise<void> {
    const began = Date.now();
    let canWait = true;
    let tag: string | null = null;
    while (!isClosed()) {
        await visible();
        if (isClosed() || !session.table?.game) {
            return;
        }
        const who = session.who(once());
        try {
            if (tag === null) {
                // The tag first: what changes in between is then looked at twice, and never missed.
                tag = await who.tag();
                session.draw(await who.look());
            } else {
                const seen = await who.look(canWait ? { wait: WAIT, tag } : { tag });
                if (seen) {
                    session.draw(seen);
                    tag = await who.tag();
                }
            }
            session.hear();
        } catch (error) {
            if (error instanceof ProblemError && error.status === 400) {
                canWait = false;
            }
        }
        const polls = Date.now() - began > PAUSES.change ? PAUSES.later : PAUSES.first;
        await new Promise((resolve) => setTimeout(resolve, canWait ? PAUSES.least : polls));
    }
}

/** Waits until the page can be seen. */
function visible(): Promise<void> {
    return new Promise((resolve) => {
        const look = () => {
            if (document.visibilityState === "visible") {
                document.removeEventListener("visibilitychange", look);
                resolve();
            }
        };
        document.addEventListener("visibilitychange", look);
        look();
    });
}
