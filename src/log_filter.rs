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

/// A log in which other crates say nothing below `info`, whatever was asked for: there they print
/// headers as clients sent them, and a client may have put a secret into any.
struct LogFilter(env_logger::Logger);

impl log::Log for LogFilter {
    fn enabled(&self, about: &log::Metadata<'_>) -> bool {
        let is_own = about.target().split("::").next().is_some_and(|name| OWN.contains(&name));
        (is_own || about.level() <= log::Level::Info) && self.0.enabled(about)
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
