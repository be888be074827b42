use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

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
#[derive(Clone)]
pub(super) struct Pool {
    all: PgPool,
    places: Arc<Semaphore>,
    /// The last one back is the first to go; none any more once the pool is closed.
    ready: Arc<Mutex<Option<Vec<PoolConnection<Postgres>>>>>,
}

/// A connection checked out.
pub(super) struct CheckedOut {
    pub connection: PoolConnection<Postgres>,
    pub last: LastStatement,
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
        Ok(CheckedOut { connection: self.connection().await?, last: LastStatement::Answered, place })
    }

    /// One that waits, else a new one, else one that came back meanwhile.
    async fn connection(&self) -> Result<PoolConnection<Postgres>, sqlx::Error> {
        if let Some(ready) = self.take_ready() {
            return Ok(ready);
        }
        let mut opening = pin!(self.all.acquire());
        match timeout(deadlines::NEW_CONNECTION, &mut opening).await {
            Ok(opened) => opened.or_else(|failed| self.take_ready().ok_or(failed)),
            Err(_) => match self.take_ready() {
                Some(ready) => Ok(ready),
                None => opening.await,
            },
        }
    }

    /// The last one that came back.
    fn take_ready(&self) -> Option<PoolConnection<Postgres>> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner).as_mut()?.pop()
    }

    /// Gives a connection back, or closes a broken one.
    pub(super) fn give_back(&self, checked_out: CheckedOut) {
        let CheckedOut { mut connection, last, place } = checked_out;
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        match (last, ready.as_mut()) {
            (LastStatement::Answered, Some(ready)) => ready.push(connection),
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
        ready.into_iter().flatten().for_each(test);
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
