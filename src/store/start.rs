use std::sync::Arc;

use sqlx::migrate::{Migrate, MigrateError};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection};

use super::batch::Batches;
use super::pool::Pool;
use super::{Sharing, Store};
use crate::deadlines;
use crate::metrics::Metrics;

/// The oldest Postgres that the statements are tested with.
const OLDEST: i32 = 150_000;

/// One that listens, one that tells, one that looks, one that beats.
const SIDE_CONNECTIONS: u32 = 4;

/// One statement at a time looks at the clocks.
const CLOCK_CONNECTIONS: u32 = 1;

/// Two pack, one deletes and counts.
const CHORE_CONNECTIONS: u32 = 3;

/// By this name those that do chores know each other.
pub(super) const CHORES: &str = "naval-battle chores";

/// Why the database cannot be used. Each is one line for whoever starts the server.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Nobody answers, or whoever answers does not let us in.
    #[error("cannot connect to the database at {place}: {reason}; check DATABASE_URL, and that Postgres runs")]
    NoConnection {
        /// Host or socket, port and database, without credentials.
        place: String,
        /// What the driver or Postgres said.
        reason: String,
    },
    /// Postgres is too old.
    #[error("Postgres {found} is too old: Naval Battle needs version 15 or later")]
    TooOld {
        /// What it says of `server_version`.
        found: String,
    },
    /// A setting would lose acknowledged moves.
    #[error("Postgres runs with {setting} = off, which can lose acknowledged moves: turn it on")]
    Unsafe {
        /// The setting's name.
        setting: &'static str,
    },
    /// The database is not in UTF-8.
    #[error("the database's encoding is {found}: create it with encoding UTF8")]
    WrongEncoding {
        /// What it says of `server_encoding`.
        found: String,
    },
    /// The tables could not be brought to this release.
    #[error("the database's tables cannot be migrated: {0}")]
    Migration(String),
}

/// What a Postgres says of itself.
struct Facts {
    version_number: i32,
    version: String,
    encoding: String,
    fsync: String,
    full_page_writes: String,
    synchronous_commit: String,
}

/// How Postgres carries out what it is asked: a plan is made once for each connection and statement,
/// and finds every row by its key. Left to itself it would read small tables whole, and go on so
/// while they grow, until it next gathers statistics.
const BY_KEY: [(&str, &str); 5] = [
    ("plan_cache_mode", "force_generic_plan"),
    ("enable_seqscan", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
    // What cannot be had without is priced so high that it would be compiled.
    ("jit", "off"),
];

impl Store {
    /// Connects, checks that Postgres keeps what it acknowledges, and migrates. `sharing` says
    /// which moves share statements.
    ///
    /// Many servers may start at once on an empty database: migrations wait for each other.
    ///
    /// # Errors
    ///
    /// [`StartError`], told to whoever starts the server.
    pub async fn start(
        options: PgConnectOptions,
        connections: u32,
        sharing: Sharing,
        metrics: &Arc<Metrics>,
    ) -> Result<Self, StartError> {
        let options = options.application_name("naval-battle").disable_statement_logging();
        // That the table of migrations is there already is no news.
        let options = options.options([("client_min_messages", "warning")]);
        migrate(&options).await?;
        let options = options.options(
            [
                ("lock_timeout", deadlines::LOCK),
                ("statement_timeout", deadlines::STATEMENT),
                ("idle_in_transaction_session_timeout", deadlines::IDLE_IN_TRANSACTION),
            ]
            .map(|(name, time)| (name, format!("{}ms", time.as_millis()))),
        );
        let options = options.options(BY_KEY);
        let pool = Pool::new(options.clone(), connections);
        let side = Pool::new(options.clone(), SIDE_CONNECTIONS);
        let clocks = Pool::new(options.clone(), CLOCK_CONNECTIONS);
        // Whole logs are sorted.
        let chores = options.application_name(CHORES).options([("work_mem", "16MB")]);
        let chores = Pool::new(chores, CHORE_CONNECTIONS);
        let batches = Batches::start(&pool, sharing, metrics);
        Ok(Self { pool, side, clocks, chores, batches })
    }
}

async fn migrate(options: &PgConnectOptions) -> Result<(), StartError> {
    let mut connection = tokio::time::timeout(deadlines::FIRST_CONNECTION, options.connect())
        .await
        .map_err(|_| no_connection(options, format!("no answer in {} seconds", deadlines::FIRST_CONNECTION.as_secs())))?
        .map_err(|error| no_connection(options, reason(&error)))?;
    let facts = sqlx::query_as!(
        Facts,
        r#"select current_setting('server_version_num')::int4 as "version_number!",
                  current_setting('server_version') as "version!",
                  current_setting('server_encoding') as "encoding!",
                  current_setting('fsync') as "fsync!",
                  current_setting('full_page_writes') as "full_page_writes!",
                  current_setting('synchronous_commit') as "synchronous_commit!""#
    )
    .fetch_one(&mut connection)
    .await
    .map_err(|error| no_connection(options, reason(&error)))?;
    facts.check()?;

    connection.lock().await.map_err(|error| migration(&error))?;
    let migrated = sqlx::migrate!().set_locking(false).run_direct(None, &mut connection, false).await;
    connection.unlock().await.map_err(|error| migration(&error))?;
    migrated.map_err(|error| migration(&error))?;
    // The connection has done its work; how it says goodbye changes nothing.
    drop(connection.close().await);
    Ok(())
}

impl Facts {
    /// Makes sure that it can do what is asked of it, and keeps what it acknowledges.
    fn check(self) -> Result<(), StartError> {
        if self.version_number < OLDEST {
            return Err(StartError::TooOld { found: self.version });
        }
        for (setting, value) in [
            ("fsync", self.fsync),
            ("full_page_writes", self.full_page_writes),
            ("synchronous_commit", self.synchronous_commit),
        ] {
            if value == "off" {
                return Err(StartError::Unsafe { setting });
            }
        }
        if self.encoding != "UTF8" {
            return Err(StartError::WrongEncoding { found: self.encoding });
        }
        Ok(())
    }
}

fn migration(error: &MigrateError) -> StartError {
    StartError::Migration(error.to_string())
}

/// What went wrong, without the row or the password that an error may hold.
fn reason(error: &sqlx::Error) -> String {
    error.as_database_error().map_or_else(|| error.to_string(), |error| error.message().to_owned())
}

fn no_connection(options: &PgConnectOptions, reason: String) -> StartError {
    let database = options.get_database().unwrap_or_else(|| options.get_username());
    let place = match options.get_socket() {
        Some(folder) => format!("{}, database {database}", folder.display()),
        None => format!("{}:{}, database {database}", options.get_host(), options.get_port()),
    };
    StartError::NoConnection { place, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(version_number: i32, version: &str) -> Facts {
        let [version, encoding] = [version, "UTF8"].map(str::to_owned);
        let [fsync, full_page_writes, synchronous_commit] = ["on"; 3].map(str::to_owned);
        Facts { version_number, version, encoding, fsync, full_page_writes, synchronous_commit }
    }

    #[test]
    fn a_postgres_before_version_15_is_refused_with_its_version_and_what_is_needed() {
        for (number, version) in [(90_624, "9.6.24"), (140_013, "14.13 (Debian 14.13-1)")] {
            let refusal = facts(number, version).check().unwrap_err().to_string();

            assert_eq!(refusal, format!("Postgres {version} is too old: Naval Battle needs version 15 or later"));
        }
        for (number, version) in [(150_000, "15.0"), (180_006, "18.6")] {
            assert!(facts(number, version).check().is_ok(), "{version}");
        }
    }

    #[test]
    fn a_postgres_that_may_lose_what_it_acknowledged_is_refused() {
        let off = || "off".to_owned();
        for (setting, facts) in [
            ("fsync", Facts { fsync: off(), ..facts(150_000, "15.0") }),
            ("full_page_writes", Facts { full_page_writes: off(), ..facts(150_000, "15.0") }),
            ("synchronous_commit", Facts { synchronous_commit: off(), ..facts(150_000, "15.0") }),
        ] {
            assert!(facts.check().unwrap_err().to_string().contains(&format!("{setting} = off")));
        }
        let remote = Facts { synchronous_commit: "remote_apply".to_owned(), ..facts(150_000, "15.0") };
        assert!(remote.check().is_ok());
    }
}
