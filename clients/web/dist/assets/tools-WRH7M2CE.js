import{verifyProof}from"./chunk-F5JZWTXK.js";import"./chunk-3ECTB7W5.js";export{verifyProof};
