//! Clients that vanish, a Postgres that is slow, held, hung or gone, and a server that is killed:
//! what was acknowledged stays, and nothing happens twice.

mod clients;
mod commits;
mod deadlines;
mod ground;
mod hosts;
mod kills;
mod postgres;
mod rows;
mod settings;
mod slots;
mod standbys;
mod wires;
