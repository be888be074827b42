use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use super::{Declined, Games};
use crate::deadlines;
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
    games: Mutex<HashMap<Uuid, Arc<Semaphore>>>,
}

impl Default for UnderWay {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(AT_ONCE)), games: Mutex::default() }
    }
}

/// A place in the queue of those who work at a game, and then the right to; it ends when dropped.
struct Turn {
    under_way: Arc<UnderWay>,
    game: Uuid,
    door: Option<Arc<Semaphore>>,
    permit: Option<OwnedSemaphorePermit>,
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
            let mut turn = Turn::at(Arc::clone(&games.under_way), game);
            let mut seen = None;
            if !turn.is_free() {
                let (_, stored) = games.store.load(game, None).await?;
                seen = stored.map(|stored| stored.version);
                turn.come().await?;
            }
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

impl Turn {
    /// A place in the queue.
    fn at(under_way: Arc<UnderWay>, game: Uuid) -> Self {
        let door = {
            let mut games = under_way.games.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(games.entry(game).or_insert_with(|| Arc::new(Semaphore::new(AT_ONCE_PER_GAME))))
        };
        Self { under_way, game, door: Some(door), permit: None }
    }

    /// Takes the turn if nobody has to be waited for.
    fn is_free(&mut self) -> bool {
        self.permit = self.door.clone().and_then(|door| door.try_acquire_owned().ok());
        self.permit.is_some()
    }

    /// Waits for the turn.
    async fn come(&mut self) -> Result<(), Declined> {
        let door = self.door.clone().ok_or(Declined::InFlight)?;
        let permit = tokio::time::timeout(deadlines::TURN, door.acquire_owned()).await;
        self.permit = permit.ok().and_then(Result::ok);
        self.permit.as_ref().map(|_| ()).ok_or(Declined::InFlight)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        drop((self.permit.take(), self.door.take()));
        let mut games = self.under_way.games.lock().unwrap_or_else(PoisonError::into_inner);
        // The map's own handle is the last one when nobody works at the game or waits for it.
        if games.get(&self.game).is_some_and(|door| Arc::strong_count(door) == 1) {
            games.remove(&self.game);
        }
    }
}
