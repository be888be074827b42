//! `DATABASE_URL`, read so that no part of a password is ever taken for something that may be told.

use naval_battle::store::{Hosts, Target};
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

/// Which of several hosts may be taken.
const TARGET: &str = "target_session_attrs";

/// What may be a list, with something for each host.
const ONE_EACH: [&str; 3] = ["host", "hostaddr", "port"];

/// Why a URL is not read. What is wrong is not repeated where it may be part of a password.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum UrlError {
    #[error("DATABASE_URL is no address of a Postgres: it looks like postgres://user:password@host:5432/database")]
    NoAddress,
    #[error(
        "DATABASE_URL can be read in more than one way: @ / ? # and % in a user or password are written %40 %2F %3F %23 \
         and %25, or the password is left out and given as PGPASSWORD"
    )]
    Ambiguous,
    #[error(
        "DATABASE_URL names several hosts, and other things in another number: each host has its own, or all have one"
    )]
    Uneven,
    #[error("DATABASE_URL says target_session_attrs={0:?}: a server has to write, so it is read-write, primary or any")]
    Target(String),
}

/// How to connect; what the URL does not say comes from the variables of libpq, such as `PGPASSWORD`. Several hosts have
/// commas between them, as in libpq: `host1:5432,host2:5433`, or `?host=host1,host2&port=5432,5433`.
pub(crate) fn read(url: &str) -> Result<Hosts, UrlError> {
    let rest = url.strip_prefix("postgres://").or_else(|| url.strip_prefix("postgresql://"));
    let rest = rest.ok_or(UrlError::NoAddress)?;
    // Otherwise a password that was not encoded would be told as host, path or parameter.
    let (authority, below) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let is_odd = |letter: char| letter == '#' || letter.is_control() || letter.is_whitespace();
    if authority.matches('@').count() > 1 || below.contains('@') || rest.contains(is_odd) {
        return Err(UrlError::Ambiguous);
    }
    let (user, hosts) = authority.split_at(authority.find('@').map_or(0, |at| at + 1));
    let (path, parameters) = below.split_once('?').unwrap_or((below, ""));
    let parameters = known(parameters);
    let mut targets = parameters.iter().filter(|(name, _)| *name == TARGET).map(|(_, value)| target(value));
    let target = targets.next_back().transpose()?.unwrap_or_default();
    let lists = parameters.iter().filter(|(name, _)| ONE_EACH.contains(name)).map(|(_, value)| *value);
    let count = lists.chain([hosts]).map(|list| list.split(',').count()).max().unwrap_or(1);
    let hosts: Result<Vec<PgConnectOptions>, UrlError> = (0..count)
        .map(|index| {
            let host = one_of(hosts, index, count)?;
            let parameters = parameters.iter().filter(|(name, _)| *name != TARGET).map(|(name, value)| {
                let value = if ONE_EACH.contains(name) { one_of(value, index, count)? } else { value };
                Ok(format!("{name}={value}"))
            });
            let parameters = parameters.collect::<Result<Vec<_>, UrlError>>()?.join("&");
            format!("postgres://{user}{host}{path}?{parameters}").parse().map_err(|_| UrlError::NoAddress)
        })
        .collect();
    Ok(Hosts::new(hosts?, target))
}

/// What of a list is for one of several hosts: all have the same where there is one thing alone.
fn one_of(list: &str, index: usize, count: usize) -> Result<&str, UrlError> {
    let things: Vec<&str> = list.split(',').collect();
    match things.as_slice() {
        [thing] => Ok(thing),
        things if things.len() == count && !things.contains(&"") => things.get(index).copied().ok_or(UrlError::Uneven),
        _ => Err(UrlError::Uneven),
    }
}

/// Which of several hosts may be taken.
fn target(value: &str) -> Result<Target, UrlError> {
    match value {
        "read-write" => Ok(Target::ReadWrite),
        "primary" => Ok(Target::Primary),
        "any" => Ok(Target::Any),
        other => Err(UrlError::Target(other.to_owned())),
    }
}

/// The parameters that are known, as they are written. The driver would write all others into the log.
fn known(parameters: &str) -> Vec<(&str, &str)> {
    let is_known = |(name, _): &(&str, &str)| {
        KNOWN.contains(name) || *name == TARGET || name.starts_with("options[") || name.starts_with("options%5B")
    };
    let all = parameters.split('&').filter(|parameter| !parameter.is_empty());
    let all = all.map(|parameter| parameter.split_once('=').unwrap_or((parameter, "")));
    let (kept, unknown): (Vec<_>, Vec<_>) = all.partition(is_known);
    if !unknown.is_empty() {
        log::warn!("DATABASE_URL has parameters that are not known and are passed over: {}", unknown.len());
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_of_several_has_its_own_port_or_all_have_one() {
        for (url, read_as) in [
            ("postgres://anna@one,two/games", "one:5432, two:5432, database games"),
            ("postgres://anna:x,y@one:1,two:2,three/games", "one:1, two:2, three:5432, database games"),
            ("postgresql://[::1]:1,[::1]:2/games?sslmode=disable", "[::1]:1, [::1]:2, database games"),
            ("postgres://anna@%2Frun%2Fone,%2Frun%2Ftwo/games", "/run/one, /run/two, database games"),
            ("postgres:///games?host=one,/run/two,three&port=1,2,3", "one:1, /run/two, three:3, database games"),
            (
                "postgres:///games?port=6432&hostaddr=192.0.2.1,192.0.2.2",
                "192.0.2.1:6432, 192.0.2.2:6432, database games",
            ),
            ("postgres://one/games?port=1,2", "one:1, one:2, database games"),
            ("postgres://one,two/games?port=1,2", "one:1, two:2, database games"),
            ("postgres://anna:xyzzy@one,two?target_session_attrs=read-write", "one:5432, two:5432, database anna"),
            ("postgres://one,two/games?target_session_attrs=any&password=plugh?", "one:5432, two:5432, database games"),
            ("postgres://one/games?target_session_attrs=primary", "one:5432, database games"),
        ] {
            assert_eq!(read(url).map(|hosts| hosts.to_string()).as_deref(), Ok(read_as), "{url}");
        }
    }

    #[test]
    fn what_is_not_one_for_each_host_is_refused() {
        for url in [
            "postgres://one,two/games?port=1,2,3",
            "postgres://one,two,three/games?port=1,2",
            "postgres://one,,two/games",
            "postgres://one,two,/games",
            "postgres://one,two/games?host=one,two,three",
        ] {
            assert_eq!(read(url).err(), Some(UrlError::Uneven), "{url}");
        }
        assert_eq!(read("postgres://one:1,two:port/games").err(), Some(UrlError::NoAddress));
        assert_eq!(read("postgres://anna:xy@zzy@one,two/games").err(), Some(UrlError::Ambiguous));
    }

    #[test]
    fn a_host_that_cannot_be_written_is_never_asked_for() {
        for kind in ["standby", "read-only", "prefer-standby", "", "READ-WRITE", "read-write,any"] {
            let refused = read(&format!("postgres://anna:xyzzy@one,two/games?target_session_attrs={kind}")).err();
            assert_eq!(refused, Some(UrlError::Target(kind.to_owned())));
            let told = UrlError::Target(kind.to_owned()).to_string();
            assert!(told.contains(&format!("target_session_attrs={kind:?}")) && told.contains("read-write"), "{told}");
        }
    }
}
