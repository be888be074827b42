//! What goes into the log, and from whom.

/// Writes to standard error what `RUST_LOG` asks for, `info` if it says nothing.
pub(crate) fn start() {
    let written = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("info")).build();
    let most = written.filter();
    if log::set_boxed_logger(Box::new(LogFilter(written))).is_ok() {
        log::set_max_level(most);
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
    fn enabled(&self, about: &log::Metadata<'_>) -> bool {
        let is_own = about.target().split("::").next().is_some_and(|name| OWN.contains(&name));
        let is_told = about.target() == TOLD_OTHERWISE;
        (is_own || about.level() <= log::Level::Info) && !is_told && self.0.enabled(about)
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            self.0.log(record);
        }
    }

    fn flush(&self) {
        self.0.flush();
    }
}
