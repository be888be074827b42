//! Poolers between the server and Postgres.
