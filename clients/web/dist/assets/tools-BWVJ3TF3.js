import{verifyProof}from"./chunk-FBXQK2JU.js";import"./chunk-GOQ3PSY4.js";export{verifyProof};
