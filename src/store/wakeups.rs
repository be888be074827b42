use std::slice;

use sqlx::PgConnection;
use sqlx::postgres::PgListener;
use tokio::time::Instant;
use uuid::Uuid;

use super::{Failure, Session, Store};
use crate::deadlines::SESSION;

/// The channel on which servers notify each other of games that have grown.
const CHANNEL: &str = "naval_battle";

/// How far a game is known to have come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// The `seq` of its last event.
    pub version: u32,
    /// How many rematches it has had: they change it without an event.
    pub rematches: u32,
}

/// Receives the notifications of other servers.
pub(crate) struct Listener {
    listener: PgListener,
}

impl Store {
    /// Begins to listen, on a connection of its own.
    pub(crate) async fn listen(&self) -> Result<Listener, Failure> {
        let mut listener = self.side.listener().await?;
        listener.ignore_pool_close_event(false);
        listener.listen(CHANNEL).await?;
        Ok(Listener { listener })
    }

    /// Notifies all servers; outside of any move, since `NOTIFY` takes a global lock at
    /// commit.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer. Nobody then gets it.
    pub(crate) async fn notify(&self, text: &str) -> Result<(), Failure> {
        let notify = async |connection: &mut PgConnection| {
            sqlx::query!("select pg_notify($1, $2)", CHANNEL, text).execute(connection).await
        };
        self.side_session().await?.write(notify).await?;
        Ok(())
    }

    /// Reads how far many games have come. Where some lie on a node that does not answer, the others are read.
    pub(crate) async fn list_known(&self, games: &[Uuid]) -> Result<Vec<(Uuid, Known)>, Failure> {
        match self.list_known_at_once(games).await {
            Err(Failure::Away) => {}
            found => return found,
        }
        let mut known = Vec::new();
        for game in games {
            match self.list_known_at_once(slice::from_ref(game)).await {
                Err(Failure::Away) => {}
                found => known.extend(found?),
            }
        }
        Ok(known)
    }

    async fn list_known_at_once(&self, games: &[Uuid]) -> Result<Vec<(Uuid, Known)>, Failure> {
        let list = async |connection: &mut PgConnection| {
            sqlx::query!(
                r#"select game_id, version,
                          case when next_game_id is null then 0::int2 else greatest(rematches, 1::int2) end as "rematches!"
                     from games where game_id = any($1)"#,
                games
            )
            .fetch_all(connection)
            .await
        };
        let rows = self.side_session().await?.run(list).await?;
        rows.into_iter()
            .map(|row| {
                let game = row.game_id;
                let inconsistent = |column| move |_| Failure::Inconsistent { table: "games", column, game };
                let version = u32::try_from(row.version).map_err(inconsistent("version"))?;
                let rematches = u32::try_from(row.rematches).map_err(inconsistent("rematches"))?;
                Ok((game, Known { version, rematches }))
            })
            .collect()
    }
}

impl Store {
    pub(super) async fn side_session(&self) -> Result<Session, Failure> {
        Session::of(&self.side, Instant::now() + SESSION).await
    }
}

impl Listener {
    /// Waits for the next notification; none where something may have been missed.
    pub(crate) async fn next(&mut self) -> Result<Option<String>, Failure> {
        Ok(self.listener.try_recv().await?.map(|received| received.payload().to_owned()))
    }
}
