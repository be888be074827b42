use std::future::Future;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use uuid::Uuid;

use super::places::{HeldPlace, Places};
use super::{Declined, Error, Games, Origin};
use crate::deadlines;
use crate::metrics::{Metrics, Share};
use crate::registry::{Handle, Registry};
use crate::store::Failure;

/// How many changes of one game may hold a connection; the rest wait without one. So a game
/// whose row somebody else holds never empties the pool for the others.
const AT_ONCE_PER_GAME: usize = 4;

/// How many more may wait for their turn at it.
const WAITING_PER_GAME: usize = 64;

/// What is under way in this process.
pub(super) struct UnderWay {
    pub places: Places,
    /// The turns of each game at which somebody works or waits.
    games: Registry<Uuid, Arc<Semaphore>>,
    metrics: Arc<Metrics>,
}

impl UnderWay {
    pub(super) fn new(metrics: Arc<Metrics>) -> Self {
        Self { places: Places::new(Arc::clone(&metrics)), games: Registry::default(), metrics }
    }
}

/// The right to work at a game; it ends when dropped.
pub(super) struct Turn {
    _permit: OwnedSemaphorePermit,
    _game: Handle<Uuid, Arc<Semaphore>>,
}

impl Games {
    /// Runs a change to its end, even if the caller vanishes meanwhile; never longer than the
    /// caller waits, so that nothing happens which was said to be unavailable.
    ///
    /// The change gets games of its own, with its place at the database.
    pub(super) async fn detached<T: Send + 'static, C>(
        &self,
        origin: Origin,
        change: impl FnOnce(Self) -> C,
    ) -> Result<T, Error>
    where
        C: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let began = Instant::now();
        let place = Arc::new(HeldPlace::new(origin, self.under_way.places.take(origin).await?));
        // On the heap, since whoever waits for it moves it about.
        let change = Box::pin(change(Self { place: Some(place), ..self.clone() }));
        let task = tokio::spawn(async move {
            let answer = tokio::time::timeout_at(began + deadlines::ANSWER, change).await;
            answer.unwrap_or_else(|_| Err(Failure::Unavailable("no answer in time").into()))
        });
        task.await.unwrap_or_else(|_| Err(Failure::Program("a change ended in a panic").into()))
    }

    /// Waits for the turn at a game. With it comes the version that the game had before, if it had
    /// to be waited for.
    pub(super) async fn turn_at(&self, game: Uuid) -> Result<(Turn, Option<u32>), Error> {
        let most = AT_ONCE_PER_GAME + WAITING_PER_GAME;
        let turns = self.under_way.games.hold_below(most, game, || Arc::new(Semaphore::new(AT_ONCE_PER_GAME)));
        let turns = turns.ok_or_else(|| {
            self.under_way.metrics.refused(Share::Turns);
            Declined::InFlight
        })?;
        if let Ok(permit) = Arc::clone(&turns).try_acquire_owned() {
            return Ok((Turn { _permit: permit, _game: turns }, None));
        }
        let (_, stored) = self.store.load(game, None).await?;
        let turn = tokio::time::timeout(deadlines::TURN, Arc::clone(&turns).acquire_owned());
        let permit = self.rest(turn).await?.ok().and_then(Result::ok).ok_or(Declined::InFlight)?;
        Ok((Turn { _permit: permit, _game: turns }, stored.map(|stored| stored.version)))
    }
}
