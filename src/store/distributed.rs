//! A distributed Postgres: how tables and functions are spread over its nodes, and where a game lies.
//!
//! It is Citus, an extension of Postgres. Nothing here is asked for where the database is not distributed.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, PgConnection, Row as _};
use uuid::Uuid;

use super::start::reason;
use super::{Failure, ONLY_PART, Part, Place, Session, Snapshot, StartError, Store};
use crate::deadlines;

/// How the rows lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spread {
    /// On one Postgres.
    One,
    /// Those of each game on some node.
    Nodes,
}

/// The tables and by which column their rows are spread; none where each node has all of them.
///
/// All rows of a game lie on one node, with the beats of that part of the database. A creation is found by its key,
/// before its game is known. What is read at a start and hardly ever written has a copy on each node.
const TABLES: [(&str, Option<&str>); 12] = [
    ("games", Some("game_id")),
    ("events", Some("game_id")),
    ("layouts", Some("game_id")),
    ("archives", Some("game_id")),
    ("timers", Some("game_id")),
    ("lobby", Some("game_id")),
    ("rematch_requests", Some("game_id")),
    ("heartbeat", Some("place")),
    ("gaps", Some("place")),
    ("creations", Some("key")),
    ("seals", None),
    ("_sqlx_migrations", None),
];

/// The functions that run on the node of their first argument.
const FUNCTIONS: [&str; 10] = [
    "append_event",
    "append_events",
    "append_layout",
    "append_player",
    "insert_game",
    "set_timer",
    "put_off",
    "pack",
    "delete_game",
    "beat",
];

/// What was found of a database.
pub(super) struct Found {
    pub spread: Spread,
    /// What is not spread over the nodes and should be.
    pub missing: Vec<String>,
    /// Whether the tables can be changed here.
    pub is_coordinator: bool,
    /// The release of the extension, and how many nodes keep games.
    pub version: String,
    pub nodes: i64,
}

impl Found {
    const SINGLE: Self =
        Self { spread: Spread::One, missing: Vec::new(), is_coordinator: true, version: String::new(), nodes: 0 };

    /// One line for the log.
    pub(super) fn told(&self) -> Option<String> {
        (self.spread == Spread::Nodes).then(|| {
            format!(
                "the database is distributed over {} nodes by Citus {}: each move goes alone, and streams look for moves",
                self.nodes, self.version
            )
        })
    }
}

/// Whether the database has the extension.
pub(super) async fn has_nodes(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let known = "select exists (select from pg_catalog.pg_extension where extname = 'citus')";
    sqlx::query_scalar(known).fetch_one(connection).await
}

/// Whether changes of tables have to be asked for elsewhere.
pub(super) async fn is_worker(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    if !has_nodes(&mut *connection).await? {
        return Ok(false);
    }
    sqlx::query_scalar("select groupid <> 0 from pg_catalog.pg_dist_local_group").fetch_one(connection).await
}

/// Looks how the tables lie, which are there.
pub(super) async fn find(connection: &mut PgConnection) -> Result<Found, sqlx::Error> {
    if !has_nodes(&mut *connection).await? {
        return Ok(Found::SINGLE);
    }
    let facts = "select extversion, (select groupid = 0 from pg_catalog.pg_dist_local_group),
                        (select count(*) from pg_catalog.pg_dist_node
                          where noderole = 'primary' and isactive and shouldhaveshards),
                        exists (select from pg_catalog.pg_dist_partition where logicalrelid = to_regclass('games'))
                   from pg_catalog.pg_extension where extname = 'citus'";
    let facts = sqlx::query(facts).fetch_one(&mut *connection).await?;
    if !facts.try_get::<bool, _>(3)? {
        return Ok(Found::SINGLE);
    }
    Ok(Found {
        spread: Spread::Nodes,
        missing: missing(connection).await?,
        version: facts.try_get(0)?,
        is_coordinator: facts.try_get(1)?,
        nodes: facts.try_get(2)?,
    })
}

/// The tables and functions that are not spread.
async fn missing(connection: &mut PgConnection) -> Result<Vec<String>, sqlx::Error> {
    let missing = "select t from unnest($1::text[]) t
                    where not exists (select from pg_catalog.pg_dist_partition where logicalrelid = to_regclass(t))
                   union all
                   select f from unnest($2::text[]) f
                    where not exists (select from pg_catalog.pg_dist_object o join pg_catalog.pg_proc p on p.oid = o.objid
                                       where o.classid = 'pg_proc'::regclass and o.distribution_argument_index = 0
                                         and p.proname = f and p.pronamespace = current_schema()::regnamespace
                                         and exists (select from unnest(p.proconfig) s where s like 'lock_timeout=%'))";
    sqlx::query_scalar(missing)
        .bind(TABLES.map(|(table, _)| table.to_owned()).to_vec())
        .bind(FUNCTIONS.map(str::to_owned).to_vec())
        .fetch_all(connection)
        .await
}

/// Spreads what is not yet spread, and tells what that was. The migrations have been carried out.
pub(super) async fn spread(connection: &mut PgConnection) -> Result<Vec<String>, StartError> {
    let failed = |error: sqlx::Error| StartError::Migration(reason(&error));
    if !has_nodes(&mut *connection).await.map_err(failed)? {
        return Err(StartError::NoNodes);
    }
    if is_worker(&mut *connection).await.map_err(failed)? {
        return Err(StartError::NoCoordinator);
    }
    let missing = missing(&mut *connection).await.map_err(failed)?;
    let is_missing = |name: &str| missing.iter().any(|missing| missing == name);
    for (table, column) in TABLES.into_iter().filter(|(table, _)| is_missing(table)) {
        let statement = match (table, column) {
            (_, None) => format!("select create_reference_table('{table}')"),
            ("games", Some(column)) => format!("select create_distributed_table('{table}', '{column}')"),
            (_, Some("key")) => {
                format!("select create_distributed_table('{table}', 'key', colocate_with => 'none')")
            }
            (_, Some(column)) => {
                format!("select create_distributed_table('{table}', '{column}', colocate_with => 'games')")
            }
        };
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *connection).await.map_err(failed)?;
    }
    for function in FUNCTIONS.into_iter().filter(|function| is_missing(function)) {
        // Nodes do not pass on for how long a row is waited for, and a function that is replaced knows it no more.
        let statement = format!(
            "do $do$
             declare
                 signature text := '{function}'::regproc::regprocedure;
             begin
                 if not exists (select from pg_catalog.pg_dist_object
                                 where classid = 'pg_proc'::regclass and objid = signature::regprocedure
                                   and distribution_argument_index = 0) then
                     perform create_distributed_function(
                         signature::regprocedure, proargnames[1], colocate_with := 'games', force_delegation := false)
                        from pg_catalog.pg_proc where oid = signature::regprocedure;
                 end if;
                 execute 'alter function ' || signature || ' set lock_timeout = ''{}ms''';
             end $do$",
            deadlines::LOCK.as_millis()
        );
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *connection).await.map_err(failed)?;
    }
    Ok(missing)
}

/// A timer as it was found without being taken.
pub(crate) struct Timer {
    /// The game whose timer it is.
    pub game: Uuid,
    /// When the game is to be looked at.
    pub at: DateTime<Utc>,
    /// Whether it leads to packing; else to a clock.
    pub packs: bool,
}

/// The shards of the games, with the hashes of ids that lie in each.
const SHARDS: &str = "select p.groupid, s.shardid, s.shardminvalue::int4 as first, s.shardmaxvalue::int4 as last
      from pg_catalog.pg_dist_shard s join pg_catalog.pg_dist_placement p using (shardid)
     where s.logicalrelid = 'games'::regclass";

/// A node of the database, by its number.
pub(crate) type NodeNumber = i32;

/// The number of a Postgres that is alone.
const ONLY: NodeNumber = 0;

impl Store {
    /// The nodes that are out of reach by themselves, each with its part of the database.
    pub(crate) async fn list_parts(&self) -> Result<Vec<(NodeNumber, Part)>, Failure> {
        match self.spread() {
            Spread::One => Ok(vec![(ONLY, ONLY_PART)]),
            Spread::Nodes => self.side_session().await?.list_parts().await,
        }
    }

    /// Lists games that can be joined as `list_offers` does, of those nodes that answer.
    pub(super) async fn list_reachable_offers(
        &self,
        behind: Option<Place>,
        limit: u16,
    ) -> Result<Vec<(Place, Option<Snapshot>)>, Failure> {
        let mut session = self.session().await?;
        let (at, id) = behind.map_or(("infinity".to_owned(), Uuid::max()), |(at, id)| (at.to_rfc3339(), id));
        let rows = session
            .ask_those_that_answer(
                "lobby",
                &format!(
                    "select game_id, extract(epoch from created_at) from %s
                      where (created_at, game_id) < ('{at}'::timestamptz, '{id}') order by created_at desc, game_id desc
                      limit {limit}"
                ),
            )
            .await?;
        let mut listed: Vec<(f64, Uuid)> = rows
            .iter()
            .filter_map(|row| {
                let (game, seconds) = row.split_once(',')?;
                Some((seconds.parse().ok()?, Uuid::try_parse(game).ok()?))
            })
            .collect();
        listed.sort_by(|one, other| other.0.total_cmp(&one.0).then(other.1.cmp(&one.1)));
        let mut offers = Vec::new();
        for (_, game) in listed.into_iter().take(limit.into()) {
            match session.find_game(game, None).await {
                Ok(Some(stored)) if stored.due_at.is_some_and(|due_at| due_at > stored.now) => {
                    offers.push(((stored.created_at, game), Some(stored)));
                }
                Ok(_) | Err(Failure::Away) => {}
                Err(failure) => return Err(failure),
            }
        }
        Ok(offers)
    }
}

impl Session {
    /// An id lies in the part that it stands for: in the first shard of the node, in an order that all servers agree on.
    async fn list_parts(&mut self) -> Result<Vec<(NodeNumber, Part)>, Failure> {
        let parts = format!(
            "with shards as ({SHARDS}),
                  ids as (select n, lpad(to_hex(n), 32, '0')::uuid as id from generate_series(1, 4096) n)
             select distinct on (s.groupid) s.groupid, i.id
               from (select distinct on (groupid) * from shards order by groupid, shardid) s
               join ids i on pg_catalog.worker_hash(i.id) between s.first and s.last
              order by s.groupid, i.n"
        );
        self.run(async |connection| sqlx::query_as(AssertSqlSafe(parts)).fetch_all(connection).await).await
    }

    /// The node on which a game lies.
    pub(crate) async fn node_of(&mut self, game: Uuid) -> Result<NodeNumber, Failure> {
        if self.pool.spread() == Spread::One {
            return Ok(ONLY);
        }
        let node = format!(
            "select groupid from ({SHARDS}) s, pg_catalog.worker_hash($1::uuid) as hash where hash between s.first and s.last"
        );
        self.run(async |connection| sqlx::query_scalar(AssertSqlSafe(node)).bind(game).fetch_one(connection).await)
            .await
    }

    /// Under which further name a creation is kept, on another node than under its own; none where there is no other.
    pub(super) async fn other_slot(&mut self, key: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
        if self.pool.spread() == Spread::One {
            return Ok(None);
        }
        let other = "with places as (
                         select p.groupid, s.shardminvalue::int4 as first, s.shardmaxvalue::int4 as last
                           from pg_catalog.pg_dist_shard s join pg_catalog.pg_dist_placement p using (shardid)
                          where s.logicalrelid = 'creations'::regclass),
                     slots as (select n, sha256($1::bytea || int4send(n)) as key from generate_series(1, 64) n)
                     select s.key from slots s
                       join places p on pg_catalog.worker_hash(s.key) between p.first and p.last
                      where p.groupid <> (select groupid from places
                                           where pg_catalog.worker_hash($1::bytea) between first and last)
                      order by s.n limit 1";
        self.run(async |connection| sqlx::query_scalar(other).bind(key).fetch_optional(connection).await).await
    }

    /// Lists timers that go off until so many seconds from now, first those that have been due for longest. Where a node
    /// does not answer those of the others are listed.
    pub(crate) async fn list_timers(&mut self, ahead: f64, most: u16) -> Result<Vec<Timer>, Failure> {
        let all = "select game_id, check_at, kind from timers
                    where kind in (0, 1) and check_at <= statement_timestamp() + make_interval(secs => $1)
                    order by check_at limit $2";
        let found: Result<Vec<(Uuid, DateTime<Utc>, i16)>, _> = self
            .run(async |connection| sqlx::query_as(all).bind(ahead).bind(i64::from(most)).fetch_all(connection).await)
            .await;
        let rows = match found {
            Err(Failure::Away) => {
                let some = format!(
                    "select game_id, extract(epoch from check_at), kind from %s
                      where kind in (0, 1) and check_at <= statement_timestamp() + make_interval(secs => {ahead})
                      order by check_at limit {most}"
                );
                let rows = self.ask_those_that_answer("timers", &some).await?;
                rows.iter().filter_map(|row| timer(row)).collect()
            }
            found => found?,
        };
        Ok(rows.into_iter().map(|(game, at, kind)| Timer { game, at, packs: kind == 1 }).collect())
    }

    /// Forgets the timer of a game that is gone.
    pub(crate) async fn forget_timer(&mut self, game: Uuid) -> Result<(), Failure> {
        self.write(async |connection| {
            sqlx::query!("delete from timers where game_id = $1", game).execute(connection).await
        })
        .await
        .map(drop)
    }

    /// Lists games that were kept for their time since their end, oldest first.
    pub(crate) async fn list_kept(&mut self, aborted: bool, keep: Duration, most: u16) -> Result<Vec<Uuid>, Failure> {
        self.run(async |connection| {
            sqlx::query_scalar!(
                "select game_id from archives
                  where aborted = $1 and kept_since <= statement_timestamp() - make_interval(secs => $2)
                  order by kept_since limit $3",
                aborted,
                keep.as_secs_f64(),
                i64::from(most)
            )
            .fetch_all(connection)
            .await
        })
        .await
    }

    /// Deletes a game, first what leads to it.
    pub(crate) async fn delete_one(&mut self, game: Uuid) -> Result<(), Failure> {
        let parent = self
            .run(async |connection| {
                sqlx::query_scalar!("select rematch_of from games where game_id = $1", game)
                    .fetch_optional(connection)
                    .await
            })
            .await?;
        if let Some(parent) = parent.flatten() {
            self.write(async |connection| {
                sqlx::query!(
                    "update games set next_game_id = null where game_id = $1 and next_game_id = $2",
                    parent,
                    game
                )
                .execute(connection)
                .await
            })
            .await?;
            self.write(async |connection| {
                sqlx::query!("delete from rematch_requests where game_id = $1 and next_game_id = $2", parent, game)
                    .execute(connection)
                    .await
            })
            .await?;
        }
        self.write(async |connection| {
            sqlx::query!("delete from creations where game_id = $1", game).execute(connection).await
        })
        .await?;
        self.write(async |connection| sqlx::query!("select delete_game($1)", game).execute(connection).await)
            .await
            .map(drop)
    }

    /// Forgets creations of games that were created more than a day ago: their ids are in the order of time.
    pub(crate) async fn forget_old_creations(&mut self) -> Result<(), Failure> {
        self.write(async |connection| {
            sqlx::query!("delete from creations where created_at < statement_timestamp() - interval '24 hours'")
                .execute(connection)
                .await
        })
        .await
        .map(drop)
    }

    /// Asks each part of a table, `%s` in the statement, that is on a node which answers. Each row comes as its values
    /// with commas between them.
    async fn ask_those_that_answer(&mut self, table: &str, statement: &str) -> Result<Vec<String>, Failure> {
        let command = format!("select string_agg(trim(both '()' from r::text), ' ') from ({statement}) r");
        let ask = "select result from pg_catalog.run_command_on_placements($1::text::regclass, $2) where success";
        let answers: Vec<Option<String>> = self
            .run(async |connection| sqlx::query_scalar(ask).bind(table).bind(&command).fetch_all(connection).await)
            .await?;
        Ok(answers.iter().flatten().flat_map(|answer| answer.split_whitespace()).map(str::to_owned).collect())
    }
}

/// A timer as a node has written it.
fn timer(row: &str) -> Option<(Uuid, DateTime<Utc>, i16)> {
    let mut values = row.split(',');
    let (game, seconds, kind) = (values.next()?, values.next()?, values.next()?);
    let (whole, rest) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let nanos = format!("{rest:0<9}").get(..9)?.parse().ok()?;
    Some((Uuid::try_parse(game).ok()?, DateTime::from_timestamp(whole.parse().ok()?, nanos)?, kind.parse().ok()?))
}
