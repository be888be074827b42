use std::sync::Arc;

use sqlx::Column as _;
use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::{AssertSqlSafe, ConnectOptions as _, PgConnection, Row as _};

use super::seal::Seals;
use super::standing::{Standing, Weakness};
use crate::deadlines;

/// Makes connections: settles what statements rely on, and looks whether it stands.
///
/// Settings are asked for by statements, since poolers drop what stands in the options of a
/// connection; so neither a role nor a database nor a shell can change what a statement means.
#[derive(Clone)]
pub(super) struct Opener {
    options: PgConnectOptions,
    schema: Arc<str>,
    prepare: Arc<str>,
    look: Arc<str>,
    /// The same, and whether what was asked for stands.
    look_closely: Arc<str>,
    standing: Arc<Standing>,
    seals: Arc<Seals>,
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

/// Makes a session as good as new, whatever a pooler has kept of another, and gives it time.
pub(super) const AFRESH: &str =
    "reset all; set statement_timeout = 0; deallocate all; unlisten *; select pg_advisory_unlock_all()";

impl Opener {
    /// `schema` is where the tables are.
    pub(super) fn new(options: PgConnectOptions, schema: &str, seals: Arc<Seals>) -> Self {
        Self::settling(options, schema, Arc::default(), seals, &[])
    }

    /// One whose connections have some settings of their own.
    pub(super) fn with(&self, settings: &[(&str, &str)]) -> Self {
        let (options, standing, seals) = (self.options.clone(), Arc::clone(&self.standing), Arc::clone(&self.seals));
        Self::settling(options, &self.schema, standing, seals, settings)
    }

    fn settling(
        options: PgConnectOptions,
        schema: &str,
        standing: Arc<Standing>,
        seals: Arc<Seals>,
        own: &[(&str, &str)],
    ) -> Self {
        let times = [
            ("lock_timeout", deadlines::LOCK),
            ("statement_timeout", deadlines::STATEMENT),
            ("idle_in_transaction_session_timeout", deadlines::IDLE_IN_TRANSACTION),
        ];
        let value = |name, usual| own.iter().find(|(own, _)| *own == name).map_or(usual, |(_, value)| *value);
        let mut wanted: Vec<(&str, String)> =
            SETTINGS.map(|(name, usual)| (name, value(name, usual).to_owned())).to_vec();
        wanted.extend(times.map(|(name, time)| (name, time.as_millis().to_string())));
        wanted.push(("search_path", search_path(schema)));
        let wanted = values(&wanted);
        // A client that vanished without a word is noticed; over a socket these are always 0.
        let keepalives = values(&[("tcp_keepalives_idle", "30".into()), ("tcp_keepalives_interval", "10".into())]);
        let prepare = format!(
            "{AFRESH};
             set search_path = pg_catalog;
             select set_config(s.name, w.setting, false)
               from (values {wanted}, {keepalives}) as w (name, setting) join pg_settings s on s.name = w.name
              where s.context = 'user' or has_parameter_privilege(s.name, 'set');
             select set_config('synchronous_commit', 'on', false)
              where current_setting('synchronous_commit') <> 'remote_apply';
             select pg_backend_pid() as process, set_config('naval_battle.session', gen_random_uuid()::text, false)"
        );
        let look = "select pg_backend_pid() as process, pg_is_in_recovery() as is_standby,
                    (select extract(epoch from backend_start)::text from pg_stat_get_activity(pg_backend_pid())) as since,
                    coalesce(current_setting('naval_battle.session', true), '') as session,
                    current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
                    current_setting('zero_damaged_pages') as zero_damaged_pages,
                    current_setting('data_sync_retry') as data_sync_retry,
                    case when current_setting('default_transaction_read_only') = 'on'
                         then (select source from pg_settings where name = 'default_transaction_read_only') end as read_only"
            .to_owned();
        let look_closely = format!(
            "{look},
                    (select string_agg(s.name || ' = ' || s.setting, ', ')
                       from (values {wanted}, ('synchronous_commit', 'on')) as w (name, setting)
                       join pg_settings s on s.name = w.name
                      where s.setting <> w.setting and s.context in ('user', 'superuser')
                        and (s.context = 'user' or has_parameter_privilege(s.name, 'set'))
                        and not (s.name = 'synchronous_commit' and s.setting = 'remote_apply')) as astray"
        );
        Self {
            options,
            schema: schema.into(),
            prepare: prepare.into(),
            look: look.into(),
            look_closely: look_closely.into(),
            standing,
            seals,
        }
    }

    /// Makes a connection.
    ///
    /// # Errors
    ///
    /// Where none can be made; [`sqlx::Error::Configuration`] with a [`Weakness`] where it is of no use.
    pub(super) async fn open(&self) -> Result<Opened, sqlx::Error> {
        let era = self.standing.era();
        let mut connection = self.options.connect().await?;
        let (backend, keeps) = self.prepare(&mut connection).await?;
        Ok(Opened { connection, backend, keeps, era })
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
        self.options.connect().await
    }

    pub(super) fn options(&self) -> &PgConnectOptions {
        &self.options
    }

    /// The keys of what is written by connections.
    pub(super) fn seals(&self) -> &Seals {
        &self.seals
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

/// Names and values as rows of a statement.
fn values(settings: &[(&str, String)]) -> String {
    let rows: Vec<_> =
        settings.iter().map(|(name, value)| format!("('{name}', '{}')", value.replace('\'', "''"))).collect();
    rows.join(", ")
}
