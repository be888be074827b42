// Serves the built page while it is worked on, under the policy that the server sends:
// `node serve.mjs dist [API] [PORT]`. What is not of the page goes on to the API, http://127.0.0.1:8080 unless another
// is named.

import { existsSync, readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { extname, join, basename } from "node:path";

const [folder = "dist", api = "http://127.0.0.1:8080", port = "8090"] = process.argv.slice(2);

const TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
};

/** The policy stands in one place: in the server. */
const source = readFileSync(new URL("../../src/http/page.rs", import.meta.url), "utf8");
const policy = source.match(/const POLICY: &str = "([^"]*)";/)[1].replace(/\\\s+/g, "");

// Whoever keeps a connection finds it open.
createServer({ keepAliveTimeout: 600_000 }, (asked, reply) => {
    const path = new URL(asked.url, "http://page").pathname;
    const file = path === "/" ? join(folder, "index.html") : join(folder, "assets", basename(path));
    if ((path === "/" || path.startsWith("/assets/")) && existsSync(file)) {
        reply.writeHead(200, {
            "content-type": TYPES[extname(file)],
            "cache-control": "no-cache",
            "content-security-policy": policy,
        });
        reply.end(readFileSync(file));
        return;
    }
    const passed = request(new URL(asked.url, api), { method: asked.method, headers: asked.headers }, (answer) => {
        reply.writeHead(answer.statusCode, answer.headers);
        answer.pipe(reply);
    });
    passed.on("error", () => reply.writeHead(502).end());
    reply.on("close", () => passed.destroy());
    asked.pipe(passed);
}).listen(Number(port), "127.0.0.1", () => console.log(`the page is at http://127.0.0.1:${port}/`));
