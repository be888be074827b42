//! The laws that the fuzz targets hold the service to; `tests/seeds.rs` holds them over the seeds.

pub mod laws;
#[allow(dead_code, reason = "the laws need a part of it")]
#[path = "../../tests/common/model.rs"]
mod model;
