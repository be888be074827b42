use std::sync::Arc;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection, Row as _};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::batch::Batches;
use super::distributed::{Found, Spread};
use super::hosts::{Hosts, Unreached};
use super::opener::{AFRESH, Opener};
use super::pool::Pool;
use super::seal::Seals;
use super::standing::Weakness;
use super::tables::{self, Spreading};
use super::{Sharing, Store, logging};
use crate::deadlines;
use crate::metrics::Metrics;

/// The oldest Postgres that the statements are tested with.
const OLDEST: i32 = 150_000;

/// One for those that read, and one for those that beat and tell.
const SIDE_CONNECTIONS: u32 = 2;

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
        /// Hosts or sockets, ports and database, without credentials.
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
    /// It would not keep what the contract promises.
    #[error("the database at {place} cannot be used: {weakness}")]
    Weak {
        /// Hosts or sockets, ports and database, without credentials.
        place: String,
        /// What is wrong with it.
        weakness: Weakness,
    },
    /// The database is not in UTF-8.
    #[error("the database's encoding is {found}: create it with encoding UTF8")]
    WrongEncoding {
        /// What it says of `server_encoding`.
        found: String,
    },
    /// The tables are of a release to come.
    #[error(
        "the database's tables were made by a later release of Naval Battle: this one does not know their migration \
         {version}. Run that release, or name another database; a backup from before it is the only way back"
    )]
    LaterTables {
        /// The number of the migration.
        version: i64,
    },
    /// The database belongs to something else.
    #[error("the database holds tables that are not of Naval Battle's making ({found}): name a database of its own")]
    ForeignTables {
        /// What was found.
        found: String,
    },
    /// The tables are not where they are looked for.
    #[error(
        "the tables of Naval Battle are in the schema {schema}, where search_path does not lead: say `alter role {role} \
         set search_path = {schema}`, or name another database"
    )]
    TablesElsewhere {
        /// Where they are.
        schema: String,
        /// Who looks.
        role: String,
    },
    /// A privilege is missing.
    #[error("the database does not let the role {role} {what}: as an owner or a superuser say `{remedy}`")]
    Forbidden {
        /// Who wants to.
        role: String,
        /// What it may not do.
        what: String,
        /// The statement that helps.
        remedy: String,
    },
    /// Rows are hidden, or do not survive a crash.
    #[error("the table {table} is {how}: say `{remedy}`")]
    UnsafeTable {
        /// The table.
        table: String,
        /// What is wrong with it.
        how: &'static str,
        /// The statement that helps.
        remedy: String,
    },
    /// Somebody else migrates, or seems to.
    #[error(
        "another session has held the lock for migrations for {seconds} seconds: {holder}. A server that migrates lets \
         it go by itself; any other has to be ended, by `select pg_terminate_backend(…)`"
    )]
    Locked {
        /// How long it was waited for.
        seconds: u64,
        /// Which session has it.
        holder: String,
    },
    /// Games are sealed with a key that this server does not have.
    #[error(
        "the database holds games that are sealed with a key that this server lacks, {name}: set NAVAL_BATTLE_SEAL_KEY to \
         it, or put it into NAVAL_BATTLE_SEAL_KEYS_OLD"
    )]
    Sealed {
        /// The beginning of the key's name, which tells nothing of the key.
        name: String,
    },
    /// There is nothing to spread tables over.
    #[error("the database is not distributed: as a superuser say `create extension citus`, and add its nodes")]
    NoNodes,
    /// Tables are changed elsewhere.
    #[error(
        "the database's tables are not those of this release, and can be changed at the coordinator of its nodes alone: \
         run `naval-battle distribute` with the DATABASE_URL of the coordinator first"
    )]
    NoCoordinator,
    /// Some tables are spread over the nodes, and some are not.
    #[error(
        "not spread over the nodes of the database: {what}; run `naval-battle distribute` with the DATABASE_URL of the \
         coordinator first"
    )]
    NotSpread {
        /// Tables and functions.
        what: String,
    },
    /// The tables could not be brought to this release.
    #[error("the database's tables cannot be migrated: {0}")]
    Migration(String),
}

/// The database to use, and the keys of what is sealed in it.
pub struct Database {
    hosts: Hosts,
    seals: Seals,
}

impl Database {
    /// One in which these keys seal what players hide.
    pub fn sealed(hosts: impl Into<Hosts>, seals: Seals) -> Self {
        Self { hosts: hosts.into(), seals }
    }
}

/// One in which nothing is sealed.
impl From<PgConnectOptions> for Database {
    fn from(options: PgConnectOptions) -> Self {
        Self::sealed(options, Seals::default())
    }
}

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
        database: impl Into<Database>,
        connections: u32,
        sharing: Sharing,
        metrics: &Arc<Metrics>,
    ) -> Result<Self, StartError> {
        let Database { hosts, seals } = database.into();
        let hosts = ours(&hosts);
        let (opener, found) = prepare(&hosts, seals).await?;
        let spread = found.spread;
        if let Some(told) = found.told() {
            log::info!("{told}");
        }
        // What waits for several games would wait for several nodes.
        let sharing = if spread == Spread::Nodes { Sharing::Never } else { sharing };
        let pool = Pool::new(opener.clone(), connections);
        // Where a node hangs, those that ask others go on.
        let times = if spread == Spread::Nodes { 4 } else { 1 };
        let side = Pool::new(opener.clone(), SIDE_CONNECTIONS * times);
        let clocks = Pool::yielding(opener.clone(), CLOCK_CONNECTIONS * times);
        // Whole logs are sorted.
        let chores = opener.with(&[("application_name", CHORES, CHORES), ("work_mem", "16384", "16MB")]);
        let chores = Pool::yielding(chores, CHORE_CONNECTIONS);
        // Where there are few, those that move come first.
        if let Ok(first) = pool.acquire().await {
            pool.give_back(first, Instant::now());
        }
        tokio::spawn(look(pool.clone()));
        let batches = Batches::start(&pool, sharing, metrics);
        Ok(Self { pool, side, clocks, chores, batches })
    }

    /// Brings the tables of a distributed database to this release, and spreads those over its nodes that are not yet;
    /// tells which those were.
    ///
    /// # Errors
    ///
    /// [`StartError`], told to whoever asked for it.
    pub async fn distribute(hosts: impl Into<Hosts>) -> Result<Vec<String>, StartError> {
        let hosts = ours(&hosts.into());
        let mut connection = connect(&hosts).await?;
        check(&mut connection, &hosts).await?;
        let tables = tables::bring_up(&mut connection, Spreading::All).await?;
        drop(connection.close().await);
        Ok(tables.spread)
    }
}

/// The hosts as this program connects to them.
fn ours(hosts: &Hosts) -> Hosts {
    hosts.map(|options| {
        let options = options.application_name("naval-battle").disable_statement_logging();
        // A pooler may refuse what it does not know.
        options.extra_float_digits(None)
    })
}

/// Looks at the database and brings its tables up; tells how connections are to be made.
async fn prepare(hosts: &Hosts, seals: Seals) -> Result<(Opener, Found), StartError> {
    let no_connection = |error: sqlx::Error| no_connection(hosts, reason(&error));
    let weak = |weakness| StartError::Weak { place: hosts.to_string(), weakness };
    let mut first = connect(hosts).await?;
    check(&mut first, hosts).await?;
    let mut second = connect(hosts).await?;
    let pooled = timeout(deadlines::FIRST_CONNECTION, is_pooled(&mut first, &mut second)).await;
    if pooled.map_err(|_| no_answer(hosts))?.map_err(no_connection)? {
        return Err(weak(Weakness::Pooler));
    }
    drop(second.close().await);

    let tables::Tables { schema, found, spread } = tables::bring_up(&mut first, Spreading::AsItIs).await?;
    if !spread.is_empty() {
        log::info!("spread over the nodes of the database: {}", spread.join(", "));
    }
    let started = Opener::start(hosts.clone(), &schema, found.spread, seals, &mut first).await;
    let (opener, weakness) = started.map_err(no_connection)?;
    if let Some(weakness) = weakness {
        return Err(weak(weakness));
    }
    opener.seals().enter(&mut first).await?;
    if !opener.seals().are_used() {
        logging::warn(&mut first, found.spread).await.map_err(no_connection)?;
    }
    // The connection has done its work; how it says goodbye changes nothing.
    drop(first.close().await);
    Ok((opener, found))
}

/// Connects, and waits where Postgres is about to let somebody in; no role's haste ends what follows.
async fn connect(hosts: &Hosts) -> Result<PgConnection, StartError> {
    let deadline = Instant::now() + deadlines::FIRST_CONNECTION;
    let unhurried = "select set_config(name, '0', false) from pg_settings
                      where name in ('idle_session_timeout', 'transaction_timeout')";
    loop {
        let connected = async {
            let mut connection = hosts.connect().await?.connection;
            sqlx::raw_sql(AFRESH).execute(&mut connection).await?;
            sqlx::raw_sql(unhurried).execute(&mut connection).await?;
            Ok::<_, Unreached>(connection)
        };
        match timeout_at(deadline, connected).await {
            Ok(Ok(connection)) => return Ok(connection),
            Ok(Err(unreached)) if unreached.is_any(is_hasty) && Instant::now() < deadline => {
                sleep(deadlines::NEW_CONNECTION).await;
            }
            Ok(Err(unreached)) => return Err(no_connection(hosts, unreached.reason(reason))),
            Err(_) => return Err(no_answer(hosts)),
        }
    }
}

/// Makes sure that it can do what is asked of it.
async fn check(connection: &mut PgConnection, hosts: &Hosts) -> Result<(), StartError> {
    let facts = "select current_setting('server_version_num')::int4, current_setting('server_version'),
                        current_setting('server_encoding'), pg_is_in_recovery(),
                        (select source from pg_settings
                          where name = 'default_transaction_read_only' and setting = 'on')";
    let failed = |error: sqlx::Error| no_connection(hosts, reason(&error));
    let facts = sqlx::raw_sql(facts).fetch_one(connection).await.map_err(failed)?;
    if facts.try_get::<i32, _>(0).map_err(failed)? < OLDEST {
        return Err(StartError::TooOld { found: facts.try_get(1).map_err(failed)? });
    }
    let encoding: String = facts.try_get(2).map_err(failed)?;
    if encoding != "UTF8" {
        return Err(StartError::WrongEncoding { found: encoding });
    }
    let weak = |weakness| Err(StartError::Weak { place: hosts.to_string(), weakness });
    if facts.try_get(3).map_err(failed)? {
        return weak(Weakness::Standby);
    }
    match facts.try_get(4).map_err(failed)? {
        Some(source_of_it) => weak(Weakness::ReadOnly { source_of_it }),
        None => Ok(()),
    }
}

/// Whether two connections share sessions of Postgres: whether one sees what was set by the other, or
/// is given another session while the other works.
async fn is_pooled(first: &mut PgConnection, second: &mut PgConnection) -> Result<bool, sqlx::Error> {
    const ASK: &str = "select pg_backend_pid(), coalesce(current_setting('naval_battle.session', true), '')";
    let own: (i32, String) = {
        let mark = "select pg_backend_pid(), set_config('naval_battle.session', gen_random_uuid()::text, false)";
        let row = sqlx::raw_sql(mark).fetch_one(&mut *first).await?;
        (row.try_get(0)?, row.try_get(1)?)
    };
    let row = sqlx::raw_sql(ASK).fetch_one(&mut *second).await?;
    if row.try_get::<i32, _>(0)? == own.0 || row.try_get::<String, _>(1)? == own.1 {
        return Ok(true);
    }
    let mut works = std::pin::pin!(sqlx::raw_sql("select pg_sleep(0.05)").execute(second));
    loop {
        tokio::select! {
            done = &mut works => return done.map(|_| false),
            row = sqlx::raw_sql(ASK).fetch_one(&mut *first) => {
                let row = row?;
                if (row.try_get(0)?, row.try_get(1)?) != own {
                    return Ok(true);
                }
            }
        }
    }
}

/// Looks again and again whether the database is as it has to be, until the pool is closed.
async fn look(pool: Pool) {
    loop {
        sleep(deadlines::LOOK_AT_DATABASE).await;
        match pool.look().await {
            Ok(()) => {}
            Err(sqlx::Error::PoolClosed) => return,
            Err(error) => log::debug!("the database could not be looked at: {}", reason(&error)),
        }
    }
}

/// The SQLSTATE of an error, where Postgres has sent it.
pub(super) fn code(error: &sqlx::Error) -> Option<String> {
    Some(error.as_database_error()?.code()?.into_owned())
}

/// What went wrong, without the row or the password that an error may hold, and without a line of
/// Postgres' source.
pub(super) fn reason(error: &sqlx::Error) -> String {
    error.as_database_error().map_or_else(|| error.to_string(), |error| error.message().to_owned())
}

/// Whether somebody may well be let in a moment later: it is starting, has too many clients, or was hasty.
fn is_hasty(error: &sqlx::Error) -> bool {
    matches!(code(error).as_deref(), Some("57P03" | "53300" | "57014" | "57P05"))
}

fn no_answer(hosts: &Hosts) -> StartError {
    no_connection(hosts, format!("no answer in {} seconds", deadlines::FIRST_CONNECTION.as_secs()))
}

fn no_connection(hosts: &Hosts, reason: String) -> StartError {
    StartError::NoConnection { place: hosts.to_string(), reason }
}
