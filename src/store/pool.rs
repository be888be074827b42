use std::sync::{Arc, Mutex, PoisonError, Weak};

use sqlx::postgres::{PgListener, PgPoolOptions};
use sqlx::{Connection as _, PgConnection, PgPool};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

use super::distributed::Spread;
use super::lost::{self, Witness};
use super::opener::{Backend, Opened, Opener};
use super::seal::Seals;
use super::standing::{Standing, Weakness};
use crate::deadlines;
use crate::metrics::Connections;

/// The connections that requests share.
///
/// Whoever wants one takes a place, and then what comes first: a connection that came back, or a new
/// one. A place and its connection are taken until Postgres has answered on it, or its session is
/// known to be over: so sessions that hang are never more than there are places.
#[derive(Clone)]
pub(super) struct Pool(Arc<Shared>);

pub(super) struct Shared {
    opener: Opener,
    most: u32,
    /// Whether it keeps none that others could use where Postgres has no more.
    yields: bool,
    /// Who may have a connection.
    places: Arc<Semaphore>,
    /// Who may write: some places are left to those who read, however long a commit takes.
    turns: Arc<Semaphore>,
    /// Who may open a connection; each has one for as long as it lives.
    slots: Arc<Semaphore>,
    /// As many as are ready.
    count: Semaphore,
    /// The last one back is the first to go; none any more once the pool is closed.
    ready: Mutex<Option<Vec<Connected>>>,
    /// Nobody opens one before, since Postgres has just let nobody in.
    opens_at: Mutex<Instant>,
    /// Connects for whoever listens.
    listening: PgPool,
    pub(super) witness: Witness,
}

/// A connection that is nobody's.
struct Connected {
    connection: PgConnection,
    backend: Backend,
    keeps: bool,
    era: u64,
    since: Instant,
    slot: OwnedSemaphorePermit,
}

/// A connection checked out.
pub(super) struct CheckedOut {
    pub connection: PgConnection,
    pub last: LastStatement,
    /// The session behind it.
    pub backend: Backend,
    /// Whether what is written by it is kept.
    pub keeps: bool,
    /// Whether it is there to write by: with a turn in place of a place.
    pub may_write: bool,
    /// Whether Postgres has just answered on it.
    pub is_fresh: bool,
    era: u64,
    slot: OwnedSemaphorePermit,
    /// Others may go on once this is dropped.
    permit: OwnedSemaphorePermit,
}

/// What became of the last statement on a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LastStatement {
    /// It was answered, or there was none.
    Answered,
    /// It is under way, was broken off, or its answer was lost.
    UnderWay,
    /// It was answered in a way that leaves the connection of no use.
    Broke,
}

impl Pool {
    /// A pool that connects when it has to.
    pub(super) fn new(opener: Opener, connections: u32) -> Self {
        Self::of(opener, connections, false)
    }

    /// One whose connections are closed after each use while Postgres has no room for those of others.
    pub(super) fn yielding(opener: Opener, connections: u32) -> Self {
        Self::of(opener, connections, true)
    }

    fn of(opener: Opener, connections: u32, yields: bool) -> Self {
        let most = usize::try_from(connections).unwrap_or(Semaphore::MAX_PERMITS);
        let [places, slots] = [most; 2].map(|permits| Arc::new(Semaphore::new(permits)));
        // One of three, so that reading goes on.
        let turns = most.saturating_sub(most.div_ceil(3)).max(1);
        let shared = Arc::new(Shared {
            listening: listening(&opener),
            witness: Witness::new(opener.clone()),
            opener,
            most: connections,
            yields,
            places,
            turns: Arc::new(Semaphore::new(turns)),
            slots,
            count: Semaphore::new(0),
            ready: Mutex::new(Some(Vec::new())),
            opens_at: Mutex::new(Instant::now()),
        });
        tokio::spawn(tidy(Arc::downgrade(&shared)));
        Self(shared)
    }

    /// Checks a connection out; whoever waits longest is served first. It may have broken while it
    /// lay in the pool.
    ///
    /// # Errors
    ///
    /// Where none is free in time, none can be made, or the pool is closed.
    pub(super) async fn acquire(&self) -> Result<CheckedOut, sqlx::Error> {
        let deadline = Instant::now() + deadlines::CONNECTION;
        let place = timeout_at(deadline, Arc::clone(&self.0.places).acquire_owned()).await;
        let place = place.map_err(|_| sqlx::Error::PoolTimedOut)?.map_err(|_| sqlx::Error::PoolClosed)?;
        self.check_out(place, false, deadline).await
    }

    /// The same for somebody who has a turn to write, and needs no place besides.
    pub(super) async fn acquire_by(&self, turn: OwnedSemaphorePermit) -> Result<CheckedOut, sqlx::Error> {
        self.check_out(turn, true, Instant::now() + deadlines::CONNECTION).await
    }

    async fn check_out(
        &self,
        permit: OwnedSemaphorePermit,
        may_write: bool,
        deadline: Instant,
    ) -> Result<CheckedOut, sqlx::Error> {
        let mut failed = sqlx::Error::PoolTimedOut;
        let connected = timeout_at(deadline, self.connection(&mut failed)).await;
        let Connected { connection, backend, keeps, era, since, slot } = connected.unwrap_or(Err(failed))?;
        let is_fresh = since.elapsed() < deadlines::FRESH;
        Ok(CheckedOut {
            connection,
            last: LastStatement::Answered,
            backend,
            keeps,
            may_write,
            is_fresh,
            era,
            slot,
            permit,
        })
    }

    /// What comes first: one that came back, or a new one. Where none can be made it goes on waiting,
    /// and `failed` tells why.
    async fn connection(&self, failed: &mut sqlx::Error) -> Result<Connected, sqlx::Error> {
        loop {
            tokio::select! {
                biased;
                ready = self.take_ready() => return ready,
                opened = self.open() => match opened {
                    Err(error) if passes(&error) => *failed = error,
                    opened => return opened,
                },
            }
        }
    }

    /// Waits for one that came back; the last one is the first to go.
    async fn take_ready(&self) -> Result<Connected, sqlx::Error> {
        loop {
            self.0.count.acquire().await.map_err(|_| sqlx::Error::PoolClosed)?.forget();
            let ready = self.0.ready.lock().unwrap_or_else(PoisonError::into_inner).as_mut().and_then(Vec::pop);
            match ready {
                Some(ready) if ready.era == self.0.opener.standing().era() => return Ok(ready),
                Some(outdated) => outdated.part(),
                None => return Err(sqlx::Error::PoolClosed),
            }
        }
    }

    /// Waits until one may be opened, and opens it. It goes on where nobody waits for it any more, and
    /// is then ready for others.
    async fn open(&self) -> Result<Connected, sqlx::Error> {
        let slot = Arc::clone(&self.0.slots).acquire_owned().await.map_err(|_| sqlx::Error::PoolClosed)?;
        let opens_at = *self.0.opens_at.lock().unwrap_or_else(PoisonError::into_inner);
        sleep_until(opens_at).await;
        let (teller, told) = oneshot::channel();
        let pool = self.clone();
        tokio::spawn(async move {
            let opened = timeout(deadlines::FIRST_CONNECTION, pool.0.opener.open()).await;
            let opened = opened.unwrap_or(Err(sqlx::Error::PoolTimedOut)).map(|opened| Connected::new(opened, slot));
            if opened.as_ref().is_err_and(has_no_room) {
                pool.0.opener.standing().found_full();
            }
            if opened.as_ref().is_err_and(passes) {
                let opens_at = Instant::now() + deadlines::NEW_CONNECTION;
                *pool.0.opens_at.lock().unwrap_or_else(PoisonError::into_inner) = opens_at;
            }
            if let Err(Ok(unwanted)) = teller.send(opened) {
                pool.0.put(unwanted);
            }
        });
        told.await.unwrap_or(Err(sqlx::Error::WorkerCrashed))
    }

    /// Gives a connection back. Where its last statement was not answered, it has until then, and the
    /// place is free once it was, or the session of Postgres is over.
    pub(super) fn give_back(&self, checked_out: CheckedOut, until: Instant) {
        match checked_out.last {
            LastStatement::Answered => self.put_back(checked_out),
            LastStatement::UnderWay => drop(tokio::spawn(lost::wait(self.clone(), checked_out, until))),
            LastStatement::Broke => checked_out.part(),
        }
    }

    /// Has others use it, whose session has answered everything.
    pub(super) fn put_back(&self, checked_out: CheckedOut) {
        let CheckedOut { connection, backend, keeps, era, slot, permit, .. } = checked_out;
        let connected = Connected { connection, backend, keeps, era, since: Instant::now(), slot };
        if keeps && !(self.0.yields && self.standing().was_full()) {
            self.0.put(connected);
        } else {
            connected.part();
        }
        drop(permit);
    }

    /// A turn to write at once, where there is one.
    pub(super) fn turn(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.turns).try_acquire_owned().ok()
    }

    /// Waits for a turn to write.
    pub(super) async fn next_turn(&self) -> Result<OwnedSemaphorePermit, sqlx::Error> {
        Arc::clone(&self.0.turns).acquire_owned().await.map_err(|_| sqlx::Error::PoolClosed)
    }

    /// Begins to listen, on a connection of its own.
    pub(super) async fn listener(&self) -> Result<PgListener, sqlx::Error> {
        if let Some(options) = self.0.opener.hosts().last() {
            self.0.listening.set_connect_options(options.clone());
        }
        PgListener::connect_with(&self.0.listening).await
    }

    /// Looks whether the database still is as it has to be.
    pub(super) async fn look(&self) -> Result<(), sqlx::Error> {
        let mut acquired = self.acquire().await?;
        acquired.last = LastStatement::UnderWay;
        let deadline = Instant::now() + deadlines::SESSION;
        let looked = timeout_at(deadline, self.0.opener.look_again(&mut acquired.connection, &acquired.backend)).await;
        let looked = looked.unwrap_or(Err(sqlx::Error::PoolTimedOut));
        if looked.is_ok() {
            acquired.last = LastStatement::Answered;
        }
        self.give_back(acquired, deadline);
        looked
    }

    /// The keys of what players hide.
    pub(super) fn seals(&self) -> &Seals {
        self.0.opener.seals()
    }

    /// How the games lie.
    pub(super) fn spread(&self) -> Spread {
        self.0.opener.spread()
    }

    /// Whether what is written now is kept.
    pub(super) fn standing(&self) -> &Standing {
        self.0.opener.standing()
    }

    /// What tells which sessions of Postgres are over.
    pub(super) fn witness(&self) -> &Witness {
        &self.0.witness
    }

    /// How many may be checked out.
    pub(super) fn most(&self) -> u32 {
        self.0.most
    }

    /// The connections as they are at this moment.
    pub(super) fn connections(&self) -> Connections {
        let idle = self.0.ready.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, Vec::len);
        let idle = u64::try_from(idle).unwrap_or(u64::MAX);
        let free = u64::try_from(self.0.slots.available_permits()).unwrap_or(u64::MAX);
        Connections { busy: u64::from(self.0.most).saturating_sub(free).saturating_sub(idle), idle }
    }

    /// Closes all connections, once those in use have come back.
    pub(super) async fn close(&self) {
        self.0.places.close();
        self.0.count.close();
        let ready = self.0.ready.lock().unwrap_or_else(PoisonError::into_inner).take();
        ready.into_iter().flatten().for_each(Connected::part);
        self.0.listening.close().await;
        // Whoever still has one comes back with it.
        drop(self.0.slots.acquire_many(self.0.most).await);
    }
}

impl Shared {
    /// Has the next one use it.
    fn put(&self, mut connected: Connected) {
        connected.since = Instant::now();
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        match ready.as_mut() {
            Some(ready) => {
                ready.push(connected);
                self.count.add_permits(1);
            }
            None => connected.part(),
        }
    }

    /// Takes those out that nobody has used for long, all but the last.
    fn take_idle(&self) -> Vec<Connected> {
        let mut idle = Vec::new();
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(ready) = ready.as_mut() else { return idle };
        // Those that were used longest ago lie lowest.
        while ready.len() > 1 && ready.first().is_some_and(|first| first.since.elapsed() > deadlines::IDLE_CONNECTION) {
            let Ok(permit) = self.count.try_acquire() else { break };
            permit.forget();
            idle.push(ready.remove(0));
        }
        idle
    }
}

impl Connected {
    fn new(opened: Opened, slot: OwnedSemaphorePermit) -> Self {
        let Opened { connection, backend, keeps, era } = opened;
        Self { connection, backend, keeps, era, since: Instant::now(), slot }
    }

    /// Says goodbye.
    fn part(self) {
        tokio::spawn(async move {
            // How the farewell ends changes nothing: the session has nothing left to do.
            drop(timeout(deadlines::CLOSING, self.connection.close()).await);
            drop(self.slot);
        });
    }
}

impl CheckedOut {
    /// Has a turn to write from now on, and leaves its place to those who read.
    pub(super) fn take_turn(&mut self, turn: OwnedSemaphorePermit) {
        (self.permit, self.may_write) = (turn, true);
    }

    /// Says goodbye; the place is free at once, since the session has nothing left to do.
    fn part(self) {
        let Self { connection, backend, keeps, era, slot, .. } = self;
        Connected { connection, backend, keeps, era, since: Instant::now(), slot }.part();
    }
}

/// Connects for whoever listens, as the pool does.
fn listening(opener: &Opener) -> PgPool {
    let preparing = opener.clone();
    PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(deadlines::CONNECTION)
        .max_lifetime(None)
        .idle_timeout(None)
        .after_connect(move |connection, _| {
            let opener = preparing.clone();
            // Nobody writes by it, and whoever does has been told.
            Box::pin(async move { opener.settle(connection).await.map(|_| ()) })
        })
        // Whoever listens says on which host.
        .connect_lazy_with(opener.hosts().last().cloned().unwrap_or_default())
}

/// Closes connections that nobody uses, for as long as there is a pool.
async fn tidy(pool: Weak<Shared>) {
    loop {
        tokio::time::sleep(deadlines::IDLE_CONNECTION / 10).await;
        let Some(pool) = pool.upgrade() else { return };
        pool.take_idle().into_iter().for_each(Connected::part);
    }
}

/// Whether Postgres has as many connections as it may.
pub(super) fn has_no_room(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(sqlx::error::DatabaseError::code).is_some_and(|code| code == "53300")
}

/// Whether a connection may well be made a moment later.
#[expect(clippy::wildcard_enum_match_arm, reason = "sqlx keeps it open which errors there are")]
fn passes(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut => true,
        // Overloaded, starting, stopping, or in the middle of something.
        sqlx::Error::Database(error) => {
            error.code().is_some_and(|code| code.starts_with("53") || code.starts_with("57"))
        }
        // Another one may be there already.
        sqlx::Error::Configuration(error) => error.is::<Weakness>(),
        _ => false,
    }
}
