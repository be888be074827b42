//! One file per operation on layouts: nothing is stored.

pub(crate) mod check;
pub(crate) mod random;
