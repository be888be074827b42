use chrono::{DateTime, Utc};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use super::{Action, EventBody, Reason, Seat, Status};
use crate::service::GameStatus;
use crate::service::{Log, Progress};
use engine::Ending;
use record;
use record::proof::Salt;

/// What an action added to the log, and where the game now stands.
#[derive(Serialize, ToSchema)]
#[schema(as = Progress)]
pub struct ProgressBody {
    /// The `seq` of the last event.
    #[schema(minimum = 1, maximum = 2_147_483_647)]
    pub version: u32,
    /// How far the game has come.
    pub status: Status,
    /// Who owes what.
    #[schema(max_items = 2)]
    pub awaiting: Vec<AwaitedBody>,
    /// What was added to the log.
    #[schema(min_items = 1, max_items = 500)]
    pub events: Vec<EventBody>,
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
            events: progress.events.into_iter().map(EventBody).collect(),
            salt: progress.salt.as_ref().map(Salt::hex),
        }
    }
}

/// A stretch of a log.
#[derive(Serialize, ToSchema)]
#[schema(as = Log)]
pub struct LogBody {
    /// The events in order.
    #[schema(max_items = 500)]
    pub events: Vec<EventBody>,
    /// The `seq` of the game's last event.
    #[schema(minimum = 1, maximum = 2_147_483_647)]
    pub version: u32,
}

impl From<Log> for LogBody {
    fn from(log: Log) -> Self {
        Self { events: log.events.into_iter().map(EventBody).collect(), version: log.version }
    }
}

/// What a seat owes the game.
#[derive(Serialize, Deserialize, ToSchema, PartialEq, Debug)]
#[schema(as = Awaited)]
pub struct AwaitedBody {
    /// Who.
    pub seat: Seat,
    /// What.
    pub action: Action,
    /// How many shots or cells; 1 for the others.
    #[schema(minimum = 1, maximum = 10)]
    pub count: u8,
    /// Until when; `null` without a clock.
    #[schema(required)]
    pub until: Option<Time>,
}

impl AwaitedBody {
    /// What is awaited, the host first.
    pub fn list(standing: &GameStatus) -> Vec<Self> {
        let until = standing.until.map(Time);
        let body = |awaited: &engine::Awaiting| Self {
            seat: awaited.seat.into(),
            action: awaited.action.into(),
            count: awaited.count,
            until,
        };
        standing.awaiting.iter().map(body).collect()
    }
}

/// How a game ended.
#[derive(Serialize, Deserialize, ToSchema, PartialEq, Debug)]
#[schema(as = GameResult)]
pub struct ResultBody {
    /// Who won; `null` after an abort.
    #[schema(required)]
    pub winner: Option<Seat>,
    /// Why it ended.
    pub reason: Reason,
}

impl From<Ending> for ResultBody {
    fn from(ending: Ending) -> Self {
        Self { winner: ending.winner().map(Seat::from), reason: ending.into() }
    }
}

/// A moment by the database's clock, in UTC with microseconds (RFC 3339).
#[derive(Clone, Copy, PartialEq, Eq, Debug, ToSchema)]
#[schema(value_type = String, format = DateTime, examples("2026-11-29T21:19:17.123456Z"))]
pub struct Time(pub DateTime<Utc>);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&record::time(self.0))
    }
}

/// There is one way to write a moment: whoever wrote it in another one did not copy it.
impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let at = text.parse().ok().filter(|at| record::time(*at) == text);
        at.map(Self).ok_or_else(|| D::Error::custom("a time is written like 2026-11-29T21:19:17.123456Z"))
    }
}
