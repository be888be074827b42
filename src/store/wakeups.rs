use sqlx::PgConnection;
use sqlx::postgres::PgListener;
use tokio::time::Instant;
use uuid::Uuid;

use super::{Failure, Session, Store};
use crate::deadlines::SESSION;

/// The channel on which servers notify each other of games that have grown.
const CHANNEL: &str = "naval_battle";

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

    /// Reads the versions of many games.
    pub(crate) async fn list_versions(&self, games: &[Uuid]) -> Result<Vec<(Uuid, u32)>, Failure> {
        let list = async |connection: &mut PgConnection| {
            sqlx::query!("select game_id, version from games where game_id = any($1)", games)
                .fetch_all(connection)
                .await
        };
        let rows = self.side_session().await?.run(list).await?;
        rows.into_iter()
            .map(|row| {
                let inconsistent = |_| Failure::Inconsistent { table: "games", column: "version", game: row.game_id };
                Ok((row.game_id, u32::try_from(row.version).map_err(inconsistent)?))
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
