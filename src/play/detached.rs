use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use super::{Declined, Games};
use crate::store::Failure;

/// How many changes may be under way in one process; more are turned away at once.
const AT_ONCE: usize = 512;

/// How many changes of one game may hold a connection; the rest wait without one. So a game
/// whose row somebody else holds never empties the pool for the others.
const AT_ONCE_PER_GAME: usize = 4;

/// How long a change waits for its turn at its game.
const TURN_PATIENCE: Duration = Duration::from_millis(1_500);

/// How long a caller waits for an answer.
const ANSWER_PATIENCE: Duration = Duration::from_millis(2_800);

/// The changes under way in this process.
pub(super) struct UnderWay {
    all: Arc<Semaphore>,
    games: Mutex<HashMap<Uuid, Arc<Semaphore>>>,
}

impl Default for UnderWay {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(AT_ONCE)), games: Mutex::default() }
    }
}

/// The right to work at a game; it ends when dropped.
struct Turn {
    under_way: Arc<UnderWay>,
    game: Uuid,
    permit: Option<OwnedSemaphorePermit>,
}

impl Games {
    /// Runs a change to its end, even if the caller vanishes meanwhile.
    pub(super) async fn detached<T, E>(
        &self,
        game: Option<Uuid>,
        change: impl Future<Output = Result<T, E>> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Declined> + From<Failure> + Send + 'static,
    {
        let under_way = Arc::clone(&self.under_way);
        let Ok(slot) = Arc::clone(&under_way.all).try_acquire_owned() else {
            return Err(Failure::Unavailable("too many requests are under way").into());
        };
        let task = tokio::spawn(async move {
            let _slot = slot;
            let _turn = match game {
                Some(game) => Some(under_way.turn_at(game).await.ok_or(Declined::InFlight)?),
                None => None,
            };
            change.await
        });
        match tokio::time::timeout(ANSWER_PATIENCE, task).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(Failure::Program("a change ended in a panic").into()),
            Err(_) => Err(Failure::Unavailable("no answer in time").into()),
        }
    }
}

impl UnderWay {
    async fn turn_at(self: Arc<Self>, game: Uuid) -> Option<Turn> {
        let door = {
            let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(games.entry(game).or_insert_with(|| Arc::new(Semaphore::new(AT_ONCE_PER_GAME))))
        };
        // Made before waiting, so that whoever gives up waiting tidies up as well.
        let mut turn = Turn { under_way: self, game, permit: None };
        turn.permit = Some(tokio::time::timeout(TURN_PATIENCE, door.acquire_owned()).await.ok()?.ok()?);
        Some(turn)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        drop(self.permit.take());
        let mut games = self.under_way.games.lock().unwrap_or_else(PoisonError::into_inner);
        // The map's own handle is the last one when nobody works at the game or waits for it.
        if games.get(&self.game).is_some_and(|door| Arc::strong_count(door) == 1) {
            games.remove(&self.game);
        }
    }
}
