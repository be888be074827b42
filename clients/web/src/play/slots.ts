/** How many tabs of one origin stream: browsers open six connections a host on HTTP/1.1. */
export const SLOTS = 4;

type Locks = Pick<LockManager, "request">;

/** The platform's locks, where it has them: plain HTTP beyond this computer has none. */
export function platformLocks(): Locks | null {
    return typeof navigator === "undefined" ? null : (navigator.locks ?? null);
}

/**
 * Does something while one of the slots is held, and lets it go afterwards. Gives `false`, and does nothing, where all
 * are held or there are no locks.
 */
export async function withSlot(work: () => Promise<void>, locks: Locks | null = platformLocks()): Promise<boolean> {
    if (locks === null) {
        return false;
    }
    for (let slot = 1; slot <= SLOTS; slot += 1) {
        const isHeld = await locks.request(`naval-battle-stream-${slot}`, { ifAvailable: true }, async (lock) => {
            if (lock === null) {
                return false;
            }
            await work();
            return true;
        });
        if (isHeld) {
            return true;
        }
    }
    return false;
}
