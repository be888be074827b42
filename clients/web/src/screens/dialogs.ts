/** Opens the settings. */
export async function openSettings(): Promise<void> {
    (await import("./settings.js")).openSettings();
}

/** Shows the link that takes one's seat to another device. */
export async function openSeat(): Promise<void> {
    (await import("./settings.js")).openSeat();
}
