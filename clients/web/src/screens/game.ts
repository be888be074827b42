/** The screens of a game that is played. */
import "../core.js";

export { BattleScreen } from "./battle.js";
export { InvitationScreen } from "./invitation.js";
export { PlacingScreen } from "./placing.js";
