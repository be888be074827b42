function drawing(_text,_label){throw new Error("later")}export{drawing};
