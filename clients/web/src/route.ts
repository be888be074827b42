import type { Eyes, Seat } from "naval-battle-client";

/** Where in the page one is. */
export type Route =
    | { readonly screen: "start" }
    | { readonly screen: "rules" }
    | { readonly screen: "check"; readonly game: string | null }
    | { readonly screen: "game"; readonly game: string }
    | { readonly screen: "replay"; readonly game: string; readonly seq: number; readonly eyes: Eyes | null }
    | { readonly screen: "seat"; readonly game: string; readonly seat: Seat; readonly token: string };

const EYES: readonly string[] = ["host", "guest", "spectator", "all"];

/** Reads the fragment of an address; what is none of the page's leads to its start. */
export function read(fragment: string): Route {
    const [room, game = "", third, fourth, fifth, ...more] = fragment.replace(/^#?\/?/, "").split("/");
    if (more.length > 0) {
        return { screen: "start" };
    }
    if (room === "rules" && game === "") {
        return { screen: "rules" };
    }
    if (room === "check" && third === undefined) {
        return { screen: "check", game: null };
    }
    if (room !== "g" || game === "") {
        return { screen: "start" };
    }
    if (third === undefined || third === "") {
        return { screen: "game", game };
    }
    if (third === "check" && fourth === undefined) {
        return { screen: "check", game };
    }
    if (third === "key" && (fourth === "host" || fourth === "guest") && fifth !== undefined && fifth !== "") {
        return { screen: "seat", game, seat: fourth, token: fifth };
    }
    if (/^[1-9][0-9]{0,8}$/.test(third) && fifth === undefined) {
        if (fourth === undefined || EYES.includes(fourth)) {
            return { screen: "replay", game, seq: Number(third), eyes: (fourth as Eyes | undefined) ?? null };
        }
    }
    return { screen: "start" };
}

/** Where one is now. */
export function here(): Route {
    return read(location.hash);
}

/** Writes the fragment that {@link read} reads. */
export function write(route: Route): string {
    switch (route.screen) {
        case "start":
            return "#/";
        case "rules":
            return "#/rules";
        case "check":
            return route.game === null ? "#/check" : `#/g/${route.game}/check`;
        case "game":
            return `#/g/${route.game}`;
        case "replay":
            return `#/g/${route.game}/${route.seq}${route.eyes === null ? "" : `/${route.eyes}`}`;
        case "seat":
            return `#/g/${route.game}/key/${route.seat}/${route.token}`;
    }
}

/** A whole address, to be given to others. */
export function link(route: Route): string {
    return new URL(write(route), document.baseURI).href;
}

/** Goes somewhere; scrubbing through a replay replaces the address, so that *Back* leaves it. */
export function go(route: Route, how: "push" | "replace" = "push"): void {
    if (how === "replace") {
        tidy(route);
        dispatchEvent(new HashChangeEvent("hashchange"));
    } else {
        location.hash = write(route);
    }
}

/** Puts another address in the place of the present one, which history then does not have. */
export function tidy(route: Route): void {
    history.replaceState(null, "", write(route));
}
