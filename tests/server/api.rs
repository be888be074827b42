//! The service as its users meet it: a real server on a real Postgres.
//!
//! P… is a case from the field, R… a rule, C a sentence of the contract.

mod asking;
mod bodies;
mod cells;
mod clock;
mod desk;
mod endings;
mod flush;
mod games;
mod headers;
mod hidden;
mod json;
mod languages;
mod logs;
mod mines;
mod names;
mod numbers;
mod order;
mod phases;
mod placing;
mod positions;
mod preconditions;
mod prefix;
mod problems;
mod proof;
mod routes;
mod salvo;
mod script;
mod seats;
mod shots;
mod strict;
mod tokens;
mod turns;
mod twins;
mod whole_games;
