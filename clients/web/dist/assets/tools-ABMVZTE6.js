import{verifyProof}from"./chunk-3CXCXYEW.js";import"./chunk-PD7VPFXJ.js";export{verifyProof};
