import{verifyProof}from"./chunk-IIEQWQHU.js";import"./chunk-BG5WSUS3.js";export{verifyProof};
