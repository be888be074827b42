//! Proxies between clients and the server.
