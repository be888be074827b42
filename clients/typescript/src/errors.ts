import type { components } from "./openapi.js";

/** A request that was not carried out (RFC 9457). */
export type Problem = components["schemas"]["Problem"];

/** The server refused: `code` is the stable word for why, `problem` all that it said. */
export class ProblemError extends Error {
    override readonly name = "ProblemError";
    readonly code: Problem["code"];
    readonly status: number;

    constructor(
        readonly problem: Problem,
        /** Seconds after which to try again, where the server said it. */
        readonly retryAfter: number | null,
    ) {
        super(problem.detail);
        this.code = problem.code;
        this.status = problem.status;
    }
}

/** No answer of the API came, however often it was asked for; `cause` is what came last. */
export class NoAnswer extends Error {
    override readonly name = "NoAnswer";

    constructor(
        message: string,
        /** The HTTP status, where somebody in between answered. */
        readonly status: number | null,
        options?: ErrorOptions,
    ) {
        super(message, options);
    }
}

/** What was said instead of an answer, by the server or by somebody in between. */
export async function refusal(response: Response): Promise<ProblemError | NoAnswer> {
    const text = await response.text();
    if (response.headers.get("Content-Type")?.startsWith("application/problem+json")) {
        return new ProblemError(JSON.parse(text) as Problem, retryAfter(response));
    }
    return new NoAnswer(`an answer with status ${response.status} that is none of the API's`, response.status);
}

/** The seconds of `Retry-After`; its other form, a date, is not one of this API's. */
export function retryAfter(response: Response): number | null {
    const header = response.headers.get("Retry-After");
    return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}
