import{verifyProof}from"./chunk-VD54IWTQ.js";import"./chunk-AU6P6MQS.js";export{verifyProof};
