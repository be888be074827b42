import{texts}from"./chunk-RQUJCAVV.js";export{texts};
