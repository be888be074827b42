import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";

/** The server to test against. */
export const SERVER = (() => {
    const address = process.env["SERVER"];
    if (address === undefined) {
        throw new Error("SERVER names the server to test against, such as http://127.0.0.1:8080");
    }
    return address;
})();

/** A way to the server on which every connection breaks after so many bytes of answers. */
export class Breaking {
    /** How many have broken. */
    broken = 0;
    readonly #server: Server;
    readonly #open = new Set<Socket>();

    private constructor(after: number) {
        const { hostname, port } = new URL(SERVER);
        this.#server = createServer((asking) => {
            const answering = connect(Number(port), hostname);
            let left = after;
            for (const [one, other] of [[asking, answering], [answering, asking]] as const) {
                this.#open.add(one);
                one.on("error", () => other.destroy());
                one.on("close", () => {
                    this.#open.delete(one);
                    other.destroy();
                });
            }
            asking.pipe(answering);
            answering.on("data", (bytes) => {
                asking.write(bytes.subarray(0, left));
                left -= bytes.length;
                if (left <= 0 && !answering.destroyed) {
                    this.broken += 1;
                    answering.destroy();
                    // What was passed on arrives before the end does.
                    asking.end();
                }
            });
        });
    }

    static async after(bytes: number): Promise<Breaking> {
        const breaking = new Breaking(bytes);
        await new Promise<void>((resolve) => breaking.#server.listen(0, "127.0.0.1", resolve));
        return breaking;
    }

    get address(): string {
        return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    close(): void {
        this.#server.close();
        this.#open.forEach((socket) => socket.destroy());
    }
}

/** What was sent, and a way to lose answers. */
export class Lossy {
    readonly sent: { path: string; method: string; key: string | null; body: unknown }[] = [];
    /** How many answers are lost from now on, after the server has given them. */
    losing = 0;

    readonly fetch: typeof fetch = async (input, init) => {
        const headers = new Headers(init?.headers);
        const key = headers.get("Idempotency-Key");
        this.sent.push({ path: new URL(String(input)).pathname, method: init?.method ?? "GET", key, body: init?.body });
        const response = await fetch(input, init);
        if (this.losing > 0) {
            this.losing -= 1;
            await response.text();
            throw new TypeError("the connection broke");
        }
        return response;
    };
}

/** The headers of a request that matter. */
interface Headed {
    readonly key: string | null;
    readonly last: string | null;
}

/** A server that gives these answers in turn, and counts what it was asked. */
export function scripted(list: (() => Response)[]): { fetch: typeof fetch; asked: Headed[] } {
    const asked: Headed[] = [];
    return {
        asked,
        fetch: async (_, init) => {
            const headers = new Headers(init?.headers);
            asked.push({ key: headers.get("Idempotency-Key"), last: headers.get("Last-Event-ID") });
            const answer = list[asked.length - 1];
            if (answer === undefined) {
                throw new Error("it was asked too often");
            }
            return answer();
        },
    };
}

/** A problem as the server tells it. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): () => Response {
    const body = JSON.stringify({ type: `/problems/${code}`, title: code, status, detail: code, code });
    return () => new Response(body, { status, headers: { "Content-Type": "application/problem+json", ...headers } });
}

/** A request as a server got it. */
export interface Asked {
    readonly method: string;
    /** The path with its query. */
    readonly url: string;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
}

/** A server of the test's own: it answers as it is told, and keeps what it was asked. */
export async function served(
    answer: (asked: Asked, response: ServerResponse, count: number) => void,
): Promise<{ address: string; asked: Asked[]; close: () => void }> {
    const asked: Asked[] = [];
    const server = createHttpServer((request, response) => {
        let body = "";
        request.on("data", (bytes) => (body += String(bytes)));
        request.on("end", () => {
            const { method = "", url = "", headers } = request;
            asked.push({ method, url, headers, body });
            answer({ method, url, headers, body }, response, asked.length);
        });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const close = () => {
        server.close();
        server.closeAllConnections();
    };
    return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}

/** Answers with JSON. */
export function answers(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
    const type = status < 400 ? "application/json" : "application/problem+json";
    response.writeHead(status, { "Content-Type": type, ...headers }).end(JSON.stringify(body));
}
