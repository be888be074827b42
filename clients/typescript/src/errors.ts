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
        /** Seconds after which to try again, where somebody said it. */
        readonly retryAfter: number | null = null,
    ) {
        super(message, options);
    }
}

/** What was said instead of an answer, by the server or by somebody in between. */
export function refusal(response: Response, text: string): ProblemError | NoAnswer {
    const { status } = response;
    const asked = retryAfter(response);
    if (response.headers.get("Content-Type")?.startsWith("application/problem+json") && text !== "") {
        return new ProblemError(parsed(text, status) as Problem, asked);
    }
    return new NoAnswer(`an answer with status ${status} that is none of the API's`, status, {}, asked);
}

/** What a text says as JSON. */
export function parsed(text: string, status: number | null): unknown {
    try {
        return JSON.parse(text);
    } catch (cause) {
        throw new NoAnswer("an answer that is no JSON", status, { cause });
    }
}

/** What became of a request that brought no answer: a fault in the program stays what it is. */
export function unanswered(cause: unknown): unknown {
    const isOfTheProgram = cause instanceof ReferenceError || cause instanceof RangeError;
    const isTold = cause instanceof ProblemError || cause instanceof NoAnswer;
    return isOfTheProgram || isTold ? cause : new NoAnswer("the server gave no answer", null, { cause });
}

/** Whether it is not known if a request had an effect. */
export function isLost(failure: ProblemError | NoAnswer): boolean {
    return failure.status === null || [502, 503, 504].includes(failure.status);
}

/** Whether what was refused may be had later. */
export function mayPass(failure: ProblemError | NoAnswer): boolean {
    return failure.status === null || failure.status >= 500 || [200, 408, 425, 429].includes(failure.status);
}

/** The seconds of `Retry-After`; its other form, a date, is not one of this API's. */
function retryAfter(response: Response): number | null {
    const header = response.headers.get("Retry-After");
    return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}
