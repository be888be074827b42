//! Games against the server: a bot as the guest, and layouts drawn and checked.

mod games;
mod layouts;
mod seeds;
mod solo;
