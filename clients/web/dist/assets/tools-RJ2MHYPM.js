import{verifyProof}from"./chunk-7FTFBFB6.js";import"./chunk-7FTHHX7D.js";export{verifyProof};
