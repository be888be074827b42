//! The feed: a log followed live, awaited and resumed, through any server.
//!
//! A test named `c_…` shows a sentence of `docs/contract.md`. Nothing here has to be fast: what
//! must come is waited for with [`PATIENCE`](ground::stream::PATIENCE), and where the contract
//! names a time the bound is generous.

mod course;
mod crowd;
mod cuts;
mod followers;
mod form;
mod games;
mod leaving;
mod looking;
mod many;
mod outages;
mod packed;
mod path;
mod replicas;
mod waiting;
