use std::sync::Arc;

use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use uuid::Uuid;

use crate::deadlines::READ_AGAIN;
use crate::registry::Handle;
use crate::store::{Known, Store};
use record::Logged;

/// How many events a reader may be behind; then it is dropped, and resumes by `seq`.
const MOST_BEHIND: usize = 64;

/// How many events are read at a time.
const AT_A_TIME: u16 = 100;

/// Of more than so many at once only the last is sent, or those who keep up would be left behind
/// too: they see the gap and read what lies in it.
const MOST_AT_ONCE: usize = MOST_BEHIND / 2;

/// One watched game: its new events are read once, for all who watch it here.
pub(super) struct Feed {
    game: Uuid,
    known: watch::Sender<Known>,
    events: broadcast::Sender<Arc<Logged>>,
}

/// What is counted of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Count {
    Events,
    Rematches,
}

/// One reader's place at a feed. The feed ends with its last reader.
pub struct Subscription {
    feed: Handle<Uuid, Feed>,
    known: watch::Receiver<Known>,
    events: broadcast::Receiver<Arc<Logged>>,
    stopping: watch::Receiver<bool>,
}

/// What a reader gets.
pub enum Next {
    /// An event, in order; there may be a gap before it.
    Event(Arc<Logged>),
    /// Nothing more: the reader is too far behind, or the server is stopping.
    End,
}

impl Feed {
    /// Reads events after what is known as they come.
    pub(super) fn start(store: Store, game: Uuid, known: Known) -> Self {
        let feed = Self { game, known: watch::Sender::new(known), events: broadcast::Sender::new(MOST_BEHIND) };
        tokio::spawn(read_on(store, game, known.version, feed.known.subscribe(), feed.events.clone()));
        feed
    }

    /// Learns a count of the game. Of its events there are at least so many; of its rematches there are fewer again
    /// once they are deleted.
    pub(super) fn learn(&self, count: Count, number: u32) {
        self.known.send_if_modified(|known| {
            let before = *known;
            match count {
                Count::Events => known.version = number.max(known.version),
                Count::Rematches => known.rematches = number,
            }
            *known != before
        });
    }

    /// Learns how far a game had come when somebody read it, a moment ago.
    pub(super) fn believe(&self, read: Known) {
        self.learn(Count::Events, read.version);
        if read.rematches > self.known.borrow().rematches {
            self.learn(Count::Rematches, read.rematches);
        }
    }
}

/// Reads on whenever the game has grown, until the feed is gone.
async fn read_on(
    store: Store,
    game: Uuid,
    mut last: u32,
    mut known: watch::Receiver<Known>,
    events: broadcast::Sender<Arc<Logged>>,
) {
    // The first is also well when the feed is gone and the game has grown.
    while known.wait_for(|known| known.version > last).await.is_ok() && known.has_changed().is_ok() {
        let read = async { store.session().await?.list_events(game, last, AT_A_TIME).await };
        match read.await {
            // A version may be seen before its event where a standby answers.
            Ok(none) if none.is_empty() => tokio::time::sleep(READ_AGAIN).await,
            Ok(new) => {
                let skipped = if new.len() > MOST_AT_ONCE { new.len() - 1 } else { 0 };
                for event in new.into_iter().skip(skipped) {
                    last = event.seq;
                    // Those who have left need not get it.
                    drop(events.send(Arc::new(event)));
                }
            }
            Err(failure) => {
                log::debug!("the log of game {game} was not read: {failure}");
                tokio::time::sleep(READ_AGAIN).await;
            }
        }
    }
}

impl Subscription {
    pub(super) fn new(feed: Handle<Uuid, Feed>, stopping: watch::Receiver<bool>) -> Self {
        let (known, events) = (feed.known.subscribe(), feed.events.subscribe());
        Self { feed, known, events, stopping }
    }

    /// Waits for the next event.
    pub async fn next(&mut self) -> Next {
        tokio::select! {
            received = self.events.recv() => match received {
                Ok(event) => Next::Event(event),
                Err(RecvError::Lagged(_) | RecvError::Closed) => Next::End,
            },
            _ = self.stopping.wait_for(|stopping| *stopping) => Next::End,
        }
    }

    /// Waits until the game has more than this version and tells which; none when the server is
    /// stopping.
    pub async fn grown_beyond(&mut self, version: u32) -> Option<u32> {
        tokio::select! {
            grown = self.known.wait_for(|known| known.version > version) => grown.ok().map(|known| known.version),
            _ = self.stopping.wait_for(|stopping| *stopping) => None,
        }
    }

    /// Waits until something else is known of the game than this, and tells what; none when the server is
    /// stopping.
    pub async fn other_than(&mut self, seen: Known) -> Option<Known> {
        tokio::select! {
            other = self.known.wait_for(|known| *known != seen) => other.ok().map(|known| *known),
            _ = self.stopping.wait_for(|stopping| *stopping) => None,
        }
    }

    /// Waits until the server is stopping.
    pub async fn stopped(&self) {
        // Only a server that is gone closes the channel.
        drop(self.stopping.clone().wait_for(|stopping| *stopping).await);
    }

    /// The game that is watched.
    pub fn game(&self) -> Uuid {
        self.feed.game
    }
}
