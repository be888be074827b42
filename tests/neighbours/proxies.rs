//! Proxies between clients and the server, set up as people commonly set them up.

mod addresses;
mod apache;
mod front;
mod haproxy;
mod nginx;
mod service;
