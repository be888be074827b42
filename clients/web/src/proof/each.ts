import type { Event, Game, Proof, Table as Watched } from "naval-battle-client";

import { ProblemError } from "../client.js";
import { setTable, store } from "../app.js";
import { spoken } from "../notice/live.js";
import { t } from "../text/index.js";

/** Whether the server proves each answer. */
let isOffered = true;

/** Asks for the proof of an answer in the moment in which it is given, and checks it. */
export async function prove(who: Watched, game: Game, event: Event): Promise<void> {
    if (!isOffered || (event.type !== "fired" && event.type !== "revealed")) {
        return;
    }
    const owner = event.type === "revealed" ? event.seat : event.seat === "host" ? "guest" : "host";
    const commitment = game.players[owner]?.commitment ?? null;
    if (commitment === null) {
        return;
    }
    let proof: Proof;
    try {
        proof = await who.proof(event.seq);
    } catch (error) {
        if (error instanceof ProblemError && error.code === "route_not_found") {
            isOffered = false;
        }
        return;
    }
    const { verifyProof } = await import("./tools.js");
    const isTrue = await verifyProof(proof, commitment, game.id, game.options, { event }).catch(() => false);
    const { table } = store.state;
    if (table?.id === game.id) {
        setTable({
            proofs: new Map([...table.proofs, [event.seq, isTrue]]),
            ...(isTrue ? {} : { word: t.answerFalse }),
        });
    }
    if (!isTrue) {
        spoken(t.answerFalse);
    }
}
