/**
 * Reads a stream of server-sent events (WHATWG HTML §9.2), as far as this API has them: lines end with LF or CR LF,
 * and blocks have an `id`, `data`, and comments.
 */
export class Lines {
    readonly #decoder = new TextDecoder();
    #unread = "";
    #data: string[] = [];

    /** Takes what came and gives the data of each block that is now whole, `null` for one of comments. */
    push(bytes: Uint8Array): (string | null)[] {
        this.#unread += this.#decoder.decode(bytes, { stream: true });
        const lines = this.#unread.split("\n");
        this.#unread = lines.pop() ?? "";
        const blocks: (string | null)[] = [];
        for (const line of lines.map((line) => line.replace(/\r$/, ""))) {
            if (line === "") {
                blocks.push(this.#data.length > 0 ? this.#data.join("\n") : null);
                this.#data = [];
            } else if (line.startsWith("data:")) {
                this.#data.push(line.slice("data:".length).replace(/^ /, ""));
            }
        }
        return blocks;
    }
}
