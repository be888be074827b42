//! The service as its users meet it: a real server on a real Postgres.
//!
//! A test named `r17_…` shows a rule of `docs/rules.md`, one named `c_…` a sentence of `docs/contract.md`, and one named
//! `c5_…` a step of its order of refusals.

mod asking;
mod bodies;
mod cells;
mod clock;
mod games;
mod headers;
mod hidden;
mod json;
mod languages;
mod logs;
mod names;
mod numbers;
mod order;
mod phase_games;
mod placing;
mod preconditions;
mod prefix;
mod problems;
pub(crate) mod proof;
mod routes;
mod scanners;
mod seats;
mod strict;
mod tokens;
mod turns;
mod twins;
mod upgrades;
mod versions_of_http;
mod whole_games;
