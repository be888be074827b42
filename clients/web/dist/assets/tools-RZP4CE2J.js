import{verifyProof}from"./chunk-Q37MSN4F.js";import"./chunk-Y2JIW2GV.js";export{verifyProof};
