//! A database whose clock jumps.
