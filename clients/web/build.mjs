// Builds the page into a folder: `node build.mjs dist`, with `--watch` again at each change. `--tests` builds the tests
// into `build/tests` instead.
//
// The template `index.html` names sources; the page that is made of it names what became of them. Everything but the
// page has a hash of its content in its name, so that it can be kept for ever. The same sources give the same bytes.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, watch, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

// Names of files have hashes of relative paths too, so it always runs here.
process.chdir(dirname(fileURLToPath(import.meta.url)));

/** Files that are taken as they are. */
const LOADERS = { ".svg": "file", ".png": "file" };

/** What the page can do without in the browsers that README names. */
const TARGET = ["chrome116", "edge116", "firefox124", "safari17.4", "es2022"];

const [folder = "dist"] = process.argv.slice(2).filter((word) => !word.startsWith("--"));

if (process.argv.includes("--tests")) {
    await buildTests();
} else {
    await buildPage(folder);
    if (process.argv.includes("--watch")) {
        buildAtEachChange(folder);
    }
}

/** Builds the page with all that it names. */
async function buildPage(folder) {
    const template = readFileSync("index.html", "utf8");
    const named = [...template.matchAll(/\b(?:src|href)="(src\/[^"]+)"/g)].map((found) => found[1]);
    const assets = join(folder, "assets");
    const { files, made } = await buildAssets(
        named.filter((name) => [".ts", ".css"].includes(extname(name))),
        assets,
    );
    // What was built before stays until there is something to take its place.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(assets, { recursive: true });
    files.forEach(({ path, contents }) => writeFileSync(path, contents));
    for (const name of named.filter((name) => !made.has(name))) {
        made.set(name, extname(name) === ".webmanifest" ? copyManifest(name, assets, made) : copy(name, assets));
    }
    const page = template.replace(
        /\b(src|href)="(src\/[^"]+)"/g,
        (_, word, name) => `${word}="assets/${made.get(name)}"`,
    );
    writeFileSync(join(folder, "index.html"), page);
}

/** Bundles scripts and styles; gives the files, and the name that each source has got. */
async function buildAssets(entryPoints, outdir) {
    const { metafile, outputFiles } = await build({
        entryPoints,
        absWorkingDir: process.cwd(),
        outdir,
        bundle: true,
        splitting: true,
        format: "esm",
        target: TARGET,
        charset: "utf8",
        legalComments: "none",
        minifyWhitespace: true,
        minifySyntax: true,
        entryNames: "[name]-[hash]",
        chunkNames: "[name]-[hash]",
        assetNames: "[name]-[hash]",
        loader: LOADERS,
        metafile: true,
        write: false,
        logLevel: "warning",
    });
    // A picture that a script names has one name with what the page names.
    const sourceOf = (path, { entryPoint, inputs }) =>
        entryPoint ?? (extname(path) in LOADERS ? Object.keys(inputs)[0] : undefined);
    const named = Object.entries(metafile.outputs).map(([path, output]) => [
        sourceOf(path, output),
        relative(outdir, path),
    ]);
    return { files: outputFiles, made: new Map(named.filter(([source]) => source !== undefined)) };
}

/** Writes bytes under a name with their hash, which it gives. */
function put(name, bytes, folder) {
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8).toUpperCase();
    const named = `${basename(name, extname(name))}-${hash}${extname(name)}`;
    writeFileSync(join(folder, named), bytes);
    return named;
}

function copy(name, folder) {
    return put(name, readFileSync(name), folder);
}

/** The manifest, with its icons, whose names it has relative to itself. */
function copyManifest(name, folder, made) {
    const manifest = JSON.parse(readFileSync(name, "utf8"));
    for (const icon of manifest.icons ?? []) {
        const source = join(dirname(name), icon.src);
        icon.src = made.get(source) ?? copy(source, folder);
    }
    return put(name, `${JSON.stringify(manifest)}\n`, folder);
}

/** Builds anew whenever a source has changed; what cannot be built is told, and mended by the next change. */
function buildAtEachChange(folder) {
    let waiting;
    for (const source of ["src", "index.html", "../typescript/src"]) {
        watch(source, { recursive: true }, () => {
            clearTimeout(waiting);
            waiting = setTimeout(() => buildPage(folder).catch((error) => console.error(error.message)), 50);
        });
    }
}

/** Builds each test into one file, with what it tests. */
async function buildTests() {
    const entryPoints = readdirSync("tests", { recursive: true })
        .filter((name) => name.endsWith(".test.ts"))
        .map((name) => join("tests", name));
    rmSync("build/tests", { recursive: true, force: true });
    await build({
        entryPoints,
        absWorkingDir: process.cwd(),
        outdir: "build/tests",
        outbase: "tests",
        bundle: true,
        platform: "node",
        format: "esm",
        target: "node20",
        sourcemap: "inline",
        external: ["playwright-core", "axe-core", "esbuild"],
        // What holds the parts of the page together begins with a document, which tests have none of.
        plugins: [
            { name: "apart", setup: ({ onLoad }) => onLoad({ filter: /src\/core\.ts$/ }, () => ({ contents: "" })) },
        ],
        loader: LOADERS,
        logLevel: "warning",
    });
}
