// Makes the pictures of the page that README shows: `node pictures.mjs http://127.0.0.1:8080` writes them into `docs/`.
// The game is always the same, so that they change where the page does.

import { writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

import { chromium } from "playwright-core";

const [server = "http://127.0.0.1:8080"] = process.argv.slice(2);

/** The most bytes of a picture: whoever clones the repository carries it along. */
const MOST = 60 * 1024;

async function ask(method, path, token, body) {
    const reply = await fetch(`${server}/v1/${path}`, {
        method,
        headers: {
            ...(token ? { authorization: `Bearer ${token}` } : {}),
            ...(body ? { "content-type": "application/json" } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!reply.ok) {
        throw new Error(`${path}: ${await reply.text()}`);
    }
    return reply.json();
}

/** The cells of a ship. */
const cellsOf = ({ start, length, direction }) =>
    Array.from({ length }, (_, step) =>
        direction === "down"
            ? `${start[0]}${Number(start.slice(1)) + step}`
            : `${String.fromCharCode(start.charCodeAt(0) + step)}${start.slice(1)}`,
    );

const ANNA = {
    ships: [
        { start: "B2", length: 5, direction: "across" },
        { start: "I2", length: 4, direction: "down" },
        { start: "D5", length: 3, direction: "down" },
        { start: "F9", length: 3, direction: "across" },
        { start: "B9", length: 2, direction: "across" },
    ],
    mines: ["G5"],
};
const BORIS = {
    ships: [
        { start: "J4", length: 5, direction: "down" },
        { start: "C3", length: 4, direction: "across" },
        { start: "B6", length: 3, direction: "down" },
        { start: "E7", length: 3, direction: "across" },
        { start: "G1", length: 2, direction: "across" },
    ],
    mines: ["E10"],
};

/** What both fire at, in turn; Boris strikes Anna's mine with his last shot. */
const SHOTS = { anna: ["E5", "D3", "E3", "H8", "G1", "H1", "C3"], boris: ["E5", "E4", "D5", "H4", "D6", "J9", "G5"] };

const created = await ask("POST", "games", null, { name: "Anna", options: { grid: 10, mines: true, first: "host" } });
const { id } = created.game;
const anna = created.token;
const { token: boris } = await ask("POST", `games/${id}/join`, null, { name: "Boris" });
await ask("POST", `games/${id}/place`, anna, ANNA);
await ask("POST", `games/${id}/place`, boris, BORIS);
for (const [turn, shot] of SHOTS.anna.entries()) {
    await ask("POST", `games/${id}/fire`, anna, { shots: [shot] });
    await ask("POST", `games/${id}/fire`, boris, { shots: [SHOTS.boris[turn]] });
}
await ask("POST", `games/${id}/reveal`, boris, { cells: [cellsOf(BORIS.ships[0])[2]] });

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
});

/** Opens Anna's game in a window of its own. */
async function open(options) {
    const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce", ...options });
    await context.addInitScript(
        ([name, kept]) => location.protocol === "about:" || localStorage.setItem(name, kept),
        [`naval-battle/1/seat/${id}`, JSON.stringify({ seat: "host", token: anna, name: "Anna", at: 0 })],
    );
    const page = await context.newPage();
    await page.goto(`${server}/#/g/${id}`);
    await page.locator('main[data-state="fire"]').waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    return page;
}

async function keep(page, name) {
    const picture = small(await pixels(await page.screenshot()));
    console.log(`${(picture.length / 1024).toFixed(1)} KB: docs/${name}.png`);
    if (picture.length > MOST) {
        throw new Error(`docs/${name}.png has more than ${MOST / 1024} KB`);
    }
    writeFileSync(new URL(`../../docs/${name}.png`, import.meta.url), picture);
}

/** The pixels of a picture, as the browser reads it. */
async function pixels(picture) {
    const page = await browser.newPage();
    const { width, height, data } = await page.evaluate(async (picture) => {
        const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
        const { width, height } = bitmap;
        const canvas = new OffscreenCanvas(width, height).getContext("2d");
        canvas.drawImage(bitmap, 0, 0);
        return { width, height, data: [...canvas.getImageData(0, 0, width, height).data] };
    }, picture.toString("base64"));
    await page.close();
    return { width, height, data };
}

/** A PNG with a palette of the 256 colours that are there most: a sea of soft colours is small so. */
function small({ width, height, data }) {
    // Steps that nobody sees.
    const step = (value) => Math.min(255, Math.round(value / 4) * 4);
    const colours = Array.from(
        { length: width * height },
        (_, pixel) => (step(data[4 * pixel]) << 16) | (step(data[4 * pixel + 1]) << 8) | step(data[4 * pixel + 2]),
    );
    const counts = new Map();
    colours.forEach((colour) => counts.set(colour, (counts.get(colour) ?? 0) + 1));
    const palette = [...counts]
        .sort(([, one], [, other]) => other - one)
        .slice(0, 256)
        .map(([colour]) => colour);
    const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
    const distance = (one, other) =>
        parts(one).reduce((sum, part, index) => sum + (part - parts(other)[index]) ** 2, 0);
    const nearest = new Map(palette.map((colour, index) => [colour, index]));
    const indexOf = (colour) => {
        if (!nearest.has(colour)) {
            const best = palette.reduce(
                (best, other, index) => (distance(colour, other) < distance(colour, palette[best]) ? index : best),
                0,
            );
            nearest.set(colour, best);
        }
        return nearest.get(colour);
    };
    const rows = Buffer.alloc((width + 1) * height);
    colours.forEach(
        (colour, pixel) => (rows[Math.floor(pixel / width) * (width + 1) + 1 + (pixel % width)] = indexOf(colour)),
    );
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, 3, 0, 0, 0], 8);
    return Buffer.concat([
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
        chunk("IHDR", header),
        chunk("PLTE", Buffer.from(palette.flatMap(parts))),
        chunk("IDAT", deflateSync(rows, { level: 9 })),
        chunk("IEND", Buffer.alloc(0)),
    ]);
}

function chunk(name, bytes) {
    const named = Buffer.concat([Buffer.from(name, "latin1"), bytes]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(bytes.length, 0);
    ends.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

await keep(await open({ viewport: { width: 1120, height: 740 }, colorScheme: "light" }), "battle");
const phone = await open({
    viewport: { width: 390, height: 740 },
    colorScheme: "dark",
    hasTouch: true,
    isMobile: true,
});
await phone.locator('[data-side="guest"] [data-cell="F3"]').tap();
await phone.getByRole("button", { name: "Fire at F3" }).waitFor();
await keep(phone, "phone");
await browser.close();
