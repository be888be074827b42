/** Messages join where they come closer together than this, in milliseconds. */
const APART = 700;

let waiting: string[] = [];
let isTelling = false;
let last = "";

/** Tells a sentence to screen readers, by the one live region of the page. */
export function spoken(sentence: string): void {
    waiting.push(sentence);
    if (!isTelling) {
        isTelling = true;
        setTimeout(tell, 50);
    }
}

function tell(): void {
    const region = document.querySelector("[role=status]");
    if (waiting.length === 0 || !region) {
        isTelling = false;
        return;
    }
    const words = waiting.join(" ");
    waiting = [];
    // The same text twice is no change, and would not be told.
    last = words === last ? `${words}\u00a0` : words;
    region.textContent = last;
    setTimeout(tell, APART);
}
