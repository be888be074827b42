//! Moves that share statements: each stands or falls by itself, whatever becomes of the others.

mod breaks;
mod crowd;
mod sharing;
