export { texts } from "./en.js";
