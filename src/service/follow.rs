use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};

use super::{Declined, Error, Games, Log, Visit};
use crate::deadlines;
use crate::live::{Next, Subscription};
use engine::Status;
use record::Logged;

/// Which stretch of a log is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stretch {
    /// Only events with a greater `seq`.
    pub after: u32,
    /// At most so many.
    pub limit: u16,
    /// How long to wait while there is nothing.
    pub wait: Duration,
}

/// What came of reading a stretch of a log.
pub(crate) enum Reading {
    /// It was read.
    Done(Log),
    /// There is nothing yet, and that was to be waited for.
    Ahead(Box<Awaited>),
}

/// A stretch of a log that is waited for.
pub(crate) struct Awaited {
    games: Games,
    subscription: Subscription,
    stretch: Stretch,
    version: u32,
}

/// A log that is followed while it grows.
pub struct Follower {
    games: Games,
    subscription: Subscription,
    /// Only events with a greater `seq` are given.
    after: u32,
    /// The last event that was given or passed over.
    last: u32,
    /// Events that were read and not yet given.
    ready: VecDeque<Arc<Logged>>,
    /// Whether events lie in the database that the subscription will not bring.
    behind: bool,
    over: bool,
    /// Who follows many logs reads one at a time.
    turn: Option<Arc<Semaphore>>,
}

/// What comes to a follower.
pub enum FollowItem {
    /// The next event of the log.
    Event(Arc<Logged>),
    /// Nothing for a while.
    Silence,
}

/// How many events are read at a time.
const AT_A_TIME: u16 = 100;

impl Games {
    /// Ends all following and waiting, so that the server can leave.
    pub fn end_following(&self) {
        self.live.stop();
    }
}

impl Visit {
    /// Reads a stretch of the log, or finds that it is to be waited for.
    pub(crate) async fn log(mut self, stretch: Stretch) -> Result<Reading, Error> {
        let events = self.session.list_events(self.stored.id, stretch.after, stretch.limit).await?;
        if events.is_empty() && stretch.after < self.stored.version {
            self.is_there().await?;
        }
        let Self { games, place, session, stored, .. } = self;
        drop((session, place));
        if !events.is_empty() || stretch.wait.is_zero() || is_over(stored.game.status()) {
            return Ok(Reading::Done(Log::new(events, stored.version)));
        }
        let subscription = games.live.watch(stored.id, stored.known());
        Ok(Reading::Ahead(Box::new(Awaited { games, subscription, stretch, version: stored.version })))
    }

    /// Follows the log from after an event on; none where nothing is left to come.
    pub fn follow(self, after: u32) -> Option<Follower> {
        let Self { games, place, session, stored, .. } = self;
        drop((session, place));
        if is_over(stored.game.status()) && after >= stored.version {
            return None;
        }
        let subscription = games.live.watch(stored.id, stored.known());
        Some(Follower::new(games, subscription, after, after.min(stored.version)))
    }
}

impl Awaited {
    /// Waits for the stretch, as long as was asked for.
    pub(crate) async fn wait(mut self) -> Result<Log, Error> {
        let (id, stretch) = (self.subscription.game(), self.stretch);
        let until = Instant::now() + stretch.wait;
        loop {
            // When the time has passed, or the server is stopping, nothing has come that is known.
            let grown = timeout_at(until, self.subscription.grown_beyond(self.version)).await;
            let Some(grown) = grown.unwrap_or(None) else { return Ok(self.nothing()) };
            let _place = self.games.under_way.places.wait().await?;
            let (mut session, found) = self.games.store.load(id, None).await?;
            let now = found.ok_or(Declined::NoSuchGame)?;
            let events = session.list_events(id, stretch.after, stretch.limit).await?;
            if !events.is_empty() || is_over(now.game.status()) {
                return Ok(Log::new(events, now.version));
            }
            self.version = grown;
        }
    }

    /// What is answered where nothing has come.
    pub(crate) fn nothing(&self) -> Log {
        Log::new(Vec::new(), self.version)
    }
}

impl Follower {
    /// One that gives events after `after`, all up to `last` being given or passed over.
    pub(super) fn new(games: Games, subscription: Subscription, after: u32, last: u32) -> Self {
        // What was committed since the game was loaded may have been published before the
        // subscription began.
        Self { games, subscription, after, last, ready: VecDeque::new(), behind: true, over: false, turn: None }
    }

    /// The same with the events that were read since the subscription began, and whether there may be more.
    pub(super) fn with_read(self, ready: Vec<Logged>, behind: bool) -> Self {
        Self { ready: ready.into_iter().map(Arc::new).collect(), behind, ..self }
    }

    /// The same, which reads what it lacks when it has this turn.
    pub(super) fn by_turns(self, turn: Arc<Semaphore>) -> Self {
        Self { turn: Some(turn), ..self }
    }

    /// Whether the game's last event was given or passed over.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Waits for the next event; none after the game's last, when the follower is too far behind,
    /// and when the server is stopping.
    pub async fn next(&mut self) -> Option<FollowItem> {
        match timeout(deadlines::SILENCE, self.next_wanted()).await {
            Ok(event) => event.map(FollowItem::Event),
            Err(_) => Some(FollowItem::Silence),
        }
    }

    /// The next event that was asked for. Those before it are passed over, lest the end be missed.
    pub(super) async fn next_wanted(&mut self) -> Option<Arc<Logged>> {
        while !self.over {
            let event = self.next_event().await?;
            self.over = is_over(event.standing.status);
            self.last = event.seq;
            if event.seq > self.after {
                return Some(event);
            }
        }
        None
    }

    /// The event after the last one. It may be dropped while it waits without losing any.
    async fn next_event(&mut self) -> Option<Arc<Logged>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if self.behind {
                self.catch_up().await?;
                continue;
            }
            match self.subscription.next().await {
                Next::Event(event) if event.seq <= self.last => {}
                Next::Event(event) if event.seq == self.last.saturating_add(1) => return Some(event),
                // What lies between was committed before the subscription began.
                Next::Event(_) => self.behind = true,
                Next::End => return None,
            }
        }
    }

    /// Reads what the subscription does not bring; none when the server is stopping.
    async fn catch_up(&mut self) -> Option<()> {
        let game = self.subscription.game();
        let turn = self.turn.clone();
        let read = async {
            // A semaphore that nobody closes.
            let _turn = match turn {
                Some(turn) => turn.acquire_owned().await.ok(),
                None => None,
            };
            let _place = self.games.under_way.places.wait().await?;
            self.games.store.session().await?.list_events(game, self.last, AT_A_TIME).await
        };
        match read.await {
            Ok(events) => {
                self.behind = events.len() == usize::from(AT_A_TIME);
                self.ready.extend(events.into_iter().map(Arc::new));
            }
            Err(failure) => {
                log::debug!("the log of game {game} was not read: {failure}");
                tokio::select! {
                    () = tokio::time::sleep(deadlines::READ_AGAIN) => {}
                    () = self.subscription.stopped() => return None,
                }
            }
        }
        Some(())
    }
}

pub(super) fn is_over(status: Status) -> bool {
    match status {
        Status::Finished | Status::Aborted => true,
        Status::Waiting | Status::Placing | Status::Battle => false,
    }
}
