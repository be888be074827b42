//! `DATABASE_URL`, read so that no part of a password is ever taken for something that may be told.

use sqlx::postgres::PgConnectOptions;

/// What a URL may ask for beside its path, as the driver reads it.
const KNOWN: [&str; 18] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
    "options",
    "password",
    "port",
    "ssl-ca",
    "ssl-cert",
    "ssl-key",
    "ssl-mode",
    "ssl-root-cert",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "statement-cache-capacity",
    "user",
];

/// Why a URL is not read. What is wrong is not repeated, since it may be part of a password.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum UrlError {
    #[error("DATABASE_URL is no address of a Postgres: it looks like postgres://user:password@host:5432/database")]
    NoAddress,
    #[error(
        "DATABASE_URL can be read in more than one way: @ / ? # and % in a user or password are written %40 %2F %3F %23 \
         and %25, or the password is left out and given as PGPASSWORD"
    )]
    Ambiguous,
}

/// How to connect; what the URL does not say comes from the variables of libpq, such as `PGPASSWORD`.
pub(crate) fn read(url: &str) -> Result<PgConnectOptions, UrlError> {
    let rest = url.strip_prefix("postgres://").or_else(|| url.strip_prefix("postgresql://"));
    let rest = rest.ok_or(UrlError::NoAddress)?;
    // Otherwise a password that was not encoded would be told as host, path or parameter.
    let (authority, below) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let is_odd = |letter: char| letter == '#' || letter.is_control() || letter.is_whitespace();
    if authority.matches('@').count() > 1 || below.contains('@') || rest.contains(is_odd) {
        return Err(UrlError::Ambiguous);
    }
    known(url).parse().map_err(|_| UrlError::NoAddress)
}

/// The URL without parameters that the driver does not know: it would write them into the log.
fn known(url: &str) -> String {
    let Some((address, parameters)) = url.split_once('?') else { return url.to_owned() };
    let is_known = |parameter: &&str| {
        let name = parameter.split('=').next().unwrap_or_default();
        KNOWN.contains(&name) || name.starts_with("options[") || name.starts_with("options%5B")
    };
    let (kept, unknown): (Vec<&str>, Vec<&str>) = parameters.split('&').partition(is_known);
    if !unknown.is_empty() {
        log::warn!("DATABASE_URL has parameters that are not known and are passed over: {}", unknown.len());
    }
    format!("{address}?{}", kept.join("&"))
}
