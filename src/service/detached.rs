use std::future::Future;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use super::{Declined, Games};
use crate::deadlines;
use crate::registry::Registry;
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
    games: Registry<Uuid, Semaphore>,
}

impl Default for UnderWay {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(AT_ONCE)), games: Registry::default() }
    }
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
    ///
    /// The change is told the version that the game had when the request came, if it had to wait
    /// for its turn after that.
    pub(super) async fn detached<T, E, C>(
        &self,
        game: Option<Uuid>,
        change: impl FnOnce(Option<u32>) -> C + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Declined> + From<Failure> + Send + 'static,
        C: Future<Output = Result<T, E>> + Send,
    {
        let games = self.clone();
        let slot = games.slot()?;
        // On the heap, since whoever waits for it moves it about.
        let in_turn = Box::pin(async move {
            let Some(game) = game else { return change(None).await };
            let turns = games.under_way.games.hold(game, || Semaphore::new(AT_ONCE_PER_GAME));
            let (seen, _turn) = if let Ok(turn) = turns.try_acquire() {
                (None, turn)
            } else {
                let (_, stored) = games.store.load(game, None).await?;
                let turn = tokio::time::timeout(deadlines::TURN, turns.acquire()).await;
                (stored.map(|stored| stored.version), turn.ok().and_then(Result::ok).ok_or(Declined::InFlight)?)
            };
            change(seen).await
        });
        let task = tokio::spawn(async move {
            let _slot = slot;
            let answer = tokio::time::timeout(deadlines::ANSWER, in_turn).await;
            answer.unwrap_or_else(|_| Err(Failure::Unavailable("no answer in time").into()))
        });
        task.await.unwrap_or_else(|_| Err(Failure::Program("a change ended in a panic").into()))
    }
}
