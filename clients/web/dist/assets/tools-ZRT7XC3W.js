import{verifyProof}from"./chunk-CTG6S3RS.js";import"./chunk-5IBSWTVI.js";export{verifyProof};
