import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import {
    NavalBattle,
    sha256,
    verify,
    verifyProof,
    type Check,
    type CheckName,
    type Event,
    type Game,
} from "../src/index.js";
import { commitmentTo } from "../src/proof.js";
import { plainSha256 } from "../src/sha256.js";
import { canonical, hex } from "../src/bytes.js";
import { RandomGame, chance } from "./chance.js";
import { goldenGames } from "./golden.js";
import { prove } from "./proving.js";
import { SERVER } from "./wire.js";

const api = new NavalBattle(SERVER);
const nodeSha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());

/** What is wrong, by the name of the check. */
const wrong = (checks: Check[]): CheckName[] => checks.filter(({ ok }) => ok === false).map(({ name }) => name);
const count = (checks: Check[], name: CheckName) => checks.find((check) => check.name === name)?.count;

test("SHA-256 is that of the platform, with a platform and without", async () => {
    for (const length of [...Array(300).keys(), 1_000, 65_536]) {
        const random = chance(length);
        const bytes = Uint8Array.from({ length }, () => random() * 256);
        assert.deepEqual(plainSha256(bytes), nodeSha256(bytes), `${length} bytes`);
        assert.deepEqual(await sha256(bytes), nodeSha256(bytes), `${length} bytes`);
    }
    assert.equal(hex(plainSha256(new TextEncoder().encode("abc"))).slice(0, 16), "ba7816bf8f01cfea");
});

test("every game of past releases is found true", async () => {
    const answers: Record<string, number | null> = {
        default: 81,
        salvo_three_mines: 77,
        russian_8: 58,
        names: 57,
        no_mines_12: 85,
        resigned: 12,
        timed_out: 10,
        extended: 5,
        timed_out_placing: null,
        aborted: null,
        expired: null,
    };
    const golden = goldenGames();
    assert(golden.length >= 11);
    for (const { name, game, events } of golden) {
        const checks = await verify(
            game,
            events,
            [events[0]?.head ?? "", game.head],
            name === "default" ? plainSha256 : sha256,
        );
        assert.deepEqual(wrong(checks), [], `${name}: ${JSON.stringify(checks)}`);
        const isOpened = game.result?.winner != null;
        const sealed = checks.filter(({ ok }) => ok === null).length;
        assert.deepEqual(
            [count(checks, "chain"), count(checks, "heads"), sealed],
            [events.length, 2, isOpened ? 0 : 7],
            name,
        );
        if (name in answers) {
            assert.equal(count(checks, "answers"), answers[name] ?? 0, name);
        }
        const [heads] = (await verify(game, events)).filter((check) => check.name === "heads");
        assert.equal(heads?.ok, null);
    }
});

/** A game with answers of all kinds, through the eyes of whoever looks. */
async function played(seed: number, more: object = {}): Promise<{ game: Game; own: Game; events: Event[] }> {
    const playing = await RandomGame.create(api, { first: "host", ...more }, seed, 3);
    let game = await playing.host.look();
    while ((await playing.move(game)).length > 0) {
        game = await playing.host.look();
    }
    const { events } = await playing.host.events({ limit: 500 });
    return { game: await api.table(game.id).look(), own: game, events };
}

type Loose = Record<string, any>;
type Lie = (game: Loose, events: Loose[]) => unknown;

const answer = (events: Loose[], outcome: string): Loose =>
    events
        .flatMap((event) => (event["shots"] as Loose[] | undefined) ?? [])
        .find((shot) => shot["outcome"] === outcome) as Loose;

/** What somebody could have changed: the lies that the verifier of `docs/proof.md` is tested with. */
const LIES: [string, Lie][] = [
    ["a time", (_, events) => (events[4]!["at"] = "2001-01-01T00:00:00.000000Z")],
    ["a name", (_, events) => (events[0]!["name"] = "Adb")],
    ["an option in the log", (_, events) => (events[0]!["options"].salvo = true)],
    ["a head", (_, events) => (events[6]!["head"] = events[5]!["head"])],
    ["an event deleted", (_, events) => events.splice(7, 1)],
    ["an event doubled", (_, events) => events.splice(7, 0, structuredClone(events[6]!))],
    ["two events swapped", (_, events) => events.splice(5, 2, events[6]!, events[5]!)],
    ["a member more", (_, events) => (events[5]!["x"] = 1)],
    ["the tail cut off", (_, events) => events.pop()],
    ["the head of the game", (game) => (game["head"] = game["id"])],
    ["the version of the game", (game) => (game["version"] = 3)],
    ["the id of the game", (game) => (game["id"] = "01890a5d-ac96-774b-bcce-b302099a8057")],
    ["the options of the game", (game) => (game["options"].shoot_again = true)],
    ["a ship's start", (game) => (game["boards"].host.ships[0].start = "H8")],
    ["a ship left out", (game) => game["boards"].guest.ships.pop()],
    ["a mine", (game) => (game["boards"].guest.mines = [])],
    ["a salt", (game) => (game["boards"].host.salt = game["boards"].guest.salt)],
];

/** The same, where all heads are made anew: the check that finds the lie itself. */
const CHAINED: [string, CheckName, Lie][] = [
    ["a commitment", "commitments", (_, events) => (events[2]!["commitment"] = events[3]!["commitment"])],
    ["a miss for a hit", "answers", (_, events) => (answer(events, "hit")["outcome"] = "miss")],
    ["a hit for a miss", "answers", (_, events) => (answer(events, "miss")["outcome"] = "hit")],
    ["a mine for a miss", "answers", (_, events) => (answer(events, "mine")["outcome"] = "miss")],
    ["another ship sunk", "answers", (_, events) => (answer(events, "sunk")["ship"].length = 6)],
    ["another debt", "debts", (_, events) => (events.find((event) => event["owed"])!["owed"] = 2)],
    ["no debt", "debts", (_, events) => delete events.find((event) => event["owed"])!["owed"]],
    [
        "a cell of water given",
        "debts",
        (game, events) => {
            const given = events.find((event) => event["type"] === "revealed")!;
            const board = game["boards"][given["seat"]] as Game["boards"]["host"];
            given["cells"] = [board.shots.find(({ outcome }) => outcome === "miss")!.cell];
        },
    ],
    [
        "another cell fired at",
        "turns",
        (_, events) => {
            const [one, other] = events.filter((event) => event["type"] === "fired" && event["seat"] === "host");
            other!["shots"] = structuredClone(one!["shots"]);
        },
    ],
    [
        "the other side fired",
        "turns",
        (_, events) => (events[8]!["seat"] = events[8]!["seat"] === "host" ? "guest" : "host"),
    ],
    ["a shot more", "turns", (_, events) => events[4]!["shots"].push({ cell: "O15", outcome: "miss" })],
    [
        "another winner",
        "turns",
        (game, events) => {
            const winner = game["result"].winner === "host" ? "guest" : "host";
            [game["result"].winner, events.at(-1)!["result"].winner] = [winner, winner];
        },
    ],
    [
        "another reason",
        "turns",
        (game, events) => ([game["result"].reason, events.at(-1)!["result"].reason] = ["resigned", "resigned"]),
    ],
    ["another first", "turns", (game, events) => ([game["first"], events[1]!["first"]] = ["guest", "guest"])],
    [
        "as if nobody had won",
        "game",
        (game, events) => ([game["status"], events.at(-1)!["status"]] = ["aborted", "aborted"]),
    ],
    ["a layout out of place", "layouts", (game) => (game["boards"].host.ships[0].start = "O1")],
    ["a mark on a board", "boards", (game) => (game["boards"].host.shots[0].outcome = "mine")],
    ["a cell known to be empty", "boards", (game) => game["boards"].host.known_empty.pop()],
    ["a name", "boards", (game) => (game["players"].host.name = "Eve")],
    ["an event of its own", "turns", (_, events) => (events[6]!["type"] = "storm")],
    ["a time that is none", "clock", (_, events) => (events[6]!["at"] = "yesterday")],
    [
        "a move on a clock that came too late",
        "clock",
        (_, events) => (events[6]!["at"] = "2090-01-01T00:00:00.000000Z"),
    ],
    ["no events", "chain", (_, events) => events.splice(0)],
];

/** Makes all heads anew. */
function chainAnew(game: Loose, events: Loose[]): void {
    let head: Uint8Array = new Uint8Array(32);
    for (const event of events) {
        const { status, awaiting, head: _, ...hashed } = event;
        head = nodeSha256(Buffer.concat([head, Buffer.from(canonical(hashed))]));
        event["head"] = hex(head);
    }
    game["head"] = events.at(-1)?.["head"];
}

test("every lie is found, and named by the check that it breaks", async () => {
    const { game, own, events } = await played(6, { turn_seconds: 86_400 });
    assert.deepEqual(wrong(await verify(game, events)), []);
    assert.deepEqual(wrong(await verify(own, events)), []);
    assert(["hit", "miss", "sunk", "mine"].every((outcome) => answer(events, outcome)));
    for (const [what, lie] of LIES) {
        const told = structuredClone({ game, events });
        lie(told.game, told.events);
        assert.notDeepEqual(told, { game, events }, what);
        const found = wrong(await verify(told.game, told.events));
        assert(found.length > 0, what);
    }
    for (const [what, check, lie] of CHAINED) {
        const told = structuredClone({ game, events });
        lie(told.game, told.events);
        chainAnew(told.game, told.events);
        assert.notDeepEqual(told, { game, events }, what);
        const checks = await verify(told.game, told.events);
        assert(wrong(checks).includes(check), `${what}: ${JSON.stringify(checks.filter(({ ok }) => !ok))}`);
    }
});

test("who noted a head finds a log that was made anew", async () => {
    const { game, events } = await played(7);
    const told = structuredClone({ game, events });
    told.events[0] = { ...told.events[0], name: "Eve" } as Event;
    told.game.players.host!.name = "Eve";
    chainAnew(told.game as Loose, told.events as Loose[]);

    assert.deepEqual(wrong(await verify(told.game, told.events)), []);
    assert.deepEqual(
        wrong(
            await verify(
                told.game,
                told.events,
                events.map(({ head }) => head),
            ),
        ),
        ["heads"],
    );
    assert.deepEqual(
        wrong(
            await verify(
                game,
                events,
                events.map(({ head }) => head),
            ),
        ),
        [],
    );
});

test("what is no game is not true, whatever it is", async () => {
    const { game, events } = goldenGames().find(({ name }) => name === "default")!;
    const broken: [unknown, unknown[]][] = [
        [{}, events],
        [game, [{}]],
        [game, [null]],
        [game, []],
        [{ ...game, boards: null }, events],
        [null, events],
        [game, events.map((event) => ({ ...event, head: 7 }))],
        [game, events.map((event) => ({ ...event, shots: "none" }))],
    ];
    for (const [shown, log] of broken) {
        assert(
            wrong(await verify(shown as Game, log as Event[])).length > 0,
            JSON.stringify([shown, log]).slice(0, 200),
        );
    }
});

test("a proof of each answer is found true, and each change of one false", async () => {
    const { game, events } = await played(8, { grid: 15, salvo: true });
    const options = game.options;
    const layouts = { host: game.boards.host, guest: game.boards.guest };
    let proofs = 0;
    for (const event of events) {
        if (event.type !== "fired" && event.type !== "revealed") {
            continue;
        }
        const proof = prove(event, layouts, options.grid);
        const commitment = game.players[proof.seat]!.commitment!;
        assert(await verifyProof(proof, commitment, game.id, options, { event }));
        assert(await verifyProof(proof, commitment, game.id, options, { sha256: plainSha256 }));
        proofs += 1;
        if (proofs > 3 && event.type === "fired") {
            continue;
        }
        const changes: ((proof: any) => unknown)[] = [
            (proof) => (proof.root = "ab".repeat(32)),
            (proof) => (proof.seat = proof.seat === "host" ? "guest" : "host"),
            (proof) => (proof.cells = []),
            (proof) => (proof.cells[0].content = proof.cells[0].content === "ship" ? "water" : "ship"),
            (proof) => (proof.cells[0].content = "whale"),
            (proof) => (proof.cells[0].cell = "P1"),
            (proof) => (proof.cells[0].salt = proof.cells[0].salt.toUpperCase() + "x"),
            (proof) => proof.cells[0].path.pop(),
            (proof) => proof.cells[0].path.reverse(),
            (proof) => proof.cells[0].path.push("00".repeat(32)),
        ];
        for (const change of changes) {
            const told = structuredClone(proof);
            change(told);
            assert.equal(await verifyProof(told, commitment, game.id, options), false, String(change));
        }
        const others: Event[] = [
            { ...event, seq: event.seq + 1 },
            { ...event, seat: event.seat === "host" ? "guest" : "host" },
            event.type === "revealed"
                ? { ...event, cells: [...event.cells, "A1"] }
                : {
                      ...event,
                      shots: event.shots
                          .map(({ cell }) => ({ cell, outcome: "mine" as const }))
                          .concat({ cell: "O15", outcome: "mine" }),
                  },
        ];
        for (const other of others) {
            assert.equal(await verifyProof(proof, commitment, game.id, options, { event: other }), false);
        }
        assert.equal(await verifyProof(proof, commitment, events[0]!.head, options), false);
        assert.equal(await verifyProof(proof, commitment, game.id, { ...options, salvo: false }), false);
    }
    assert(proofs > 6, String(proofs));
});

test("the commitment that a reply to place is checked with is the one of the log", async () => {
    const { game, events } = await played(9, { grid: 8, fleet: "russian" });
    for (const event of events) {
        if (event.type === "placed") {
            const { ships, mines, salt } = game.boards[event.seat];
            const made = await commitmentTo({ ships, mines, salt: salt! }, game.id, game.options, event.seat);
            assert.equal(made, event.commitment);
        }
    }
});
