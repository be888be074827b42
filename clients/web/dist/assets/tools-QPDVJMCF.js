import{verifyProof}from"./chunk-343E4TCH.js";import"./chunk-3IVEVNYY.js";export{verifyProof};
