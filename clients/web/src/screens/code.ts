import "../core.js";

import { svg } from "../h.js";
import { code } from "./qr.js";

/** Light modules around a code, as its norm wants them. */
const MARGIN = 4;

/** A QR code as a drawing, dark on light whatever the page's colours are. */
export function drawing(text: string, label: string): SVGSVGElement {
    const rows = code(text);
    const size = rows.length + 2 * MARGIN;
    const dark = rows.flatMap((row, y) =>
        row.flatMap((isDark, x) => (isDark ? [`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`] : [])),
    );
    return svg(
        "svg",
        { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
        svg("rect", { width: size, height: size, fill: "#fff" }),
        svg("path", { d: dark.join(""), fill: "#000" }),
    );
}
