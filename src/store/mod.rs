//! Postgres: the only room that speaks SQL.
//!
//! Every change is one autocommitted statement, so there is no transaction to forget, and a
//! change that lost its race comes back as "no row". Whoever works here holds one `Session`,
//! at most one checked-out connection, for as long as a request takes.

mod archive;
mod batch;
mod clock;
mod distributed;
mod event_row;
mod events;
mod failure;
mod game_row;
mod games;
mod gauges;
mod heartbeat;
mod hosts;
mod layouts;
mod lobby;
mod logging;
mod lost;
mod moves;
mod opener;
mod pool;
mod rematches;
mod retention;
mod rows;
mod seal;
mod snapshot;
mod standing;
mod start;
mod tables;
mod wakeups;

use std::collections::HashMap;
use std::future::Future;

use sqlx::{Connection as _, PgConnection};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use crate::deadlines::{CLOCK_CONNECTION, SESSION};
use crate::metrics::Connections;
use batch::{BatchOutcome, Batches, InFlightMove};
use pool::{CheckedOut, LastStatement, Pool};

pub(crate) use archive::Packed;
pub use batch::Sharing;
pub(crate) use distributed::NodeNumber;
pub use distributed::Spread;
pub use failure::Failure;
pub(crate) use games::{CreationKept, NewGame, Seated};
pub(crate) use heartbeat::{Beat, Gap, ONLY_PART, Part};
pub use hosts::{Hosts, Target};
pub(crate) use layouts::StoredLayout;
pub(crate) use lobby::Place;
pub(crate) use moves::{Change, IdempotencyKey, Joined, Joining, NewLayout};
pub(crate) use rematches::KeptRematch;
pub(crate) use rows::Rows;
pub use seal::{SealError, Seals};
pub(crate) use snapshot::{Repeated, Snapshot};
pub use standing::Weakness;
pub use start::{Database, StartError};
pub use wakeups::Known;

/// The games in Postgres.
#[derive(Clone)]
pub struct Store {
    pool: Pool,
    /// For wake-ups, which never compete with moves for a connection.
    side: Pool,
    /// For the clocks, which wait neither for moves nor for chores.
    clocks: Pool,
    /// For packing, deleting and counting, which nobody waits for.
    chores: Pool,
    batches: Batches,
}

/// One checked-out connection, or the right to check one out when it is needed.
pub(crate) struct Session {
    pool: Pool,
    connection: Option<CheckedOut>,
    deadline: Instant,
    /// Whether it has read with others, and should write with others.
    shares: bool,
    /// Counted for as long as it lasts, where it is there to move.
    under_way: Option<InFlightMove>,
}

const NO_ANSWER: Failure = Failure::Unavailable("no answer in time");
const NO_TURN: Failure = Failure::Unavailable("what was written before is not answered");
const NOT_KEPT: Failure = Failure::Unavailable("the database does not keep what it acknowledges");

impl Store {
    /// Checks a connection out.
    ///
    /// # Errors
    ///
    /// [`Failure::Unavailable`] when none is free or can be made within two seconds.
    pub(crate) async fn session(&self) -> Result<Session, Failure> {
        Session::of(&self.pool, Instant::now() + SESSION).await
    }

    /// Checks a connection out and reads something with it: what every request begins with.
    ///
    /// A connection that broke while it lay in the pool is replaced, since reading twice is
    /// harmless; so a restart of Postgres costs nobody an error once it is back.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer, and what `read` fails with.
    async fn read<T, R>(&self, read: impl Fn(Session) -> R) -> Result<(Session, T), Failure>
    where
        R: Future<Output = (Session, Result<T, Failure>)>,
    {
        let deadline = Instant::now() + SESSION;
        let mut spares = self.pool.most();
        loop {
            match read(Session::of(&self.pool, deadline).await?).await {
                (_, Err(failure)) if failure.broke_the_connection() && spares > 0 => spares -= 1,
                (session, found) => return Ok((session, found?)),
            }
        }
    }

    /// Checks a connection out and reads a game with it, and whether a request was carried out
    /// before.
    pub(crate) async fn load(&self, id: Uuid, request: Option<&[u8]>) -> Result<(Session, Option<Snapshot>), Failure> {
        let find = move |mut session: Session| async move {
            let found = session.find_game_wherever(id, request).await;
            (session, found)
        };
        self.read(find).await
    }

    /// Checks a connection out and reads many games with one statement, none of them named twice. Those that there are not
    /// are left out.
    pub(crate) async fn load_many(&self, ids: &[Uuid]) -> Result<(Session, HashMap<Uuid, Snapshot>), Failure> {
        let find = move |mut session: Session| async move {
            let found = session.find_games(ids).await;
            (session, found)
        };
        let (session, found) = self.read(find).await?;
        let games = found.into_iter().map(|(id, game)| Ok((id, game?))).collect::<Result<_, Failure>>()?;
        Ok((session, games))
    }

    /// Reads a game, as [`Store::load`] does, for somebody who is about to move in it: by itself, or
    /// with others where many are about to.
    pub(crate) async fn load_to_move(
        &self,
        id: Uuid,
        request: Option<&[u8]>,
    ) -> Result<(Session, Option<Snapshot>), Failure> {
        let under_way = self.batches.enter();
        if under_way.shares() {
            let mut session = Session::later(&self.pool, Instant::now() + SESSION);
            if let BatchOutcome::Answered(found) = self.batches.load(&session, id, request).await {
                (session.shares, session.under_way) = (true, Some(under_way));
                let mut found = found?;
                session.recall(found.as_mut(), request).await?;
                return Ok((session, found));
            }
        }
        let (mut session, found) = self.load(id, request).await?;
        session.under_way = Some(under_way);
        Ok((session, found))
    }

    /// A connection for the clocks: their own, or where none can be made, one of those that moves share.
    pub(crate) async fn clock_session(&self) -> Result<Session, Failure> {
        let mut own = Session::later(&self.clocks, Instant::now() + CLOCK_CONNECTION);
        if own.check_out().await.is_err() {
            return self.session().await;
        }
        own.deadline = Instant::now() + SESSION;
        Ok(own)
    }

    /// A connection for what nobody waits for.
    pub(crate) async fn chore_session(&self) -> Result<Session, Failure> {
        Session::of(&self.chores, Instant::now() + SESSION).await
    }

    /// How many games one statement may touch of so many.
    pub(crate) fn at_once(&self, most: u16) -> u16 {
        if self.batches.may_share() { most } else { 1 }
    }

    /// How the games lie.
    pub(crate) fn spread(&self) -> Spread {
        self.pool.spread()
    }

    /// Whether the database answers, has the tables of this release and keeps what it acknowledges.
    pub(crate) async fn ready(&self) -> Result<(), Failure> {
        match self.spread() {
            Spread::One => drop(self.load(Uuid::nil(), None).await?),
            // Each node answers for its own games alone.
            Spread::Nodes => drop(self.now().await?),
        }
        if self.pool.standing().is_weak() { Err(NOT_KEPT) } else { Ok(()) }
    }

    /// The connections that requests share, as they are at this moment.
    pub(crate) fn connections(&self) -> Connections {
        self.pool.connections()
    }

    /// Closes all connections, once those in use have come back.
    pub async fn close(&self) {
        self.side.close().await;
        self.clocks.close().await;
        self.chores.close().await;
        self.pool.close().await;
    }
}

impl Session {
    async fn of(pool: &Pool, deadline: Instant) -> Result<Self, Failure> {
        let mut session = Self::later(pool, deadline);
        session.check_out().await?;
        Ok(session)
    }

    /// One that checks a connection out once it is needed.
    fn later(pool: &Pool, deadline: Instant) -> Self {
        Self { pool: pool.clone(), connection: None, deadline, shares: false, under_way: None }
    }

    /// Checks a connection out, which may have broken while it lay in the pool.
    async fn check_out(&mut self) -> Result<(), Failure> {
        if self.connection.is_none() {
            let acquired = timeout_at(self.deadline, self.pool.acquire()).await;
            self.connection = Some(acquired.map_err(|_| NO_ANSWER)??);
        }
        Ok(())
    }

    /// Checks a connection out that answers; one that broke while it lay in the pool is replaced.
    async fn open(&mut self) -> Result<&mut CheckedOut, Failure> {
        let connection = match &mut self.connection {
            Some(connection) => return Ok(connection),
            none @ None => none,
        };
        let prove = async {
            loop {
                let mut acquired = self.pool.acquire().await?;
                if acquired.connection.ping().await.is_ok() {
                    return Ok(acquired);
                }
                acquired.last = LastStatement::UnderWay;
                self.pool.give_back(acquired, self.deadline);
            }
        };
        let proven: Result<_, Failure> = timeout_at(self.deadline, prove).await.map_err(|_| NO_ANSWER)?;
        Ok(connection.insert(proven?))
    }

    /// Gives the connection back before the end.
    fn close(&mut self) {
        if let Some(checked_out) = self.connection.take() {
            self.pool.give_back(checked_out, self.deadline);
        }
    }

    /// Whether a statement broke the connection.
    fn is_broken(&self) -> bool {
        self.connection.as_ref().is_some_and(|checked_out| checked_out.last != LastStatement::Answered)
    }

    /// Runs one statement that writes, once it has a turn to: so those who write leave connections to
    /// those who read.
    async fn write<T>(
        &mut self,
        statement: impl AsyncFnOnce(&mut PgConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, Failure> {
        if self.pool.standing().is_weak() {
            return Err(NOT_KEPT);
        }
        if !self.connection.as_ref().is_some_and(|held| held.may_write) {
            let turn = self.pool.turn();
            match (&mut self.connection, turn) {
                (Some(held), Some(turn)) => held.take_turn(turn),
                (_, turn) => self.open_to_write(turn).await?,
            }
        }
        if !self.open().await?.keeps {
            return Err(NOT_KEPT);
        }
        self.run(statement).await
    }

    /// Checks a connection out once there is a turn to write. Whoever held one while waiting would keep
    /// it from those who read.
    async fn open_to_write(&mut self, mut turn: Option<OwnedSemaphorePermit>) -> Result<(), Failure> {
        self.close();
        let (pool, deadline) = (&self.pool, self.deadline);
        let prove = async {
            loop {
                let turn = match turn.take() {
                    Some(turn) => turn,
                    None => pool.next_turn().await?,
                };
                let mut acquired = pool.acquire_by(turn).await?;
                if acquired.is_fresh || acquired.connection.ping().await.is_ok() {
                    return Ok(acquired);
                }
                acquired.last = LastStatement::UnderWay;
                pool.give_back(acquired, deadline);
            }
        };
        let proven: Result<_, Failure> = timeout_at(deadline, prove).await.map_err(|_| NO_TURN)?;
        self.connection = Some(proven?);
        Ok(())
    }

    /// Runs one statement; a connection that it broke never goes back to the pool.
    async fn run<T>(
        &mut self,
        statement: impl AsyncFnOnce(&mut PgConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, Failure> {
        let deadline = self.deadline;
        if Instant::now() >= deadline {
            return Err(NO_ANSWER);
        }
        let CheckedOut { connection, last, .. } = self.open().await?;
        *last = LastStatement::UnderWay;
        let Ok(answer) = timeout_at(deadline, statement(connection)).await else { return Err(NO_ANSWER) };
        let was_heard = matches!(answer, Ok(_) | Err(sqlx::Error::Database(_)));
        let answer = answer.map_err(Failure::from);
        let broke = answer.as_ref().is_err_and(Failure::broke_the_connection);
        *last = match (broke, was_heard) {
            (false, _) => LastStatement::Answered,
            (true, true) => LastStatement::Broke,
            (true, false) => LastStatement::UnderWay,
        };
        answer
    }
}

/// Gives the connection back, where there is one.
impl Drop for Session {
    fn drop(&mut self) {
        self.close();
    }
}
