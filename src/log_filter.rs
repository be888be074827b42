//! What goes into the log, from whom, and how it gets out.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal as _};
use std::panic::PanicHookInfo;

use env_logger::{Builder, Env, Target, WriteStyle};
use log::{Level, LevelFilter, Log as _, Metadata, Record};
use naval_battle::metrics::DroppedLines;

use crate::log_queue::{LogQueue, Patient};

/// The log of this process. What is in it is written when this is dropped, as far as anybody reads.
pub(crate) struct Log {
    queue: LogQueue,
    /// The lines that were not written.
    pub(crate) dropped: DroppedLines,
}

impl Log {
    /// Writes to standard error what `RUST_LOG` asks for, `info` if it says nothing.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub(crate) fn start() -> io::Result<Self> {
        let dropped = DroppedLines::default();
        let own = builder(Builder::new()).filter_level(LevelFilter::Warn).target(standard_error()).build();
        let tell = move |count: u64| tell_of_dropped(&own, count);
        let queue = LogQueue::start(Patient(io::stderr()), dropped.clone(), tell)?;
        let asked = Builder::from_env(Env::default().default_filter_or("info"));
        let written = builder(asked).target(Target::Pipe(Box::new(queue.clone()))).build();
        let most = written.filter();
        if log::set_boxed_logger(Box::new(LogFilter(written))).is_ok() {
            log::set_max_level(most);
        }
        std::panic::set_hook(Box::new(tell_of_panic));
        Ok(Self { queue, dropped })
    }

    /// Says a last thing to whoever started the program.
    pub(crate) fn say(&self, line: &str) {
        self.queue.finish(Some(format!("{line}\n")));
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.queue.finish(None);
    }
}

/// Lines have colours where somebody sees them.
fn builder(mut builder: Builder) -> Builder {
    let says = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !says("RUST_LOG_STYLE") && !says("NO_COLOR") && io::stderr().is_terminal() {
        builder.write_style(WriteStyle::Always);
    }
    builder
}

fn standard_error() -> Target {
    Target::Pipe(Box::new(Patient(io::stderr())))
}

/// This is for the thread that writes, which cannot wait for itself.
fn tell_of_dropped(own: &env_logger::Logger, count: u64) {
    let mut record = Record::builder();
    let record = record.level(Level::Warn).target(env!("CARGO_CRATE_NAME"));
    own.log(&record.args(format_args!("{count} lines of the log were dropped, as nobody took them")).build());
}

/// A panic is told like anything else: written straight to standard error, it would wait for whoever reads that.
fn tell_of_panic(info: &PanicHookInfo<'_>) {
    let told = info.to_string().replace('\n', " ");
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        log::error!("{told}\n{trace}");
    } else {
        log::error!("{told}");
    }
}

/// The crates of this workspace that write into the log.
const OWN: [&str; 2] = [env!("CARGO_CRATE_NAME"), "embedded_postgres"];

/// What actix-http says of connections. It takes every line that is no HTTP for an error of the server, so the server
/// says itself what came of a connection, in `http/connection.rs`.
const TOLD_OTHERWISE: &str = "actix_http::h1::dispatcher";

/// A log in which other crates say nothing below `info`, whatever was asked for: there they print
/// headers as clients sent them, and a client may have put a secret into any.
struct LogFilter(env_logger::Logger);

impl log::Log for LogFilter {
    fn enabled(&self, about: &Metadata<'_>) -> bool {
        let is_own = about.target().split("::").next().is_some_and(|name| OWN.contains(&name));
        let is_told = about.target() == TOLD_OTHERWISE;
        (is_own || about.level() <= Level::Info) && !is_told && self.0.enabled(about)
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            self.0.log(record);
        }
    }

    fn flush(&self) {
        self.0.flush();
    }
}
