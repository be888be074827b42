import type { Event } from "naval-battle-client";

import { store } from "../app.js";

let context: AudioContext | null = null;

/** Sound may be made once somebody has pressed something: browsers want it so. */
export function awaken(): void {
    if (store.state.settings.sound === "off" || typeof AudioContext === "undefined") {
        return;
    }
    context ??= new AudioContext();
    if (context.state === "suspended") {
        context.resume().catch(() => undefined);
    }
}

/** Plays what belongs to an event: a turn is two soft notes, a shot one. */
export function play(kind: "turn" | "quiet", event: Event | null): void {
    const { sound } = store.state.settings;
    if (sound === "off" || context?.state !== "running") {
        return;
    }
    if (sound === "all" && event?.type === "fired") {
        const found = event.shots.map((shot) => shot.outcome);
        if (found.includes("mine")) {
            note(110, 0, 0.5, "sawtooth");
        } else if (found.includes("hit") || found.includes("sunk")) {
            note(196, 0, 0.3, "triangle");
        } else {
            note(330, 0, 0.15, "sine");
        }
    }
    if (kind === "turn") {
        note(523, 0.12, 0.25, "sine");
        note(659, 0.28, 0.35, "sine");
    }
}

function note(frequency: number, after: number, length: number, type: OscillatorType): void {
    if (!context) {
        return;
    }
    const begins = context.currentTime + after;
    const oscillator = new OscillatorNode(context, { type, frequency });
    const loudness = new GainNode(context, { gain: 0 });
    loudness.gain.setValueAtTime(0, begins);
    loudness.gain.linearRampToValueAtTime(0.12, begins + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.001, begins + length);
    oscillator.connect(loudness).connect(context.destination);
    oscillator.start(begins);
    oscillator.stop(begins + length);
}
