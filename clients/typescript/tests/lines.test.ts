import assert from "node:assert/strict";
import { test } from "node:test";

import { Lines } from "../src/lines.js";

test("blocks are read whole, however they come in pieces", () => {
    const stream = 'id: 1\ndata: {"a":"ü🚢"}\n\n:\n\n:a\r\ndata:b\r\ndata: c\r\n\r\nid: 3\ndata: torn\n';
    const bytes = new TextEncoder().encode(stream);

    for (let size = 1; size <= bytes.length; size += 1) {
        const lines = new Lines();
        const blocks: (string | null)[] = [];
        for (let at = 0; at < bytes.length; at += size) {
            blocks.push(...lines.push(bytes.subarray(at, at + size)));
        }
        assert.deepEqual(blocks, ['{"a":"ü🚢"}', null, "b\nc"], `in pieces of ${size}`);
    }
});
