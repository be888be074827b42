import{texts}from"./chunk-NOG65YMJ.js";import"./chunk-EVZFBCFY.js";export{texts};
