import assert from "node:assert/strict";
import { test } from "node:test";

import { read, write, type Route } from "../../src/route.js";

const GAME = "01890a5d-ac96-774b-bcce-b302099a8057";

const ROUTES: readonly (readonly [string, Route])[] = [
    ["#/", { screen: "start" }],
    ["#/rules", { screen: "rules" }],
    ["#/check", { screen: "check", game: null }],
    [`#/g/${GAME}`, { screen: "game", game: GAME }],
    [`#/g/${GAME}/7`, { screen: "replay", game: GAME, seq: 7, eyes: null }],
    [`#/g/${GAME}/12/host`, { screen: "replay", game: GAME, seq: 12, eyes: "host" }],
    [`#/g/${GAME}/7/guest`, { screen: "replay", game: GAME, seq: 7, eyes: "guest" }],
    [`#/g/${GAME}/7/spectator`, { screen: "replay", game: GAME, seq: 7, eyes: "spectator" }],
    [`#/g/${GAME}/7/all`, { screen: "replay", game: GAME, seq: 7, eyes: "all" }],
    [`#/g/${GAME}/key/host/abc-DEF_1`, { screen: "seat", game: GAME, seat: "host", token: "abc-DEF_1" }],
    [`#/g/${GAME}/key/guest/x`, { screen: "seat", game: GAME, seat: "guest", token: "x" }],
];

test("each address is read, and written as it was", () => {
    for (const [address, route] of ROUTES) {
        assert.deepEqual(read(address), route, address);
        assert.equal(write(route), address);
    }
});

test("what is no address of the page leads to its start", () => {
    const odd = [
        "",
        "#",
        "#/",
        "/",
        "#/nowhere",
        "#/g",
        "#/g/",
        `#/g/${GAME}/0`,
        `#/g/${GAME}/-1`,
        `#/g/${GAME}/7/nobody`,
        `#/g/${GAME}/x`,
        `#/g/${GAME}/7/all/more`,
        `#/g/${GAME}/key`,
        `#/g/${GAME}/key/host`,
        `#/g/${GAME}/key/host/`,
        `#/g/${GAME}/key/spectator/abc`,
        `#/g/${GAME}/key/host/abc/more`,
        "#/rules/more",
        "#/check/more/still",
        `#/g/${GAME}/1e3`,
        `#/g/${GAME}/99999999999`,
    ];
    for (const address of odd) {
        assert.deepEqual(read(address), { screen: "start" }, address);
    }
});
