use std::sync::Arc;

use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use uuid::Uuid;

use crate::deadlines::READ_AGAIN;
use crate::registry::Handle;
use crate::store::Store;
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
    version: watch::Sender<u32>,
    events: broadcast::Sender<Arc<Logged>>,
}

/// One reader's place at a feed. The feed ends with its last reader.
pub struct Subscription {
    feed: Handle<Uuid, Feed>,
    version: watch::Receiver<u32>,
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
    /// Reads events after `version` as they come.
    pub(super) fn start(store: Store, game: Uuid, version: u32) -> Self {
        let feed = Self { game, version: watch::Sender::new(version), events: broadcast::Sender::new(MOST_BEHIND) };
        tokio::spawn(read_on(store, game, version, feed.version.subscribe(), feed.events.clone()));
        feed
    }

    /// Learns that the game has at least this version.
    pub(super) fn believe(&self, version: u32) {
        self.version.send_if_modified(|known| {
            let grown = version > *known;
            if grown {
                *known = version;
            }
            grown
        });
    }
}

/// Reads on whenever the game has grown, until the feed is gone.
async fn read_on(
    store: Store,
    game: Uuid,
    mut last: u32,
    mut version: watch::Receiver<u32>,
    events: broadcast::Sender<Arc<Logged>>,
) {
    // The first is also well when the feed is gone and the game has grown.
    while version.wait_for(|version| *version > last).await.is_ok() && version.has_changed().is_ok() {
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
        let (version, events) = (feed.version.subscribe(), feed.events.subscribe());
        Self { feed, version, events, stopping }
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
            grown = self.version.wait_for(|known| *known > version) => grown.ok().map(|known| *known),
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
