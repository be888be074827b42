//! Postgres: the only room that speaks SQL.
//!
//! Every change is one autocommitted statement, so there is no transaction to forget, and a
//! change that lost its race comes back as "no row". Whoever works here holds one [`Session`],
//! one checked-out connection, for as long as a request takes.

mod clock;
mod failure;
mod games;
mod layouts;
mod log;
mod moves;
mod start;
mod stored;
mod wakeups;

use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::{PgPool, Postgres};
use uuid::Uuid;

pub use clock::Timer;
pub use failure::Failure;
pub use games::{CreationKept, NewGame};
pub use layouts::Kept;
pub use log::{Logged, Standing};
pub use moves::{Joining, Laid, Move, Stamp};
pub use start::StartError;
pub use stored::{Repeated, Stored};
pub use wakeups::Ear;

/// The games in Postgres.
#[derive(Clone)]
pub struct Store {
    pool: PgPool,
    /// For wake-ups, which never compete with moves for a connection.
    side: PgPool,
}

/// One checked-out connection.
pub struct Session {
    connection: PoolConnection<Postgres>,
}

/// After this a statement is given up by the client; Postgres itself gives up before.
const PATIENCE: Duration = Duration::from_millis(2_500);

impl Store {
    /// Checks a connection out.
    ///
    /// # Errors
    ///
    /// [`Failure::Unavailable`] when none is free or can be made within two seconds.
    pub async fn session(&self) -> Result<Session, Failure> {
        Ok(Session { connection: self.pool.acquire().await? })
    }

    /// Checks a connection out and reads a game with it, and whether a request was carried out
    /// before: what every request begins with.
    ///
    /// A connection that broke while it lay in the pool is replaced, since reading twice is
    /// harmless; so a restart of Postgres costs nobody an error once it is back.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer or the row makes no sense.
    pub async fn load(&self, id: Uuid, request: Option<&[u8]>) -> Result<(Session, Option<Stored>), Failure> {
        let mut spares = self.pool.options().get_max_connections();
        loop {
            let mut session = self.session().await?;
            match session.find_game(id, request).await {
                Err(failure) if failure.broke_the_connection() && spares > 0 => spares -= 1,
                found => return Ok((session, found?)),
            }
        }
    }

    /// Whether the database answers and has the tables of this release.
    ///
    /// # Errors
    ///
    /// [`Failure`] when not.
    pub async fn ready(&self) -> Result<(), Failure> {
        let mut spares = self.pool.options().get_max_connections();
        loop {
            let mut session = self.session().await?;
            match session.find_game(Uuid::nil(), None).await {
                Err(failure) if failure.broke_the_connection() && spares > 0 => spares -= 1,
                answer => return answer.map(|_| ()),
            }
        }
    }

    /// Closes all connections, once those in use have come back.
    pub async fn close(&self) {
        self.side.close().await;
        self.pool.close().await;
    }
}

impl Session {
    /// Runs one statement; a connection that it broke never goes back to the pool.
    async fn run<T>(
        &mut self,
        statement: impl AsyncFnOnce(&mut sqlx::PgConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, Failure> {
        let answer = match tokio::time::timeout(PATIENCE, statement(&mut self.connection)).await {
            Ok(answer) => answer.map_err(Failure::from),
            Err(_) => Err(Failure::Unavailable("no answer in time")),
        };
        if answer.as_ref().is_err_and(Failure::broke_the_connection) {
            self.connection.close_on_drop();
        }
        answer
    }
}
