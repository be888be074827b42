//! Many logs in one, in which each game's events are in order.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, SelectAll, select_all, unfold};
use futures_util::{Stream, StreamExt as _};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};
use uuid::Uuid;

use super::follow::{Follower, is_over};
use super::many::Found;
use super::{Error, Failure, Games, Origin};
use crate::deadlines;
use crate::live::Subscription;
use crate::store::Known;
use record::Logged;

/// At most so many events are read at a time, of all games together.
const AT_A_TIME: usize = 500;

/// What came of looking for the games of a feed.
pub(crate) enum Gathered {
    /// All were found.
    All(Box<Gathering>),
    /// Those in these places were not.
    Missing(Vec<usize>),
}

/// The games of a feed, as they were found.
pub(crate) struct Gathering {
    games: Games,
    found: Found,
    logs: Vec<LogPosition>,
}

/// How far the log of a game goes, and how far it was read.
#[derive(Clone, Copy, Debug)]
struct LogPosition {
    game: Uuid,
    /// The `seq` of its last event, as far as known.
    version: u32,
    /// Only events with a greater `seq` are given.
    after: u32,
    /// Whether nothing more comes after that version.
    over: bool,
}

/// A page of a feed.
pub(crate) struct FeedPage {
    /// The events, each with its game.
    pub events: Vec<(Uuid, Logged)>,
    /// How far each log was read, in the order asked.
    pub after: Vec<u32>,
}

/// What came of reading a page.
pub(crate) enum FeedReading {
    /// It was read.
    Done(FeedPage),
    /// There is nothing yet, and that was to be waited for.
    Ahead(Box<AwaitedFeed>),
}

/// A page that is waited for.
pub(crate) struct AwaitedFeed {
    games: Games,
    logs: Vec<LogPosition>,
    wait: Duration,
}

/// Many logs that are followed while they grow.
pub(crate) struct FeedFollower {
    /// How far each log was read, in the order asked.
    reached: Vec<u32>,
    logs: SelectAll<FollowedLog>,
    broken: bool,
}

/// The events of one log, each with the place of its game; none at last where it broke off before its end.
type FollowedLog = Pin<Box<dyn Stream<Item = (usize, Option<Arc<Logged>>)>>>;

/// What comes to whoever follows many logs.
pub(crate) enum FeedItem {
    /// The next event of one of them.
    Event {
        /// Its game's place in the order asked.
        place: usize,
        /// The event.
        event: Arc<Logged>,
        /// How far each log was read with it.
        reached: Vec<u32>,
    },
    /// Nothing for a while.
    Silence,
}

impl Games {
    /// Finds the games of a feed, none of them named twice; none in place of an id that is not in the one spelling.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer.
    pub(crate) async fn gather(&self, origin: Origin, asked: &[Option<Uuid>]) -> Result<Gathered, Error> {
        let ids: Vec<Uuid> = asked.iter().copied().flatten().collect();
        let found = self.find(origin, &ids).await?;
        let logs: Vec<Option<LogPosition>> = asked.iter().map(|id| LogPosition::of(&found, (*id)?)).collect();
        let missing: Vec<usize> = logs.iter().enumerate().filter(|(_, log)| log.is_none()).map(|(at, _)| at).collect();
        if !missing.is_empty() {
            return Ok(Gathered::Missing(missing));
        }
        let logs = logs.into_iter().flatten().collect();
        Ok(Gathered::All(Box::new(Gathering { games: self.clone(), found, logs })))
    }
}

impl LogPosition {
    /// A log from its present end on.
    fn of(found: &Found, game: Uuid) -> Option<Self> {
        let (version, status) = found.standing(game)?;
        Some(Self { game, version, after: version, over: is_over(status) })
    }

    /// Learns how far it goes by now. What is there no more is over.
    fn see(&mut self, found: &Found) {
        let known = found.standing(self.game).map(|(version, status)| (version, is_over(status)));
        (self.version, self.over) = known.unwrap_or((self.after, true));
    }

    /// The last event that was given or is passed over.
    fn last(&self) -> u32 {
        self.after.min(self.version)
    }

    /// How far the game has come, as far as a log tells.
    fn known(&self) -> Known {
        Known { version: self.version, rematches: 0 }
    }

    /// Whether nothing of it is left to come.
    fn is_done(&self) -> bool {
        self.over && self.after >= self.version
    }
}

impl Gathering {
    /// Begins after these events, one of each game, in place of the present ends.
    pub(crate) fn resume(&mut self, after: Option<Vec<u32>>) {
        for (log, after) in self.logs.iter_mut().zip(after.into_iter().flatten()) {
            log.after = after;
        }
    }

    /// Whether nothing is left to come.
    pub(crate) fn is_done(&self) -> bool {
        self.logs.iter().all(LogPosition::is_done)
    }

    /// Follows the logs.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer.
    pub(crate) async fn follow(self) -> Result<FeedFollower, Failure> {
        let Self { games, mut found, logs } = self;
        let reached = logs.iter().map(|log| log.after).collect();
        let going: Vec<(usize, LogPosition)> = logs.into_iter().enumerate().filter(|(_, log)| !log.is_done()).collect();
        let watched: Vec<Subscription> = going.iter().map(|(_, log)| games.live.watch(log.game, log.known())).collect();
        // What was committed since the games were found may have been published before that. It is read with one
        // statement, and what is still missing of each log then by itself, one log at a time.
        let positions: Vec<(Uuid, u32)> = going.iter().map(|(_, log)| (log.game, log.last())).collect();
        let limit = limit_of_each(positions.len());
        let mut read = found.session.list_events_of(&positions, limit).await?;
        drop(found);
        let turn = Arc::new(Semaphore::new(1));
        let logs = going.into_iter().zip(watched).map(|((place, log), subscription)| {
            let ready = read.remove(&log.game).unwrap_or_default();
            let behind = ready.len() >= usize::from(limit);
            let follower = Follower::new(games.clone(), subscription, log.after, log.last());
            let follower = follower.with_read(ready, behind).by_turns(Arc::clone(&turn));
            follow_on(place, follower)
        });
        Ok(FeedFollower { reached, logs: select_all(logs), broken: false })
    }

    /// Reads a page, or finds that it is to be waited for.
    pub(crate) async fn page(self, wait: Duration) -> Result<FeedReading, Failure> {
        let Self { games, mut found, logs } = self;
        let page = read_page(&mut found, &logs).await?;
        if !page.events.is_empty() || wait.is_zero() || logs.iter().all(LogPosition::is_done) {
            return Ok(FeedReading::Done(page));
        }
        Ok(FeedReading::Ahead(Box::new(AwaitedFeed { games, logs, wait })))
    }
}

/// How many events of each of so many logs are read at a time.
fn limit_of_each(logs: usize) -> u16 {
    u16::try_from(AT_A_TIME / logs.max(1)).unwrap_or(1)
}

/// Reads what there is of the logs that go beyond where they were read.
async fn read_page(found: &mut Found, logs: &[LogPosition]) -> Result<FeedPage, Failure> {
    let behind: Vec<(Uuid, u32)> =
        logs.iter().filter(|log| log.after < log.version).map(|log| (log.game, log.after)).collect();
    let limit = limit_of_each(behind.len());
    let mut read =
        if behind.is_empty() { HashMap::new() } else { found.session.list_events_of(&behind, limit).await? };
    let mut page = FeedPage { events: Vec::new(), after: Vec::new() };
    for log in logs {
        let events = read.remove(&log.game).unwrap_or_default();
        page.after.push(events.last().map_or(log.after, |event| event.seq));
        page.events.extend(events.into_iter().map(|event| (log.game, event)));
    }
    Ok(page)
}

impl AwaitedFeed {
    /// Waits for a page, as long as was asked for.
    pub(crate) async fn wait(mut self) -> Result<FeedPage, Error> {
        let until = Instant::now() + self.wait;
        let going = self.logs.iter().enumerate().filter(|(_, log)| !log.over);
        let mut watched: Vec<(usize, Subscription)> =
            going.map(|(place, log)| (place, self.games.live.watch(log.game, log.known()))).collect();
        loop {
            let versions: Vec<u32> = self.logs.iter().map(|log| log.version).collect();
            let mut growing: FuturesUnordered<_> =
                watched.iter_mut().map(|(place, one)| grown(*place, one, &versions)).collect();
            // When the time has passed, or the server is stopping, nothing has come that is known.
            let came = timeout_at(until, growing.next()).await.ok().flatten().flatten();
            drop(growing);
            let Some((place, version)) = came else { return Ok(self.nothing()) };
            let mut found = self.games.find_again(self.logs.iter().map(|log| log.game).collect()).await?;
            for log in &mut self.logs {
                log.see(&found);
            }
            if let Some(log) = self.logs.get_mut(place) {
                log.version = log.version.max(version);
            }
            let page = read_page(&mut found, &self.logs).await?;
            if !page.events.is_empty() || self.logs.iter().all(LogPosition::is_done) {
                return Ok(page);
            }
        }
    }

    /// What is answered where nothing has come.
    pub(crate) fn nothing(&self) -> FeedPage {
        FeedPage { events: Vec::new(), after: self.logs.iter().map(|log| log.after).collect() }
    }
}

/// Waits until the game in this place has more than the version that is known of it.
async fn grown(place: usize, subscription: &mut Subscription, versions: &[u32]) -> Option<(usize, u32)> {
    let known = versions.get(place).copied().unwrap_or_default();
    subscription.grown_beyond(known).await.map(|version| (place, version))
}

impl FeedFollower {
    /// Waits for the next event; none after the last of all games, when one of the logs is too far behind, and when the
    /// server is stopping.
    pub(crate) async fn next(&mut self) -> Option<FeedItem> {
        if self.broken {
            return None;
        }
        let Ok(came) = timeout(deadlines::SILENCE, self.logs.next()).await else { return Some(FeedItem::Silence) };
        let (place, event) = came?;
        let Some(event) = event else {
            self.broken = true;
            return None;
        };
        if let Some(reached) = self.reached.get_mut(place) {
            *reached = event.seq;
        }
        Some(FeedItem::Event { place, event, reached: self.reached.clone() })
    }
}

fn follow_on(place: usize, follower: Follower) -> FollowedLog {
    Box::pin(unfold(Some(follower), move |follower| async move {
        let mut follower = follower?;
        match follower.next_wanted().await {
            Some(event) => Some(((place, Some(event)), Some(follower))),
            None if follower.is_over() => None,
            None => Some(((place, None), None)),
        }
    }))
}
