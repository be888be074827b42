use std::sync::Arc;

use sqlx::Column as _;
use sqlx::postgres::PgRow;
use sqlx::{AssertSqlSafe, PgConnection, Row as _};

use super::distributed::Spread;
use super::hosts::{Hosts, Reached, Unreached};
use super::pool::has_no_room;
use super::seal::Seals;
use super::standing::{Standing, Weakness};
use crate::deadlines;

/// Makes connections: settles what statements rely on, and looks whether it stands.
///
/// Settings are asked for by statements, since poolers drop what stands in the options of a
/// connection; so neither a role nor a database nor a shell can change what a statement means.
#[derive(Clone)]
pub(super) struct Opener {
    hosts: Hosts,
    prepare: Arc<str>,
    look: Arc<str>,
    /// The same, and whether what was asked for stands.
    look_closely: Arc<str>,
    standing: Arc<Standing>,
    seals: Arc<Seals>,
    spread: Spread,
    /// What is settled.
    wanted: Arc<[(&'static str, String)]>,
    /// How it is shown.
    shown: Arc<[(String, String)]>,
}

/// A new connection.
pub(super) struct Opened {
    pub connection: PgConnection,
    pub backend: Backend,
    /// Whether what is written by it is kept.
    pub keeps: bool,
    pub era: u64,
}

/// The session of Postgres behind a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Backend {
    /// Its process.
    pub process: i32,
    /// When that began, in seconds since 1970.
    pub since: String,
    /// A name that the session alone has.
    session: String,
}

/// What statements rely on, in the units of `pg_settings`. A setting that a release of Postgres does
/// not have is passed over.
const SETTINGS: [(&str, &str); 43] = [
    ("application_name", "naval-battle"),
    // How long things take is settled by `deadlines` alone.
    ("idle_session_timeout", "0"),
    ("transaction_timeout", "0"),
    // Each statement sees what was committed before it, and is a transaction of its own.
    ("default_transaction_isolation", "read committed"),
    ("default_transaction_deferrable", "off"),
    // A row that a policy hides is an error, and not a game that is not there.
    ("row_security", "off"),
    ("restrict_nonsystem_relation_kind", ""),
    ("exit_on_error", "off"),
    ("array_nulls", "on"),
    ("transform_null_equals", "off"),
    // How values are written.
    ("client_encoding", "UTF8"),
    ("standard_conforming_strings", "on"),
    ("DateStyle", "ISO, MDY"),
    ("IntervalStyle", "postgres"),
    ("TimeZone", "UTC"),
    ("bytea_output", "hex"),
    ("extra_float_digits", "1"),
    // Where things lie.
    ("default_tablespace", ""),
    ("temp_tablespaces", ""),
    ("default_table_access_method", "heap"),
    ("work_mem", "4096"),
    // A plan is made once for each connection and statement, and finds every row by its key. Left to
    // itself Postgres would read small tables whole, and go on so while they grow, until it next
    // gathers statistics.
    ("plan_cache_mode", "force_generic_plan"),
    ("enable_seqscan", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
    ("enable_indexscan", "on"),
    ("enable_indexonlyscan", "on"),
    ("enable_bitmapscan", "on"),
    ("enable_nestloop", "on"),
    ("enable_sort", "on"),
    ("enable_material", "on"),
    ("seq_page_cost", "1"),
    ("random_page_cost", "4"),
    ("max_parallel_workers_per_gather", "0"),
    ("force_parallel_mode", "off"),
    ("debug_parallel_query", "off"),
    // What cannot be had without is priced so high that it would be compiled.
    ("jit", "off"),
    // That something is there already is no news, and what is sent may be secret.
    ("client_min_messages", "warning"),
    ("log_parameter_max_length_on_error", "0"),
    ("log_parameter_max_length", "0"),
    ("debug_print_parse", "off"),
    ("debug_print_rewritten", "off"),
    ("debug_print_plan", "off"),
];

/// What has to be otherwise for nothing to be lost, and what it has to be.
const FORGETFUL: [(&str, &str); 4] =
    [("fsync", "on"), ("full_page_writes", "on"), ("zero_damaged_pages", "off"), ("data_sync_retry", "off")];

/// What is looked at on each connection, and again and again.
const LOOK: &str = "select pg_backend_pid() as process, pg_is_in_recovery() as is_standby,
    (select extract(epoch from backend_start)::text from pg_stat_get_activity(pg_backend_pid())) as since,
    coalesce(current_setting('naval_battle.session', true), '') as session,
    current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
    current_setting('zero_damaged_pages') as zero_damaged_pages, current_setting('data_sync_retry') as data_sync_retry,
    case when current_setting('default_transaction_read_only') = 'on'
         then (select source from pg_settings where name = 'default_transaction_read_only') end as read_only";

/// Makes a session as good as new, whatever a pooler has kept of another, and gives it time.
pub(super) const AFRESH: &str =
    "reset all; set statement_timeout = 0; deallocate all; unlisten *; select pg_advisory_unlock_all()";

impl Opener {
    /// One whose connections have some settings of their own: names, values, and how these are shown.
    pub(super) fn with(&self, own: &[(&str, &str, &str)]) -> Self {
        let (mut wanted, mut shown) = (self.wanted.to_vec(), self.shown.to_vec());
        for (name, value, as_shown) in own {
            wanted.iter_mut().filter(|(other, _)| other == name).for_each(|(_, wanted)| (*value).clone_into(wanted));
            shown.iter_mut().filter(|(other, _)| other == name).for_each(|(_, shown)| (*as_shown).clone_into(shown));
        }
        Self {
            prepare: prepare(&wanted).into(),
            look_closely: look_closely(&compared(&shown)).into(),
            wanted: wanted.into(),
            shown: shown.into(),
            ..self.clone()
        }
    }

    /// Finds out on a first connection what can be settled here, and settles it; `schema` is where the
    /// tables are. What is wrong is told beside it.
    pub(super) async fn start(
        hosts: Hosts,
        schema: &str,
        spread: Spread,
        seals: Seals,
        first: &mut PgConnection,
    ) -> Result<(Self, Option<Weakness>), sqlx::Error> {
        let times = [
            ("lock_timeout", deadlines::LOCK),
            ("statement_timeout", deadlines::STATEMENT),
            ("idle_in_transaction_session_timeout", deadlines::IDLE_IN_TRANSACTION),
        ];
        let mut wanted: Vec<(&str, String)> = SETTINGS.map(|(name, value)| (name, value.to_owned())).to_vec();
        wanted.extend(times.map(|(name, time)| (name, time.as_millis().to_string())));
        wanted.push(("search_path", search_path(schema)));
        if spread == Spread::Nodes {
            // There a statement is planned by the game that it is about.
            wanted.retain(|(name, _)| *name != "plan_cache_mode");
        }
        let names: Vec<String> = wanted.iter().map(|(name, _)| (*name).to_owned()).collect();
        let known = sqlx::query_scalar!(
            r#"select name as "name!" from pg_settings
                where name = any($1) and (context = 'user' or has_parameter_privilege(name, 'set'))"#,
            &names
        );
        let known = known.fetch_all(&mut *first).await?;
        wanted.retain(|(name, _)| known.iter().any(|known| known == name));
        let opener = Self {
            hosts,
            prepare: prepare(&wanted).into(),
            look: LOOK.into(),
            look_closely: look_closely(&compared_by_unit(&wanted)).into(),
            standing: Arc::default(),
            seals: Arc::new(seals),
            spread,
            wanted: wanted.into(),
            shown: Arc::default(),
        };
        let (_, weakness) = opener.settle(first).await?;
        // Later ones are compared with what stands on this one, as it is shown: that is cheap.
        let shown =
            sqlx::query_scalar!(r#"select current_setting(name) as "shown!" from unnest($1::text[]) name"#, &known);
        let shown = shown.fetch_all(first).await?;
        let shown: Vec<_> = known.into_iter().zip(shown).collect();
        let look_closely = look_closely(&compared(&shown)).into();
        Ok((Self { look_closely, shown: shown.into(), ..opener }, weakness))
    }

    /// Makes a connection.
    ///
    /// # Errors
    ///
    /// Where none can be made; [`sqlx::Error::Configuration`] with a [`Weakness`] where it is of no use.
    pub(super) async fn open(&self) -> Result<Opened, sqlx::Error> {
        let (mut connection, era) = self.connect().await?;
        let (backend, keeps) = self.prepare(&mut connection).await?;
        Ok(Opened { connection, backend, keeps, era })
    }

    /// Connects, and tells of which era that is.
    async fn connect(&self) -> Result<(PgConnection, u64), sqlx::Error> {
        let era = self.standing.era();
        let connected = self.hosts.connect().await;
        if let Some(weakness) = connected.as_ref().err().and_then(Unreached::weakness) {
            self.standing.found(Some(weakness));
        }
        let Reached { connection, moved } = connected.map_err(|unreached| unreached.into_error(has_no_room))?;
        // Those to the host before may hang, and whoever took one would have to find that out.
        Ok((connection, if moved { self.standing.moved() } else { era }))
    }

    /// Settles what statements rely on; tells whether what is written is kept.
    pub(super) async fn prepare(&self, connection: &mut PgConnection) -> Result<(Backend, bool), sqlx::Error> {
        let (backend, weakness) = self.settle(connection).await?;
        let Some(weakness) = weakness else { return Ok((backend, true)) };
        self.standing.found(Some(weakness.clone()));
        if weakness.can_be_read() { Ok((backend, false)) } else { Err(sqlx::Error::Configuration(weakness.into())) }
    }

    /// The same for a connection that nobody writes by: what is found is told to whoever asks alone.
    pub(super) async fn settle(
        &self,
        connection: &mut PgConnection,
    ) -> Result<(Backend, Option<Weakness>), sqlx::Error> {
        let rows = sqlx::raw_sql(AssertSqlSafe(Arc::clone(&self.prepare))).fetch_all(&mut *connection).await?;
        let named = rows.last().ok_or(sqlx::Error::RowNotFound)?;
        let (process, session): (i32, String) = (named.try_get(0)?, named.try_get(1)?);
        let (backend, weakness) = look(connection, &self.look_closely).await?;
        let is_its_own = (backend.process, &backend.session) == (process, &session);
        Ok((backend, if is_its_own { weakness } else { Some(Weakness::Pooler) }))
    }

    /// Looks at a connection that is in use: what has been found since is taken down.
    pub(super) async fn look_again(&self, connection: &mut PgConnection, backend: &Backend) -> Result<(), sqlx::Error> {
        let (now, weakness) = look(connection, &self.look).await?;
        let weakness = if now == *backend { weakness } else { Some(Weakness::Pooler) };
        self.standing.found(weakness);
        Ok(())
    }

    /// A connection to look at sessions with: of these settings it needs none.
    pub(super) async fn open_to_look(&self) -> Result<PgConnection, sqlx::Error> {
        Ok(self.connect().await?.0)
    }

    pub(super) fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    /// The keys of what is written by connections.
    pub(super) fn seals(&self) -> &Seals {
        &self.seals
    }

    /// How the games lie.
    pub(super) fn spread(&self) -> Spread {
        self.spread
    }

    pub(super) fn standing(&self) -> &Standing {
        &self.standing
    }
}

async fn look(connection: &mut PgConnection, statement: &Arc<str>) -> Result<(Backend, Option<Weakness>), sqlx::Error> {
    let row = sqlx::raw_sql(AssertSqlSafe(Arc::clone(statement))).fetch_one(connection).await?;
    let backend =
        Backend { process: row.try_get("process")?, since: row.try_get("since")?, session: row.try_get("session")? };
    Ok((backend, weakness(&row)?))
}

/// What a look has found.
fn weakness(row: &PgRow) -> Result<Option<Weakness>, sqlx::Error> {
    if row.try_get("is_standby")? {
        return Ok(Some(Weakness::Standby));
    }
    if let Some(source_of_it) = row.try_get::<Option<String>, _>("read_only")? {
        return Ok(Some(Weakness::ReadOnly { source_of_it }));
    }
    let is_close = row.columns().iter().any(|column| column.name() == "astray");
    if let Some(settings) = if is_close { row.try_get("astray")? } else { None } {
        return Ok(Some(Weakness::Astray { settings }));
    }
    for (setting, right) in FORGETFUL {
        let value: String = row.try_get(setting)?;
        if value != right {
            return Ok(Some(Weakness::Forgetful { setting, value, right }));
        }
    }
    Ok(None)
}

/// Where tables are looked for: in one schema, whatever others are called.
pub(super) fn search_path(schema: &str) -> String {
    format!("\"{}\", pg_temp", schema.replace('"', "\"\""))
}

/// Settles what is wanted.
fn prepare(wanted: &[(&str, String)]) -> String {
    // A client that vanished without a word is noticed; over a socket these are always 0.
    let keepalives = [("tcp_keepalives_idle", "30".to_owned()), ("tcp_keepalives_interval", "10".to_owned())];
    let set = |(name, value): &(&str, String)| format!("set_config('{name}', {}, false)", quoted(value));
    let all: Vec<_> = wanted.iter().chain(&keepalives).map(set).collect();
    format!(
        "{AFRESH};
         set search_path = pg_catalog;
         select {};
         select set_config('synchronous_commit', 'on', false)
          where current_setting('synchronous_commit') <> 'remote_apply';
         select pg_backend_pid() as process, set_config('naval_battle.session', gen_random_uuid()::text, false)",
        all.join(", ")
    )
}

/// A look, and the settings that are not as they were wanted: `compared` has the name, the value and
/// the value that is wanted.
fn look_closely(compared: &str) -> String {
    format!(
        "{LOOK},
         (select string_agg(name || ' = ' || value, ', ') from ({compared}) as compared (name, value, wanted)
           where value <> wanted) as astray"
    )
}

/// Compares by the units of `pg_settings`.
fn compared_by_unit(wanted: &[(&str, String)]) -> String {
    let rows: Vec<_> = wanted.iter().map(|(name, value)| format!("('{name}', {})", quoted(value))).collect();
    let rows = rows.join(", ");
    format!(
        "select s.name, s.setting, w.setting from (values {rows}) w (name, setting) join pg_settings s using (name)"
    )
}

/// Compares by what is shown.
fn compared(shown: &[(String, String)]) -> String {
    let rows = shown.iter().map(|(name, value)| format!("('{name}', current_setting('{name}'), {})", quoted(value)));
    // Of the two that are enough one may stand.
    let commit = "('synchronous_commit', replace(current_setting('synchronous_commit'), 'remote_apply', 'on'), 'on')";
    format!("values {}", rows.chain([commit.to_owned()]).collect::<Vec<_>>().join(", "))
}

fn quoted(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}
