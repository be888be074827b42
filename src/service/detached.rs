use std::future::Future;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use super::{Declined, Error, Games};
use crate::deadlines;
use crate::registry::{Handle, Registry};
use crate::store::Failure;

/// How many requests may be under way in one process, those that only wait for a log to grow not
/// counted; more are turned away at once.
const AT_ONCE: usize = 512;

/// How many changes of one game may hold a connection; the rest wait without one. So a game
/// whose row somebody else holds never empties the pool for the others.
const AT_ONCE_PER_GAME: usize = 4;

/// What is under way in this process.
pub(super) struct UnderWay {
    all: Arc<Semaphore>,
    /// The turns of each game at which somebody works or waits.
    games: Registry<Uuid, Arc<Semaphore>>,
}

impl Default for UnderWay {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(AT_ONCE)), games: Registry::default() }
    }
}

/// The right to work at a game; it ends when dropped.
pub(super) struct Turn {
    _permit: OwnedSemaphorePermit,
    _game: Handle<Uuid, Arc<Semaphore>>,
}

impl Games {
    /// A slot for work at the database, until it is dropped.
    ///
    /// # Errors
    ///
    /// [`Failure::Unavailable`] at once where too many requests are under way.
    pub(super) fn slot(&self) -> Result<OwnedSemaphorePermit, Failure> {
        let slot = Arc::clone(&self.under_way.all).try_acquire_owned();
        slot.map_err(|_| Failure::Unavailable("too many requests are under way"))
    }

    /// Runs a change to its end, even if the caller vanishes meanwhile; never longer than the
    /// caller waits, so that nothing happens which was said to be unavailable.
    pub(super) async fn detached<T: Send + 'static>(
        &self,
        change: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        let slot = self.slot()?;
        // On the heap, since whoever waits for it moves it about.
        let change = Box::pin(change);
        let task = tokio::spawn(async move {
            let _slot = slot;
            let answer = tokio::time::timeout(deadlines::ANSWER, change).await;
            answer.unwrap_or_else(|_| Err(Failure::Unavailable("no answer in time").into()))
        });
        task.await.unwrap_or_else(|_| Err(Failure::Program("a change ended in a panic").into()))
    }

    /// Waits for the turn at a game. With it comes the version that the game had before, if it had
    /// to be waited for.
    pub(super) async fn turn_at(&self, game: Uuid) -> Result<(Turn, Option<u32>), Error> {
        let turns = self.under_way.games.hold(game, || Arc::new(Semaphore::new(AT_ONCE_PER_GAME)));
        if let Ok(permit) = Arc::clone(&turns).try_acquire_owned() {
            return Ok((Turn { _permit: permit, _game: turns }, None));
        }
        let (_, stored) = self.store.load(game, None).await?;
        let permit = tokio::time::timeout(deadlines::TURN, Arc::clone(&turns).acquire_owned()).await;
        let permit = permit.ok().and_then(Result::ok).ok_or(Declined::InFlight)?;
        Ok((Turn { _permit: permit, _game: turns }, stored.map(|stored| stored.version)))
    }
}
