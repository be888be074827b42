//! What one address may use, what a server takes on at a time, and what it counts.

mod budgets;
mod connections;
mod dashboard;
mod files;
mod kept;
mod metrics;
mod work;
