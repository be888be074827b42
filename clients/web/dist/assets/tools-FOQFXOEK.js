import{verifyProof}from"./chunk-4Z5TZP6Y.js";import"./chunk-G7ZVAMAI.js";export{verifyProof};
