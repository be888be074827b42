import { NoAnswer, ProblemError } from "../client.js";
import { setTable, store } from "../app.js";
import { t } from "../text/index.js";
import { treatment, wordOf } from "./refusals.js";
import type { Session } from "./session.js";

/** Treats a refused or lost move, made in a version: the choice stays as far as it is still possible. */
export async function refused(session: Session, error: unknown, version: number): Promise<void> {
    const { table } = session;
    if (!table) {
        return;
    }
    const look = () => session.look().catch(() => session.wake());
    if (!(error instanceof ProblemError)) {
        setTable({ word: error instanceof NoAnswer ? t.noAnswer : t.somethingWrong });
        await look();
        if ((session.table?.game?.version ?? 0) > version) {
            setTable({ word: null });
        }
        if (!(error instanceof NoAnswer)) {
            throw error;
        }
        return;
    }
    setTable({ word: wordOf(error.problem) });
    const { cells = [] } = error.problem;
    switch (treatment(error.code)) {
        case "look":
        case "over":
        case "watch":
        case "hide":
            await look();
            break;
        case "cells":
            setTable({
                aim: table.aim.filter((cell) => !cells.includes(cell)),
                picked: table.picked.filter((cell) => !cells.includes(cell)),
            });
            break;
        case "locked":
            session.lock();
            await look();
            break;
        case "old":
            store.set({ isOld: true });
            break;
        case "wait":
            countDown(session, error.retryAfter ?? 1);
            break;
        case "missing":
            setTable({ missing: wordOf(error.problem) });
            break;
        case "faults":
        case "own":
        case "key":
        case "again":
    }
}

/** Says how long to wait, second by second. */
function countDown(session: Session, seconds: number): void {
    if (session.table) {
        setTable({ word: seconds > 0 ? t.tryAgainIn(seconds) : null });
        if (seconds > 0) {
            window.setTimeout(() => countDown(session, seconds - 1), 1_000);
        }
    }
}
