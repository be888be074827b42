import{verifyProof}from"./chunk-FLXSDVDJ.js";import"./chunk-ZLGD2KEE.js";export{verifyProof};
