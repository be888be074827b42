import{verifyProof}from"./chunk-5YZOIXKK.js";import"./chunk-UEIN3E6B.js";export{verifyProof};
