import type { paths } from "./openapi.js";

type Method = "get" | "post";

/** The paths that have a method. */
export type PathOf<M extends Method> = {
    [P in keyof paths]: paths[P][M] extends object ? P : never;
}[keyof paths];

/** What an operation answers when all is well. */
export type AnswerOf<P extends keyof paths, M extends Method> = paths[P][M] extends { responses: infer R }
    ? { [S in keyof R & (200 | 201)]: JsonOf<R[S]> }[keyof R & (200 | 201)]
    : never;

/** What an operation takes as its body. */
export type BodyOf<P extends keyof paths> = paths[P]["post"] extends { requestBody?: infer B }
    ? JsonOf<Exclude<B, undefined>>
    : never;

/** What an operation takes as its query. */
export type QueryOf<P extends keyof paths> = paths[P]["get"] extends { parameters: { query?: infer Q } }
    ? Q & object
    : never;

type JsonOf<T> = T extends { content: { "application/json": infer J } } ? J : never;
