import{verifyProof}from"./chunk-HNCFT6HZ.js";import"./chunk-DXPBRI6I.js";export{verifyProof};
