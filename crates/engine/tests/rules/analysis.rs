//! What a seat could reckon: held against exact counting.

mod exact;
mod played;
