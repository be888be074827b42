import "../core.js";

export { texts } from "./en.js";
