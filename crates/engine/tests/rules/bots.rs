//! The bots: whole games of every pair in all 64 configurations, held against the second model of
//! the rules; and what a bot cannot see has no influence on what it does.

mod decisions;
mod games;
mod twins;
