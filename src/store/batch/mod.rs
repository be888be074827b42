//! Many moves in one statement.
//!
//! While few moves are under way, each loads its game and writes its events with statements of its
//! own. When there are more they wait here, and the next statement takes all of them along: up to
//! 64 games, one statement that loads and one that writes at a time. Nothing else changes for a
//! move. In between it is judged by itself, its answer waits for the statement that wrote it, and
//! what went wrong with others is none of its business: whoever is left out of a statement, or
//! does not learn what came of it, goes on alone.

mod load;
mod write;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use uuid::Uuid;

use self::load::Load;
use super::moves::MoveRow;
use super::pool::Pool;
use super::{Failure, Session, Snapshot};
use crate::deadlines::SESSION;
use crate::metrics::Metrics;

/// Which moves share statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// None, since one statement must not touch several games.
    Never,
    /// Those that come while many are under way.
    UnderLoad,
    /// All moves share.
    Always,
}

/// How many moves may be under way of which each goes alone: sharing costs more than it saves then.
const ALONE: usize = 8;

/// The most moves that share a statement.
const MOST: usize = 64;

/// Where moves wait for each other.
#[derive(Clone)]
pub(super) struct Batches {
    /// From so many on they share; none where they never do.
    from: Option<usize>,
    under_way: Arc<AtomicUsize>,
    loads: Queue<Load>,
    writes: Queue<MoveRow>,
}

/// A move under way, counted until this is dropped.
pub(super) struct InFlightMove {
    count: Arc<AtomicUsize>,
    shares: bool,
}

/// What came of sharing a statement.
pub(super) enum BatchOutcome<A> {
    /// The statement was answered so.
    Answered(A),
    /// Nothing has been done, and nothing will be.
    LeftOut,
    /// It is not known whether it was done.
    Unknown,
}

/// What many moves may ask for with one statement.
trait Shared: Send + Sized + 'static {
    type Answer: Send + 'static;

    /// What the statement does, in one word.
    const STEP: &'static str;

    /// Which game it is about.
    fn game(&self) -> Uuid;

    /// Asks for all. Ids ascend, and none is there twice. The answers come in the same order, none
    /// for those that were left out.
    fn ask(
        session: &mut Session,
        all: Vec<Self>,
    ) -> impl Future<Output = Result<Vec<Option<Self::Answer>>, Failure>> + Send;
}

type Queue<S> = mpsc::UnboundedSender<Waiter<S>>;

/// Somebody who waits. Whoever is left out gets `None`.
struct Waiter<S: Shared> {
    asked: S,
    answer: oneshot::Sender<Option<S::Answer>>,
}

impl Batches {
    /// Begins to serve those who wait, for as long as anybody can.
    pub(super) fn start(pool: &Pool, sharing: Sharing, metrics: &Arc<Metrics>) -> Self {
        let from = match sharing {
            Sharing::Never => None,
            Sharing::UnderLoad => Some(ALONE),
            Sharing::Always => Some(0),
        };
        Self { from, under_way: Arc::default(), loads: serve(pool, metrics), writes: serve(pool, metrics) }
    }

    /// Whether one statement may touch several games.
    pub(super) fn may_share(&self) -> bool {
        self.from.is_some()
    }

    /// Counts a move as under way, and decides whether it shares statements.
    pub(super) fn enter(&self) -> InFlightMove {
        let before = self.under_way.fetch_add(1, Ordering::Relaxed);
        InFlightMove { count: Arc::clone(&self.under_way), shares: self.from.is_some_and(|from| before >= from) }
    }

    /// Reads a game together with others.
    pub(super) async fn load(
        &self,
        session: &Session,
        game: Uuid,
        request: Option<&[u8]>,
    ) -> BatchOutcome<Result<Option<Snapshot>, Failure>> {
        let load = Load { game, request: request.map(<[u8]>::to_vec) };
        join(&self.loads, load, session.deadline).await
    }

    /// Writes a move together with others; it holds no connection while it waits.
    pub(super) async fn write(&self, session: &mut Session, written: MoveRow) -> BatchOutcome<()> {
        session.close();
        join(&self.writes, written, session.deadline).await
    }
}

impl InFlightMove {
    /// Whether it shares statements.
    pub(super) fn shares(&self) -> bool {
        self.shares
    }
}

impl Drop for InFlightMove {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Waits for an answer.
async fn join<S: Shared>(queue: &Queue<S>, asked: S, deadline: Instant) -> BatchOutcome<S::Answer> {
    let (answer, response) = oneshot::channel();
    if queue.send(Waiter { asked, answer }).is_err() {
        return BatchOutcome::LeftOut;
    }
    match tokio::time::timeout_at(deadline, response).await {
        Ok(Ok(Some(answer))) => BatchOutcome::Answered(answer),
        Ok(Ok(None)) => BatchOutcome::LeftOut,
        Ok(Err(_)) | Err(_) => BatchOutcome::Unknown,
    }
}

/// A queue, and who serves it until nobody can come any more: one statement at a time, so that all
/// who come meanwhile share the next one.
fn serve<S: Shared>(pool: &Pool, metrics: &Arc<Metrics>) -> Queue<S> {
    let (queue, waiting) = mpsc::unbounded_channel();
    tokio::spawn(Worker { waiting, pool: pool.clone(), metrics: Arc::clone(metrics) }.run());
    queue
}

/// Takes those who wait along, again and again.
struct Worker<S: Shared> {
    waiting: mpsc::UnboundedReceiver<Waiter<S>>,
    pool: Pool,
    metrics: Arc<Metrics>,
}

impl<S: Shared> Worker<S> {
    async fn run(mut self) {
        let mut session = Session::later(&self.pool, Instant::now());
        loop {
            // The connection is kept while there is more to do.
            if self.waiting.is_empty() || session.is_broken() {
                session.close();
            }
            let mut batch = Vec::with_capacity(MOST);
            if self.waiting.recv_many(&mut batch, MOST).await == 0 {
                return;
            }
            session.deadline = Instant::now() + SESSION;
            self.serve(&mut session, batch).await;
        }
    }

    /// Asks for all of them, and responds to each.
    async fn serve(&self, session: &mut Session, mut batch: Vec<Waiter<S>>) {
        // Where it broke in the pool, each of them goes on alone.
        if session.check_out().await.is_err() {
            for left_out in batch {
                left_out.answer(None);
            }
            return;
        }
        batch.sort_by_key(|waiting| waiting.asked.game());
        let (mut all, mut answers) = (Vec::with_capacity(batch.len()), Vec::with_capacity(batch.len()));
        for waiting in batch {
            // Whoever has given up meanwhile must find that nothing came of it.
            if waiting.answer.is_closed() {
                continue;
            }
            if all.last().is_some_and(|last: &S| last.game() == waiting.asked.game()) {
                waiting.answer(None);
                continue;
            }
            all.push(waiting.asked);
            answers.push(waiting.answer);
        }
        if all.is_empty() {
            return;
        }
        self.metrics.batched(S::STEP, all.len());
        match S::ask(session, all).await {
            Ok(found) => answers.into_iter().zip(found).for_each(|(answer, found)| respond(answer, found)),
            // It may have been done all the same: they get no response.
            Err(failure) if failure.broke_the_connection() => {
                log::debug!("{} moves that shared a statement go on alone: {failure}", answers.len());
            }
            Err(failure) => {
                log::debug!("{} moves that shared a statement go on alone: {failure}", answers.len());
                for answer in answers {
                    respond(answer, None);
                }
            }
        }
    }
}

impl<S: Shared> Waiter<S> {
    fn answer(self, answer: Option<S::Answer>) {
        respond(self.answer, answer);
    }
}

/// Responds to somebody, who may have given up meanwhile.
fn respond<A>(answer: oneshot::Sender<Option<A>>, found: Option<A>) {
    drop(answer.send(found));
}
