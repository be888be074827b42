// How each package is used. Each tells what comes and that it has ended, and gives what closes it.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Whether an event is the last of its game. */
const isLast = (data) => JSON.parse(data).result !== undefined;

/** What has the browser's own interface, and stops by itself at 204. */
function asInTheBrowser(EventSource) {
    return async ({ url, tell, end }) => {
        const source = new EventSource(url);
        source.onmessage = ({ lastEventId, data }) => tell(lastEventId, data);
        // Some are closed a moment after they say so.
        source.onerror = () => setTimeout(() => source.readyState === 2 && end(), 0);
        return () => source.close();
    };
}

/** What has the browser's own interface, and asks on for ever after 204: so it is closed at the last event. */
function closedAtTheEnd(EventSource) {
    return async ({ url, tell, end }) => {
        const source = new EventSource(url);
        source.onmessage = ({ lastEventId, data }) => {
            tell(lastEventId, data);
            if (isLast(data)) {
                source.close();
                end();
            }
        };
        return () => source.close();
    };
}

export const packages = {
    "eventsource 2": asInTheBrowser(require("eventsource-v2")),
    "eventsource 3": asInTheBrowser((await import("eventsource-v3")).EventSource),
    "eventsource 4": asInTheBrowser((await import("eventsource-v4")).EventSource),
    "event-source-polyfill": closedAtTheEnd(require("event-source-polyfill").EventSourcePolyfill),
    "eventsource-client": eventsourceClient,
    "@microsoft/fetch-event-source": fetchEventSource,
    "react-native-sse": reactNativeSse,
    chromium: inChromium,
};

async function eventsourceClient({ url, tell, end }) {
    const { createEventSource } = await import("eventsource-client");
    const source = createEventSource({
        url,
        onMessage: ({ id, data }) => tell(id, data),
        onDisconnect: () => {},
    });
    const watching = setInterval(() => {
        if (source.readyState === "closed") {
            clearInterval(watching);
            end();
        }
    }, 50);
    return () => source.close();
}

// It takes the end of a stream for the end of all, and 204 for an error to try again: both have to be told it.
async function fetchEventSource({ url, tell, end }) {
    // It looks whether the page is shown.
    const nothing = { hidden: false, addEventListener() {}, removeEventListener() {} };
    globalThis.document ??= nothing;
    globalThis.window ??= globalThis;
    const { fetchEventSource: follow } = require("@microsoft/fetch-event-source");
    const leaving = new AbortController();
    class Over extends Error {}
    const following = follow(url, {
        signal: leaving.signal,
        openWhenHidden: true,
        async onopen(response) {
            if (response.status === 204) throw new Over();
            if (!response.ok) throw new Error(`${response.status}`);
        },
        onmessage: ({ id, data }) => {
            // A comment is told as a message without data.
            if (data !== "") tell(id, data);
        },
        onclose() {
            throw new Error("the stream ended, and goes on at another one");
        },
        onerror(error) {
            if (error instanceof Over) throw error;
            return 500;
        },
    });
    following.catch((error) => {
        if (error instanceof Over) end();
    });
    return () => leaving.abort();
}

// It asks on for ever after 204, and not at all after a connection that was refused: so it is closed at the last event, and
// opened anew after an error without a status.
async function reactNativeSse({ url, tell, end }) {
    globalThis.XMLHttpRequest ??= Object.assign(require("xmlhttprequest").XMLHttpRequest, { LOADING: 3, DONE: 4 });
    // A module that does not say so: React Native's bundler does not ask.
    const text = readFileSync(require.resolve("react-native-sse/src/EventSource.js"), "utf8");
    const { default: EventSource } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    const source = new EventSource(url, { pollingInterval: 500 });
    source.addEventListener("message", ({ lastEventId, data }) => {
        tell(lastEventId, data);
        if (isLast(data)) {
            source.close();
            end();
        }
    });
    source.addEventListener("error", ({ xhrStatus }) => {
        if (xhrStatus === 0) setTimeout(() => source.open(), 500);
    });
    return () => source.close();
}

async function inChromium({ url, chromium, tell, end }) {
    const playwright = await import("playwright-core");
    const browser = await playwright.chromium.launch({ executablePath: chromium, args: ["--no-sandbox"] });
    const page = await browser.newPage();
    await page.exposeFunction("tell", tell);
    await page.exposeFunction("end", end);
    // A page of another origin.
    const pages = createServer((_, reply) => reply.setHeader("content-type", "text/html").end("<title>follow</title>"));
    await new Promise((done) => pages.listen(0, "127.0.0.1", done));
    await page.goto(`http://127.0.0.1:${pages.address().port}/`);
    await page.evaluate((url) => {
        const source = new EventSource(url);
        source.onmessage = ({ lastEventId, data }) => globalThis.tell(lastEventId, data);
        source.onerror = () => {
            if (source.readyState === EventSource.CLOSED) globalThis.end();
        };
    }, url);
    return async () => {
        await browser.close();
        pages.close();
    };
}
