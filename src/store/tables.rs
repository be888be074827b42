//! The tables: where they are, and how they come to be those of this release.

use sqlx::migrate::{Migrate as _, MigrateError, Migrator};
use sqlx::{AssertSqlSafe, PgConnection};

use super::StartError;
use super::distributed::{self, Found};
use super::opener::search_path;
use super::start::{code, reason};
use crate::deadlines;

static MIGRATIONS: Migrator = sqlx::migrate!();

/// What is read and written.
const TABLES: [&str; 9] =
    ["archives", "creations", "events", "games", "layouts", "lobby", "rematch_requests", "seals", "timers"];

/// Where a role finds tables.
struct Whereabouts {
    role: String,
    /// The first schema on its path that has ours.
    found: Option<String>,
    /// Where it would make them.
    current: Option<String>,
    /// A schema that has ours and is not on its path.
    elsewhere: Option<String>,
}

/// What came of bringing the tables up.
pub(super) struct Tables {
    /// The schema that they are in.
    pub schema: String,
    /// How they lie.
    pub found: Found,
    /// What was spread over the nodes of the database just now.
    pub spread: Vec<String>,
}

/// What becomes of tables that lie on one node of several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spreading {
    /// They stay as they are, unless others are spread already.
    AsItIs,
    /// They are spread.
    All,
}

/// Makes the tables, or brings them to this release.
pub(super) async fn bring_up(connection: &mut PgConnection, spreading: Spreading) -> Result<Tables, StartError> {
    let failed = |error: sqlx::Error| StartError::Migration(reason(&error));
    let whereabouts = find(connection).await.map_err(failed)?;
    let (schema, role) = whereabouts.settle()?;
    let settings = format!(
        "set search_path = {}; set lock_timeout = '{}s'; set statement_timeout = 0; set row_security = off;
         set client_min_messages = warning; set default_transaction_isolation = 'read committed';
         set idle_in_transaction_session_timeout = 0; set default_tablespace = '';
         set default_table_access_method = heap",
        search_path(&schema),
        deadlines::MIGRATION_LOCK.as_secs()
    );
    sqlx::raw_sql(AssertSqlSafe(settings)).execute(&mut *connection).await.map_err(failed)?;
    let forbidden = |error: sqlx::Error| match code(&error).as_deref() {
        Some("42501") => may_not(&role, &reason(&error), &schema),
        _ => failed(error),
    };
    if distributed::has_nodes(connection).await.map_err(failed)? {
        // A migration may change tables of both kinds.
        let one_by_one = "set citus.multi_shard_modify_mode = 'sequential'";
        sqlx::raw_sql(one_by_one).execute(&mut *connection).await.map_err(failed)?;
    }
    if !are_there(connection).await.map_err(forbidden)? {
        if distributed::is_worker(connection).await.map_err(failed)? {
            return Err(StartError::NoCoordinator);
        }
        migrate(connection, &schema, &role).await?;
    }
    let mut found = distributed::find(connection).await.map_err(failed)?;
    let mut spread = Vec::new();
    if spreading == Spreading::All || !found.missing.is_empty() {
        if spreading == Spreading::AsItIs && !found.is_coordinator {
            return Err(StartError::NotSpread { what: found.missing.join(", ") });
        }
        lock(connection, &schema, &role).await?;
        let done = distributed::spread(connection).await;
        connection.unlock().await.map_err(|error| failure(&error, &schema, &role))?;
        spread = done?;
        found = distributed::find(connection).await.map_err(failed)?;
    }
    check(connection, &schema, &role).await?;
    Ok(Tables { schema, found, spread })
}

async fn find(connection: &mut PgConnection) -> Result<Whereabouts, sqlx::Error> {
    sqlx::query_as!(
        Whereabouts,
        r#"with ours as (
               select n.nspname::text as name from pg_catalog.pg_namespace n join pg_catalog.pg_class c on c.relnamespace = n.oid
                where c.relname in ('_sqlx_migrations', 'games', 'events', 'layouts') group by n.nspname
               having count(*) = 4)
           select current_user::text as "role!", current_schema()::text as current,
                  (select o.name from unnest(current_schemas(false)) with ordinality as s (name, place)
                     join ours o on o.name = s.name order by s.place limit 1) as found,
                  (select min(name) from ours) as elsewhere"#
    )
    .fetch_one(connection)
    .await
}

impl Whereabouts {
    /// The schema to use, and by whom.
    fn settle(self) -> Result<(String, String), StartError> {
        let Self { role, found, current, elsewhere } = self;
        match (found, elsewhere, current) {
            (None, Some(schema), _) => Err(StartError::TablesElsewhere { schema, role }),
            (Some(schema), _, _) | (None, None, Some(schema)) => Ok((schema, role)),
            (None, None, None) => Err(StartError::Forbidden {
                remedy: format!("grant usage, create on schema public to {role}"),
                what: "use any schema on its search_path".to_owned(),
                role,
            }),
        }
    }
}

/// Whether all migrations have been carried out, and no others.
async fn are_there(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let is_known = "select to_regclass('_sqlx_migrations') is not null";
    if !sqlx::query_scalar::<_, bool>(is_known).fetch_one(&mut *connection).await? {
        return Ok(false);
    }
    let applied = "select version, checksum from _sqlx_migrations order by version";
    let applied: Vec<(i64, Vec<u8>)> = sqlx::query_as(applied).fetch_all(connection).await?;
    Ok(MIGRATIONS
        .iter()
        .map(|migration| (migration.version, &*migration.checksum))
        .eq(applied.iter().map(|(version, checksum)| (*version, &**checksum))))
}

/// Waits for the lock under which one server after the other changes tables.
async fn lock(connection: &mut PgConnection, schema: &str, role: &str) -> Result<(), StartError> {
    let Err(error) = connection.lock().await else { return Ok(()) };
    let is_held = matches!(&error, MigrateError::Execute(error) if code(error).as_deref() == Some("55P03"));
    Err(if is_held { locked(connection).await } else { failure(&error, schema, role) })
}

/// Brings the tables up; one server after the other.
async fn migrate(connection: &mut PgConnection, schema: &str, role: &str) -> Result<(), StartError> {
    lock(connection, schema, role).await?;
    let migrated = MIGRATIONS.run_direct(None, connection, false).await;
    let migrated = match migrated {
        Err(MigrateError::VersionMissing(version)) => Err(unknown(connection, version).await),
        migrated => migrated.map_err(|error| failure(&error, schema, role)),
    };
    connection.unlock().await.map_err(|error| failure(&error, schema, role))?;
    migrated
}

/// Who holds the lock for migrations.
async fn locked(connection: &mut PgConnection) -> StartError {
    let holder = sqlx::query_scalar!(
        r#"select format('process %s, application %s, since %s', a.pid, coalesce(nullif(a.application_name, ''), 'unnamed'),
                         coalesce(a.backend_start::timestamptz(0)::text, 'some time')) as "holder!"
             from pg_locks l join pg_stat_activity a on a.pid = l.pid
            where l.locktype = 'advisory' and l.granted and l.database = (
                      select oid from pg_database where datname = current_database())
            order by a.backend_start limit 1"#
    )
    .fetch_optional(connection)
    .await;
    let holder = holder.ok().flatten().unwrap_or_else(|| "it has just ended".to_owned());
    StartError::Locked { seconds: deadlines::MIGRATION_LOCK.as_secs(), holder }
}

/// A migration that this release does not know: of a later one where all of its own are there too.
async fn unknown(connection: &mut PgConnection, version: i64) -> StartError {
    let applied = sqlx::query_as("select version, checksum from _sqlx_migrations").fetch_all(connection).await;
    let applied: Vec<(i64, Vec<u8>)> = applied.unwrap_or_default();
    let is_there = |ours: &sqlx::migrate::Migration| {
        applied.iter().any(|(version, checksum)| (*version, &**checksum) == (ours.version, &*ours.checksum))
    };
    if MIGRATIONS.iter().all(is_there) {
        StartError::LaterTables { version }
    } else {
        StartError::ForeignTables { found: format!("migration {version} is none of its own") }
    }
}

/// Why a migration failed, as a sentence.
#[expect(clippy::wildcard_enum_match_arm, reason = "sqlx keeps it open which errors there are")]
fn failure(error: &MigrateError, schema: &str, role: &str) -> StartError {
    let foreign = |found: String| StartError::ForeignTables { found };
    match error {
        MigrateError::VersionMismatch(version) => foreign(format!("migration {version} has been modified")),
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => match code(error).as_deref() {
            // insufficient_privilege
            Some("42501") => may_not(role, &reason(error), schema),
            // duplicate_table, duplicate_object
            Some("42P07" | "42710") => foreign(reason(error)),
            // read_only_sql_transaction
            Some("25006") => StartError::Migration("the database is read-only".to_owned()),
            // lock_not_available
            Some("55P03") => StartError::Migration(format!(
                "another session has held a table for {} seconds",
                deadlines::MIGRATION_LOCK.as_secs()
            )),
            _ => StartError::Migration(reason(error)),
        },
        error => StartError::Migration(error.to_string()),
    }
}

fn may_not(role: &str, reason: &str, schema: &str) -> StartError {
    StartError::Forbidden {
        role: role.to_owned(),
        what: format!("migrate ({reason})"),
        remedy: format!(
            "grant usage, create on schema {schema} to {role}; grant {role} to …, or reassign the tables to it"
        ),
    }
}

/// Makes sure that the tables can be used, and keep what is written into them.
async fn check(connection: &mut PgConnection, schema: &str, role: &str) -> Result<(), StartError> {
    let failed = |error: sqlx::Error| StartError::Migration(reason(&error));
    let tables = TABLES.map(str::to_owned);
    let faults = sqlx::query!(
        r#"select c.relname::text as "name!", c.relpersistence <> 'p' as "is_unlogged!", row_security_active(c.oid) as "hides!",
                  (select string_agg(p, ', ') from unnest(array['select', 'insert', 'update', 'delete']) p
                    where not has_table_privilege(c.oid, p)) as lacks
             from unnest($1::text[]) t join pg_class c on c.oid = to_regclass(t) order by 1"#,
        &tables
    )
    .fetch_all(connection)
    .await
    .map_err(failed)?;
    for table in faults {
        let unsafe_table = |how, remedy| StartError::UnsafeTable { table: table.name.clone(), how, remedy };
        if let Some(lacks) = table.lacks {
            return Err(StartError::Forbidden {
                role: role.to_owned(),
                what: format!("{lacks} in the table {}", table.name),
                remedy: format!("grant select, insert, update, delete on all tables in schema {schema} to {role}"),
            });
        }
        if table.hides {
            let remedy = format!("alter table {} disable row level security", table.name);
            return Err(unsafe_table("guarded by row security, which hides rows", remedy));
        }
        if table.is_unlogged {
            return Err(unsafe_table(
                "unlogged, and would be empty after a crash",
                format!("alter table {} set logged", table.name),
            ));
        }
    }
    Ok(())
}
