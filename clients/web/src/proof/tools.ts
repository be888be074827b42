/** What checks the hashes of one answer, which comes when it is needed. */
import "../core.js";

export { verifyProof } from "naval-battle-client/proof.js";
