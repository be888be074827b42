//! The `naval-battle` binary: reads the configuration, starts things, decides nothing.

mod commands;
mod database_url;
mod log_filter;
mod log_queue;
mod private;
mod serve;
mod signals;

use std::error::Error;
use std::io::{self, Write as _};
use std::process::ExitCode;

use log_filter::Log;
use naval_battle::config::{Config, Task};

/// The system's takes a sixth of what a fire costs the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let log = match Log::start() {
        Ok(log) => log,
        Err(error) => {
            drop(writeln!(io::stderr(), "naval-battle: the log cannot be written: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let config = Config::read();
    let done = match config.command.as_ref().unwrap_or(&Task::Serve) {
        Task::Serve => serve::serve(&config.serve, &log.dropped),
        Task::Distribute => commands::distribute(&config.serve),
        Task::Openapi => commands::print_document(),
        Task::Verify { game, events, head, proofs } => {
            commands::verify(game, events, head.as_deref(), proofs.as_deref())
        }
        Task::Show { game, events } => commands::show(game, events),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log.say(&format!("naval-battle: {}", chain(&*error)));
            ExitCode::FAILURE
        }
    }
}

/// An error with its causes, on one line.
fn chain(error: &dyn Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
