import type { State } from "../app.js";
import { Screen } from "./screen.js";
export class ReplayScreen extends Screen { constructor() { super(); this.append(this.heading); } update(_: State): void { this.heading.textContent = "…"; } }
customElements.define("nb-replay", ReplayScreen);
