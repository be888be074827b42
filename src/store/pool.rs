use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{PgPool, Postgres};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::deadlines;
use crate::metrics::Connections;

/// The connections that requests share.
///
/// They are made and counted by sqlx's pool. That has Postgres answer once more on each connection
/// that comes back, since a statement may have been broken off on it; here those on which every
/// statement was answered wait for the next one without that.
///
/// An answer is noticed by the thread that opened the connection, which has to wake the one that
/// waits for it, where that is another; so every thread uses its own as far as it has any.
#[derive(Clone)]
pub(super) struct Pool {
    all: PgPool,
    places: Arc<Semaphore>,
    /// The last one back is the first to go; none any more once the pool is closed.
    ready: Arc<Mutex<Option<Vec<Ready>>>>,
}

/// A connection that waits for the next statement.
struct Ready {
    connection: PoolConnection<Postgres>,
    home: ThreadId,
}

/// A connection checked out.
pub(super) struct CheckedOut {
    pub connection: PoolConnection<Postgres>,
    pub last: LastStatement,
    /// The thread that opened it.
    home: ThreadId,
    /// Others may go on once this is dropped.
    place: OwnedSemaphorePermit,
}

/// What became of the last statement on a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LastStatement {
    /// It was answered, or there was none.
    Answered,
    /// It is under way, or was broken off.
    UnderWay,
    /// It broke the connection.
    Broke,
}

impl Pool {
    /// A pool that connects when it has to.
    pub(super) fn new(options: PgConnectOptions, connections: u32) -> Self {
        let all = PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(deadlines::CONNECTION)
            .test_before_acquire(false)
            .max_lifetime(None)
            .idle_timeout(deadlines::IDLE_CONNECTION)
            .acquire_slow_level(::log::LevelFilter::Debug)
            .connect_lazy_with(options);
        let places = Arc::new(Semaphore::new(usize::try_from(connections).unwrap_or(Semaphore::MAX_PERMITS)));
        Self { all, places, ready: Arc::new(Mutex::new(Some(Vec::new()))) }
    }

    /// Checks a connection out; whoever waits longest is served first. It may have broken while it
    /// lay in the pool.
    ///
    /// # Errors
    ///
    /// Where none is free in time, none can be made, or the pool is closed.
    pub(super) async fn acquire(&self) -> Result<CheckedOut, sqlx::Error> {
        let place = timeout(deadlines::CONNECTION, Arc::clone(&self.places).acquire_owned()).await;
        let place = place.map_err(|_| sqlx::Error::PoolTimedOut)?.map_err(|_| sqlx::Error::PoolClosed)?;
        let Ready { connection, home } = self.connection().await?;
        Ok(CheckedOut { connection, last: LastStatement::Answered, home, place })
    }

    /// One of this thread, a new one, or one of another thread, whichever can be had first.
    async fn connection(&self) -> Result<Ready, sqlx::Error> {
        let here = thread::current().id();
        if let Some(own) = self.take_ready(|home| home == here) {
            return Ok(own);
        }
        let mut opening = pin!(self.all.acquire());
        if self.all.size() < self.most()
            && let Ok(opened) = timeout(deadlines::NEW_CONNECTION, &mut opening).await
        {
            let own = opened.map(|connection| Ready { connection, home: here });
            return own.or_else(|failed| self.take_ready(|_| true).ok_or(failed));
        }
        match self.take_ready(|_| true) {
            Some(any) => Ok(any),
            None => Ok(Ready { connection: opening.await?, home: here }),
        }
    }

    /// The last one that came back of those whose thread will do.
    fn take_ready(&self, will_do: impl Fn(ThreadId) -> bool) -> Option<Ready> {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let ready = ready.as_mut()?;
        let at = ready.iter().rposition(|ready| will_do(ready.home))?;
        Some(ready.remove(at))
    }

    /// Gives a connection back, or closes a broken one.
    pub(super) fn give_back(&self, checked_out: CheckedOut) {
        let CheckedOut { mut connection, last, home, place } = checked_out;
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        match (last, ready.as_mut()) {
            (LastStatement::Answered, Some(ready)) => ready.push(Ready { connection, home }),
            (LastStatement::Answered | LastStatement::UnderWay, _) => test(connection),
            (LastStatement::Broke, _) => connection.close_on_drop(),
        }
        drop(ready);
        drop(place);
    }

    /// The pool beneath, for whoever takes a connection for good.
    pub(super) fn sqlx(&self) -> &PgPool {
        &self.all
    }

    /// How many may be checked out.
    pub(super) fn most(&self) -> u32 {
        self.all.options().get_max_connections()
    }

    /// The connections as they are at this moment.
    pub(super) fn connections(&self) -> Connections {
        let ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, Vec::len);
        let (all, idle) = (u64::from(self.all.size()), self.all.num_idle() + ready);
        let idle = u64::try_from(idle).unwrap_or(all).min(all);
        Connections { busy: all - idle, idle }
    }

    /// Closes all connections, once those in use have come back.
    pub(super) async fn close(&self) {
        self.places.close();
        let ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner).take();
        for ready in ready.into_iter().flatten() {
            test(ready.connection);
        }
        self.all.close().await;
    }
}

/// Gives a connection back to the pool beneath, which has Postgres answer on it first.
///
/// That would be waited for without end: one by one a Postgres that went away without a word would
/// take all connections with it. Here it has as long as a session has.
fn test(mut connection: PoolConnection<Postgres>) {
    tokio::spawn(timeout(deadlines::SESSION, connection.return_to_pool()));
}
