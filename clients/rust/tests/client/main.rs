//! The client without a server of this repository: against games that were kept, and servers made for a test.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

mod asks;
mod following;
mod made;
mod shapes;
#[cfg(feature = "tls")]
mod tls;
#[cfg(feature = "verify")]
mod verify;
