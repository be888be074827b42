//! Create, join, act, look: every read and every change of a game passes here.
//!
//! Whoever wants to read a game enters it first. A change loads the game, lets the rules decide, and
//! commits the event; one that lost a race is judged anew. From load to commit it runs in a task of
//! its own, so a client that vanishes leaves nothing half done.

mod act;
mod agenda;
mod analyse;
mod audit;
mod chores;
mod clocks;
mod complaints;
mod create;
mod declined;
mod detached;
mod enter;
mod error;
mod feed;
mod follow;
mod heartbeat;
mod join;
mod keys;
mod late;
mod listed;
mod lobby;
mod look;
mod many;
mod opening;
mod outage;
mod places;
mod proof;
mod rematch;
mod replay;
mod step;
mod sweep;
mod tag;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use uuid::Uuid;

use crate::address::Address;
use crate::entropy::Token;
use crate::live::Live;
use crate::metrics::{Connections, Metrics};
use crate::store::Store;
use engine::Status;

use detached::UnderWay;
use places::HeldPlace;

/// What handlers need of the store's words.
pub use crate::store::Failure;
pub(crate) use crate::store::{Place, Snapshot};
pub(crate) use act::{Move, MoveRequest, Progress};
pub use create::Creation;
pub use declined::Declined;
pub use enter::Visit;
pub use error::{Error, Malformed};
pub(crate) use feed::{FeedItem, FeedPage, FeedReading, Gathered};
pub use follow::{FollowItem, Follower};
pub(crate) use follow::{Reading, Stretch};
pub(crate) use join::{Invitation, Seating};
pub use keys::Key;
pub(crate) use keys::{LONGEST_KEY, Repeatable, SHORTEST_SECRET};
pub(crate) use listed::MOST_LISTED;
pub(crate) use lobby::Lobby;
pub(crate) use look::{Log, ShownGame};
pub(crate) use many::{Glance, Named};
pub(crate) use rematch::Rematch;
pub(crate) use replay::Moment;
pub use sweep::Keep;
pub use tag::{Precondition, Tag};

/// All games, to create, join, act in and look at.
#[derive(Clone)]
pub struct Games {
    store: Store,
    live: Arc<Live>,
    expire_after: Duration,
    keep: Keep,
    metrics: Arc<Metrics>,
    under_way: Arc<UnderWay>,
    /// The place of the request that these are for; none where they are everybody's.
    place: Option<Arc<HeldPlace>>,
    heart: Arc<heartbeat::Heart>,
    /// When games are due, on a distributed database.
    agenda: Arc<agenda::Agenda>,
    /// Games that have ended and whose timers do not tell so yet.
    ended: Arc<Mutex<Vec<(Uuid, Status)>>>,
    complaints: Arc<complaints::Complaints>,
    listed: Arc<listed::ListedGames>,
    analyses: Arc<analyse::Analyses>,
}

/// Where a request comes from; none where nobody's share is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Origin(pub(crate) Option<Address>);

/// Who asks for which game, as the request says it; nothing is looked up yet.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Where they ask from.
    pub origin: Origin,
    /// The game; none where the path has no id in the one spelling.
    pub game: Option<Uuid>,
    /// What came as the token of a seat.
    pub token: Credential,
    /// The `Idempotency-Key`; none where it is missing or no key.
    pub key: Option<Key>,
}

/// The token that a request came with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Credential {
    /// No token, so they are a spectator.
    Nothing,
    /// Something that is no token.
    Invalid,
    /// A token of some game.
    Token(Token),
}

impl Games {
    /// The games of this store; unjoined ones expire after that time, and others are kept as long as is said.
    pub fn new(store: Store, live: Arc<Live>, metrics: Arc<Metrics>, expire_after: Duration, keep: Keep) -> Self {
        let under_way = Arc::new(UnderWay::new(Arc::clone(&metrics)));
        Self {
            store,
            live,
            expire_after,
            keep,
            metrics,
            under_way,
            place: None,
            heart: Arc::default(),
            agenda: Arc::default(),
            ended: Arc::default(),
            complaints: Arc::default(),
            listed: Arc::default(),
            analyses: Arc::default(),
        }
    }

    /// The connections to Postgres at this moment.
    pub(crate) fn connections(&self) -> Connections {
        self.store.connections()
    }

    /// Whether the database answers and has the tables of this release.
    pub(crate) async fn ready(&self, origin: Origin) -> Result<(), Error> {
        let _share = self.under_way.places.share(origin).await?;
        Ok(self.store.ready().await?)
    }
}
