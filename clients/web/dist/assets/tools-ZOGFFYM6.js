import{verifyProof}from"./chunk-RT4IKRR5.js";import"./chunk-6F6AQ6O7.js";export{verifyProof};
