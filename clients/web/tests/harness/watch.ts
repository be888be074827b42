import type { BrowserContext, Page, Response } from "playwright-core";

/** What a journey causes on purpose. */
export interface Allowed {
    /** Statuses of 400 and more, as `409 /fire`: a status and what the path, or the path with its query, ends with. */
    readonly statuses?: readonly string[];
    /** Errors of the console that the browser itself writes, such as for lost connections. */
    readonly console?: readonly RegExp[];
    /** Tokens may be seen, as on the screen that shows the link with a key. */
    readonly tokens?: boolean;
}

/** Watches all pages of a context, and remembers whatever must not happen. */
export class Watch {
    readonly faults: string[] = [];
    readonly requests: string[] = [];
    readonly #secrets = new Set<string>();
    readonly #said: string[] = [];
    #allowed: Allowed = {};

    private constructor(readonly origin: string) {}

    static async over(context: BrowserContext, origin: string): Promise<Watch> {
        const watch = new Watch(origin);
        await context.addInitScript(() => {
            document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) =>
                console.error(`the policy was broken: ${violatedDirective} ${blockedURI} ${sample}`),
            );
        });
        context.on("weberror", (error) =>
            watch.#fault(`an error of the page: ${error.error().stack ?? error.error().message}`),
        );
        context.on("console", (message) => {
            watch.#said.push(message.text());
            const isAllowed = watch.#allowed.console?.some((allowed) => allowed.test(message.text()));
            if (
                message.type() === "error" &&
                isAllowed !== true &&
                !watch.#isAllowedStatus(message.text(), message.location().url)
            ) {
                watch.#fault(`the console: ${message.text()} ${message.location().url}`);
            }
        });
        context.on("request", (request) => {
            const url = request.url();
            watch.requests.push(`${request.method()} ${url}`);
            if (new URL(url).origin !== origin && !url.startsWith("blob:")) {
                watch.#fault(`a request to another origin: ${url}`);
            }
        });
        context.on("response", (response) => watch.#hear(response));
        return watch;
    }

    /** From now on this happens on purpose, beside what was allowed before. */
    allow(more: Allowed): void {
        this.#allowed = {
            statuses: [...(this.#allowed.statuses ?? []), ...(more.statuses ?? [])],
            console: [...(this.#allowed.console ?? []), ...(more.console ?? [])],
            tokens: more.tokens ?? this.#allowed.tokens ?? false,
        };
    }

    /** Nobody but their storage and requests may have this. */
    guard(secret: string): void {
        this.#secrets.add(secret);
    }

    /** Looks for secrets where somebody could see them. */
    async look(page: Page): Promise<void> {
        if (this.#allowed.tokens === true) {
            return;
        }
        const shown = await page.evaluate(() => {
            const fields = [...document.querySelectorAll<HTMLInputElement>("input, textarea")].map(
                ({ value }) => value,
            );
            return [
                document.documentElement.outerHTML,
                document.title,
                location.href,
                JSON.stringify(history.state),
                ...fields,
            ].join("\n");
        });
        const seen = {
            "on the page": shown,
            "in the console": this.#said.join("\n"),
            "in an address": this.requests.join("\n"),
        };
        for (const secret of this.#secrets) {
            for (const [place, text] of Object.entries(seen)) {
                if (text.includes(secret)) {
                    this.#fault(`a seat's token is ${place}`);
                }
            }
        }
    }

    #hear(response: Response): void {
        const { pathname, search } = new URL(response.url());
        const status = response.status();
        if (status >= 400 && !this.#isAllowed(status, pathname, search)) {
            const asked = response.request();
            response
                .text()
                .catch(() => "")
                .then((text) =>
                    this.#fault(
                        `${status} on ${asked.method()} ${pathname}: ${text} (asked ${asked.postData() ?? ""})`,
                    ),
                );
        }
        if (
            response.request().method() === "POST" &&
            [200, 201].includes(status) &&
            /\/(?:games|join|rematch)$/.test(pathname)
        ) {
            response
                .json()
                .then(({ token }) => token && this.guard(token))
                .catch(() => undefined);
        }
    }

    #isAllowed(status: number, path: string, query: string): boolean {
        return (
            this.#allowed.statuses?.some((allowed) => {
                const [number = "", end = ""] = allowed.split(" ");
                return Number(number) === status && (path.endsWith(end) || `${path}${query}`.endsWith(end));
            }) ?? false
        );
    }

    /** Chromium writes an error into the console for each status of 400 and more. */
    #isAllowedStatus(text: string, url: string): boolean {
        const status = /the server responded with a status of ([0-9]{3})/.exec(text)?.[1];
        return (
            status !== undefined &&
            url !== "" &&
            this.#isAllowed(Number(status), new URL(url).pathname, new URL(url).search)
        );
    }

    #fault(fault: string): void {
        this.faults.push(fault);
    }
}
