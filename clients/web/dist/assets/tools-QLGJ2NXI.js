import{verifyProof}from"./chunk-PGWMD3QQ.js";import"./chunk-EVZFBCFY.js";export{verifyProof};
