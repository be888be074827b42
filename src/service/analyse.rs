use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;
use uuid::Uuid;

use super::replay::{fold, inconsistent};
use super::{Declined, Error, Games, Visit};
use crate::deadlines;
use crate::store::Failure;
use engine::analysis::Analysis;
use engine::{BySeat, Ending, Event, Game};
use record::Happened;

/// What is reckoned of ended games, one at a time, on a thread that serves nobody.
pub(super) struct Analyses {
    /// Who has it reckons.
    thread: Semaphore,
    /// The last few, the newest last. What is reckoned of a game never changes.
    kept: Mutex<VecDeque<(Uuid, Arc<Analysis>)>>,
}

/// How many are kept; the largest has less than a megabyte.
const KEPT: usize = 8;

impl Default for Analyses {
    fn default() -> Self {
        Self { thread: Semaphore::new(1), kept: Mutex::default() }
    }
}

impl Analyses {
    fn find(&self, game: Uuid) -> Option<Arc<Analysis>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(id, _)| *id == game).map(|(_, analysis)| Arc::clone(analysis))
    }

    fn keep(&self, game: Uuid, analysis: &Arc<Analysis>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.pop_front();
        }
        kept.push_back((game, Arc::clone(analysis)));
    }
}

impl Visit {
    /// Reckons what each seat of a finished game could reckon before each of its shots.
    ///
    /// # Errors
    ///
    /// [`Declined::NotOver`] before the end and after an abort; [`Failure`] where others are reckoned for too long, when
    /// the database does not answer, or when its rows contradict each other.
    pub(crate) async fn analyse(self) -> Result<Arc<Analysis>, Error> {
        if !matches!(self.stored.game.ending(), Some(Ending::Won { .. })) {
            return Err(Declined::NotOver.into());
        }
        let (id, head) = (self.stored.id, self.stored.head);
        if let Some(kept) = self.games.analyses.find(id) {
            return Ok(kept);
        }
        let games = self.games.clone();
        let (game, log) = self.played().await?;
        games.reckon(id, game, log, head).await
    }

    /// Reckons what a seat could reckon before one shot or volley: gives its place among the turns as well.
    ///
    /// # Errors
    ///
    /// As for [`analyse`](Self::analyse); then [`Declined::NothingToAnalyse`] for no event, or one that is no shot.
    pub(crate) async fn analyse_turn(self, seq: Option<u32>) -> Result<(Arc<Analysis>, usize), Error> {
        let analysis = self.analyse().await?;
        let place = analysis.turns.iter().position(|turn| Some(turn.seq) == seq).ok_or(Declined::NothingToAnalyse)?;
        Ok((analysis, place))
    }

    /// The game before its first event, and what the rules know of its events. The connection is given back with it.
    async fn played(mut self) -> Result<(Box<Game>, Vec<(u32, Event)>), Error> {
        let kept = self.session.find_layouts(self.stored.id, self.stored.game.options()).await?;
        let logged = self.session.list_log(self.stored.id, self.stored.version).await?;
        if logged.is_empty() {
            self.is_there().await?;
        }
        // What contradicts itself is found here.
        if fold(&self.stored, &logged, &kept)?.game != self.stored.game {
            return Err(inconsistent(&self.stored, "games", "state").into());
        }
        let layouts = BySeat::from_fn(|seat| kept.of(seat).map(|kept| kept.layout));
        let mut game = Box::new(self.stored.before_everything().game);
        let mut log = Vec::new();
        for logged in &logged {
            let recorded = record::read(&logged.body).map_err(|_| inconsistent(&self.stored, "events", "body"))?;
            if let Happened::Created { seat, options, .. } = recorded.happened {
                *game = Game::new(options, seat.other());
            } else if let Some(event) = recorded.happened.event(&layouts) {
                log.push((recorded.seq, event));
            }
        }
        Ok((game, log))
    }
}

impl Games {
    /// Reckons once nobody else does, unless somebody has done so meanwhile.
    async fn reckon(
        &self,
        id: Uuid,
        game: Box<Game>,
        log: Vec<(u32, Event)>,
        head: [u8; 32],
    ) -> Result<Arc<Analysis>, Error> {
        let waited = tokio::time::timeout(deadlines::ANSWER, self.analyses.thread.acquire()).await;
        let _thread = waited
            .map_err(|_| Failure::Unavailable("other games were analysed for too long"))?
            .map_err(|_| Failure::Unavailable("the server leaves"))?;
        if let Some(kept) = self.analyses.find(id) {
            return Ok(kept);
        }
        let inconsistent = |_| Failure::Inconsistent { table: "events", column: "body", game: id };
        let reckoning = tokio::task::spawn_blocking(move || Analysis::of(&game, &log, head));
        let analysis = match reckoning.await {
            Ok(analysis) => Arc::new(analysis.map_err(inconsistent)?),
            Err(stopped) => match stopped.try_into_panic() {
                // The request is answered as one whose handler panics.
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => return Err(Failure::Unavailable("the server leaves").into()),
            },
        };
        self.analyses.keep(id, &analysis);
        Ok(analysis)
    }
}
