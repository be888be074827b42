//! Who wakes whom when a log grows or an ended game gets a rematch, across all servers on one Postgres.
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
use crate::store::{Known, Spread, Store};
use feed::{Count, Feed};
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

/// Of how many games that changed other servers are still to be notified; more are left to their looking.
const MOST_UNSENT: usize = 4_096;

/// The games that somebody watches here.
pub struct Live {
    store: Store,
    wakeups: Wakeups,
    feeds: Registry<Uuid, Feed>,
    unsent: Mutex<HashMap<(Uuid, Count), u32>>,
    something_unsent: Notify,
    look_now: Notify,
    stopping: watch::Sender<bool>,
}

impl Live {
    /// Begins to watch, and to listen to other servers and notify them.
    pub fn start(store: Store, wakeups: Wakeups) -> (Arc<Self>, Tasks) {
        // A notification reaches those who listen on the same node.
        let wakeups = if store.spread() == Spread::Nodes { Wakeups::Polled } else { wakeups };
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
        self.tell(game, Count::Events, version);
    }

    /// Tells everybody who watches an ended game that it has had so many rematches now. Called after the commit.
    pub fn rematched(&self, game: Uuid, rematches: u16) {
        self.tell(game, Count::Rematches, rematches.into());
    }

    fn tell(&self, game: Uuid, count: Count, number: u32) {
        self.wake(game, count, number);
        if self.wakeups == Wakeups::Notified {
            let mut unsent = self.unsent.lock().unwrap_or_else(PoisonError::into_inner);
            if unsent.len() < MOST_UNSENT || unsent.contains_key(&(game, count)) {
                let known = unsent.entry((game, count)).or_default();
                *known = number.max(*known);
                drop(unsent);
                self.something_unsent.notify_one();
            }
        }
    }

    /// Watches a game of which this was read.
    pub fn watch(&self, game: Uuid, read: Known) -> Subscription {
        let feed = self.feeds.hold(game, || Feed::start(self.store.clone(), game, read));
        feed.believe(read);
        Subscription::new(feed, self.stopping.subscribe())
    }

    /// Ends all watching, so that the server can leave.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Wakes whoever watches a game here.
    fn wake(&self, game: Uuid, count: Count, number: u32) {
        if let Some(feed) = self.feeds.find(game) {
            feed.learn(count, number);
        }
    }

    /// The games that somebody watches here.
    fn watched(&self) -> Vec<Uuid> {
        self.feeds.keys()
    }
}
