//! Who wakes whom when a log grows, across all servers on one Postgres.
//!
//! Nothing here is needed for correctness: a reader knows how far it has read, and whatever wakes
//! it, it reads on from there. A move wakes its own process at once and the others by one
//! notification for many games; what is lost on the way is found by looking at the versions of
//! the games that somebody here watches, once a second.

mod feed;
mod tasks;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Notify, watch};
use uuid::Uuid;

use crate::registry::Registry;
use crate::store::Store;
use feed::Feed;
pub use feed::{Next, Subscription};
pub use tasks::Tasks;

/// How servers on one Postgres learn of each other's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wakeups {
    /// By `LISTEN` and `NOTIFY`, and by looking once a second.
    Notified,
    /// By looking four times a second: where `LISTEN` cannot be had.
    Polled,
}

/// Of how many games that grew other servers are still to be notified; more are left to their looking.
const MOST_UNSENT: usize = 4_096;

/// The games that somebody watches here.
pub struct Live {
    store: Store,
    wakeups: Wakeups,
    feeds: Registry<Uuid, Feed>,
    unsent: Mutex<HashMap<Uuid, u32>>,
    something_unsent: Notify,
    look_now: Notify,
    stopping: watch::Sender<bool>,
}

impl Live {
    /// Begins to watch, and to listen to other servers and notify them.
    pub fn start(store: Store, wakeups: Wakeups) -> (Arc<Self>, Tasks) {
        let live = Arc::new(Self {
            store,
            wakeups,
            feeds: Registry::default(),
            unsent: Mutex::default(),
            something_unsent: Notify::new(),
            look_now: Notify::new(),
            stopping: watch::Sender::new(false),
        });
        let tasks = Tasks::spawn(&live);
        (live, tasks)
    }

    /// Tells everybody who watches a game that it has this version now. Called after the commit.
    pub fn grew(&self, game: Uuid, version: u32) {
        self.wake(game, version);
        if self.wakeups == Wakeups::Notified {
            let mut unsent = self.unsent.lock().unwrap_or_else(PoisonError::into_inner);
            if unsent.len() < MOST_UNSENT || unsent.contains_key(&game) {
                let known = unsent.entry(game).or_default();
                *known = version.max(*known);
                drop(unsent);
                self.something_unsent.notify_one();
            }
        }
    }

    /// Watches a game that has this version.
    pub fn watch(&self, game: Uuid, version: u32) -> Subscription {
        let feed = self.feeds.hold(game, || Feed::start(self.store.clone(), game, version));
        feed.believe(version);
        Subscription::new(feed, self.stopping.subscribe())
    }

    /// Ends all watching, so that the server can leave.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Wakes whoever watches a game here.
    fn wake(&self, game: Uuid, version: u32) {
        if let Some(feed) = self.feeds.find(game) {
            feed.believe(version);
        }
    }

    /// The games that somebody watches here.
    fn watched(&self) -> Vec<Uuid> {
        self.feeds.keys()
    }
}
