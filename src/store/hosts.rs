use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, PgConnection, Row as _};
use tokio::time::{sleep, timeout};

use super::standing::Weakness;
use crate::deadlines;

/// Which of several hosts may be taken, in the words of libpq's `target_session_attrs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// The first one that lets anybody in.
    Any,
    /// The first one that is no standby.
    Primary,
    /// The first one that can be written.
    #[default]
    ReadWrite,
}

/// Where the database is: on one host, or on one of several as its primary moves.
#[derive(Clone)]
pub struct Hosts {
    each: Arc<[PgConnectOptions]>,
    target: Target,
    seen: Arc<Seen>,
}

/// What was found out about several hosts.
#[derive(Default)]
struct Seen {
    /// Which of them was taken last.
    last: AtomicUsize,
    /// The latest timeline on which one was written. Each promotion begins another.
    timeline: AtomicI32,
}

/// A connection to one of the hosts.
pub(super) struct Reached {
    pub connection: PgConnection,
    /// Whether the one before was to another host.
    pub moved: bool,
}

/// Why none of the hosts was taken.
#[derive(Debug)]
pub(super) struct Unreached(Vec<(String, sqlx::Error)>);

/// What tells whether a host may be taken.
const LOOK: &str = "select pg_is_in_recovery(),
    case when current_setting('transaction_read_only') = 'on' then
        coalesce((select source from pg_settings
                   where name = 'default_transaction_read_only' and setting = 'on'), 'transaction_read_only') end,
    case when not pg_is_in_recovery() then
        ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int4 end";

impl Hosts {
    /// Several, of which those that stand first are tried first.
    pub fn new(hosts: Vec<PgConnectOptions>, target: Target) -> Self {
        Self { each: hosts.into(), target, seen: Arc::default() }
    }

    /// The same with other options.
    pub(super) fn map(&self, change: impl Fn(PgConnectOptions) -> PgConnectOptions) -> Self {
        Self { each: self.each.iter().cloned().map(change).collect(), ..self.clone() }
    }

    /// Connects to the one that was taken last, or to another one where that cannot be taken any more. While one does
    /// not answer the others are tried beside it, again and again: one of them may be promoted meanwhile.
    pub(super) async fn connect(&self) -> Result<Reached, Unreached> {
        let last = self.seen.last.load(Ordering::Relaxed);
        let count = self.each.len();
        let mut left = (0..count).map(|step| (last + step) % count);
        let mut running = FuturesUnordered::new();
        let mut failed = BTreeMap::new();
        loop {
            running.extend(left.next().map(|index| self.attempt(index, Duration::ZERO)));
            match timeout(deadlines::NEXT_HOST, running.next()).await {
                Ok(Some((_, Ok(reached)))) => return Ok(reached),
                Ok(Some((index, Err(error)))) => {
                    failed.insert(index, error);
                    if failed.len() < count {
                        running.push(self.attempt(index, deadlines::NEXT_HOST));
                        continue;
                    }
                }
                Ok(None) => {}
                Err(_) => continue,
            }
            let told = self.each.iter().map(host).zip(failed.into_values());
            return Err(Unreached(told.collect()));
        }
    }

    /// Tries one of them after a pause.
    async fn attempt(&self, index: usize, pause: Duration) -> (usize, Result<Reached, sqlx::Error>) {
        sleep(pause).await;
        let Some(options) = self.each.get(index) else { return (index, Err(sqlx::Error::PoolTimedOut)) };
        let connected = async {
            let mut connection = options.connect().await?;
            if self.target != Target::Any {
                self.look(&mut connection).await?;
            }
            let moved = self.seen.last.swap(index, Ordering::Relaxed) != index;
            if moved {
                log::info!("the database is at {} now", host(options));
            }
            Ok(Reached { connection, moved })
        };
        if self.each.len() == 1 {
            // It is waited for by whoever asked, and what is wrong with it is told elsewhere.
            return (index, options.connect().await.map(|connection| Reached { connection, moved: false }));
        }
        let silent = |_| io::Error::new(io::ErrorKind::TimedOut, "no answer in time");
        (index, timeout(deadlines::HOST, connected).await.map_err(silent).map_err(sqlx::Error::from).flatten())
    }

    /// Whether a host may be taken.
    async fn look(&self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let row = sqlx::raw_sql(LOOK).fetch_one(connection).await?;
        let weak = |weakness: Weakness| Err(sqlx::Error::Configuration(weakness.into()));
        // None where it is a standby.
        let Some(timeline) = row.try_get::<Option<i32>, _>(2)? else { return weak(Weakness::Standby) };
        let read_only: Option<String> = row.try_get(1)?;
        if let (Target::ReadWrite, Some(source_of_it)) = (self.target, read_only) {
            return weak(Weakness::ReadOnly { source_of_it });
        }
        if self.seen.timeline.fetch_max(timeline, Ordering::Relaxed) > timeline {
            return weak(Weakness::Former);
        }
        Ok(())
    }

    /// The one that was taken last.
    pub(super) fn last(&self) -> Option<&PgConnectOptions> {
        self.each.get(self.seen.last.load(Ordering::Relaxed)).or(self.each.first())
    }
}

/// A single one.
impl From<PgConnectOptions> for Hosts {
    fn from(options: PgConnectOptions) -> Self {
        Self::new(vec![options], Target::default())
    }
}

/// Hosts or sockets, ports and the database, without credentials.
impl fmt::Display for Hosts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for options in self.each.iter() {
            write!(formatter, "{}, ", host(options))?;
        }
        let options = self.each.first();
        let database = options.map(|options| options.get_database().unwrap_or_else(|| options.get_username()));
        write!(formatter, "database {}", database.unwrap_or_default())
    }
}

/// What went wrong with a host that was reached.
impl From<sqlx::Error> for Unreached {
    fn from(error: sqlx::Error) -> Self {
        Self(vec![(String::new(), error)])
    }
}

impl Unreached {
    /// What the driver or Postgres said, host by host where there are several.
    pub(super) fn reason(&self, tell: impl Fn(&sqlx::Error) -> String) -> String {
        let tell = |error| weakness(error).map_or_else(|| tell(error), ToString::to_string);
        match self.0.as_slice() {
            [(_, error)] => tell(error),
            several => {
                let told: Vec<_> = several.iter().map(|(host, error)| format!("{host}: {}", tell(error))).collect();
                told.join("; ")
            }
        }
    }

    /// Whether this is so of one of the hosts.
    pub(super) fn is_any(&self, is: impl Fn(&sqlx::Error) -> bool) -> bool {
        self.0.iter().any(|(_, error)| is(error))
    }

    /// What is wrong where every host answers, and none may be taken.
    pub(super) fn weakness(&self) -> Option<Weakness> {
        let mut found = self.0.iter().map(|(_, error)| weakness(error));
        let first = found.next()?;
        if found.all(|found| found.is_some()) { first.cloned() } else { None }
    }

    /// The error of one of the hosts, of those that are so where there are some.
    pub(super) fn into_error(self, is: impl Fn(&sqlx::Error) -> bool) -> sqlx::Error {
        let (so, otherwise): (Vec<_>, Vec<_>) = self.0.into_iter().map(|(_, error)| error).partition(is);
        so.into_iter().chain(otherwise).next().unwrap_or(sqlx::Error::PoolTimedOut)
    }
}

/// What is wrong with the database, where an error says so.
fn weakness(error: &sqlx::Error) -> Option<&Weakness> {
    if let sqlx::Error::Configuration(error) = error { error.downcast_ref() } else { None }
}

fn host(options: &PgConnectOptions) -> String {
    match options.get_socket() {
        Some(folder) => folder.display().to_string(),
        None => format!("{}:{}", options.get_host(), options.get_port()),
    }
}
