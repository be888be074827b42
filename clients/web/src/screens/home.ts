/** The screen that the page begins with. */
import "../core.js";

export { StartScreen } from "./start.js";
