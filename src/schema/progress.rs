use serde::Serialize;
use utoipa::ToSchema;

use crate::service::{Log, Progress};
use record::proof::Salt;
use record::{AwaitedBody, Logged, StatusWord};

/// What an action added to the log, and where the game now stands.
#[derive(Serialize, ToSchema)]
#[schema(as = MoveReply)]
pub struct ProgressBody {
    /// The `seq` of the last event.
    #[schema(minimum = 1, maximum = 2_147_483_647)]
    pub version: u32,
    /// How far the game has come.
    pub status: StatusWord,
    /// Who owes what.
    #[schema(max_items = 2)]
    pub awaiting: Vec<AwaitedBody>,
    /// What was added to the log.
    #[schema(min_items = 1, max_items = 500)]
    pub events: Vec<Logged>,
    /// The salt of the layout just placed, in the reply to `place` alone: 64 hex digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^[0-9a-f]{64}$")]
    pub salt: Option<String>,
}

impl From<Progress> for ProgressBody {
    fn from(progress: Progress) -> Self {
        Self {
            version: progress.tag.version,
            status: progress.standing.status.into(),
            awaiting: AwaitedBody::list(&progress.standing),
            events: progress.events,
            salt: progress.salt.as_ref().map(Salt::hex),
        }
    }
}

/// A stretch of a log.
#[derive(Serialize, ToSchema)]
#[schema(as = GameLog)]
pub struct LogBody {
    /// The events in order.
    #[schema(max_items = 500)]
    pub events: Vec<Logged>,
    /// The `seq` of the game's last event.
    #[schema(minimum = 1, maximum = 2_147_483_647)]
    pub version: u32,
}

impl From<Log> for LogBody {
    fn from(log: Log) -> Self {
        Self { events: log.events, version: log.version }
    }
}
