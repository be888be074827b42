import{verifyProof}from"./chunk-HHVUPSJP.js";import"./chunk-UFNNWZIG.js";export{verifyProof};
