//! The `naval-battle` binary.
fn main() {}
