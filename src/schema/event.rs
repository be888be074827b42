use std::borrow::Cow;

use serde::ser::{Error as _, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::{AwaitedBody, Cell, Level, Mark, OptionsBody, ResultBody, Seat, ShipBody, Status, Time};
use crate::service::{GameStatus, Logged};

/// An event as it is served: the very bytes that were hashed, and the derived fields behind them.
///
/// It is never parsed and written anew, so it keeps what a later release does not know.
pub struct EventBody(pub Logged);

#[derive(Serialize)]
struct Derived {
    status: Status,
    awaiting: Vec<AwaitedBody>,
    head: String,
}

impl EventBody {
    /// The event as it is served.
    ///
    /// # Errors
    ///
    /// Those of the writer of JSON.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let standing: &GameStatus = &self.0.standing;
        let derived = serde_json::to_string(&Derived {
            status: standing.status.into(),
            awaiting: AwaitedBody::list(standing),
            head: hex::encode(self.0.head),
        })?;
        let stored = self.0.body.strip_suffix('}').unwrap_or(&self.0.body);
        let derived = derived.strip_prefix('{').unwrap_or(&derived);
        Ok(format!("{stored},{derived}"))
    }
}

impl Serialize for EventBody {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let json = self.to_json().and_then(RawValue::from_string).map_err(S::Error::custom)?;
        json.serialize(out)
    }
}

impl PartialSchema for EventBody {
    fn schema() -> RefOr<Schema> {
        Event::schema()
    }
}

impl ToSchema for EventBody {
    fn name() -> Cow<'static, str> {
        Event::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        Event::schemas(schemas);
    }
}

/// The kinds of events, each with the fields that all have and those of its own.
macro_rules! events {
    ($(
        $(#[$doc:meta])*
        $variant:ident { $($(#[$attribute:meta])* $field:ident: $type:ty,)* }
    )+) => {
        /// Something that happened in a game. It is public: it holds only what both players know.
        ///
        /// Fields that do not apply are left out. `status`, `awaiting` and `head` are derived; the
        /// rest, in canonical JSON (RFC 8785), is what the chain hashes.
        #[derive(Deserialize, ToSchema, Debug)]
        #[serde(tag = "type", rename_all = "snake_case")]
        pub enum Event {
            $(
                $(#[$doc])*
                $variant {
                    /// Its place in the log, from 1.
                    #[schema(minimum = 1, maximum = 2_147_483_647)]
                    seq: u32,
                    /// When, by the database's clock.
                    at: Time,
                    $($(#[$attribute])* $field: $type,)*
                    /// How the game ended; on its last event alone.
                    #[serde(default)]
                    #[schema(nullable = false)]
                    result: Option<ResultBody>,
                    /// How far the game has come after this event.
                    status: Status,
                    /// Who owes what after this event.
                    #[schema(max_items = 2)]
                    awaiting: Vec<AwaitedBody>,
                    /// The chain's head after this event: SHA-256 in hex.
                    #[schema(pattern = "^[0-9a-f]{64}$")]
                    head: String,
                },
            )+
        }
    };
}

events! {
    /// The game was created.
    Created {
        /// Who created it.
        seat: Seat,
        /// The game's id.
        game: Uuid,
        /// The version of the rules and of the byte forms.
        #[schema(minimum = 1, maximum = 1)]
        rules: u8,
        /// Every option, defaults filled in.
        options: OptionsBody,
        /// The creator's name, if given.
        #[serde(default)]
        #[schema(nullable = false, min_length = 1, max_length = 32)]
        name: Option<String>,
        /// The game of which this is the rematch.
        #[serde(default)]
        #[schema(nullable = false)]
        rematch_of: Option<Uuid>,
    }
    /// The free seat was taken.
    Joined {
        /// Which seat.
        seat: Seat,
        /// Who shoots first.
        first: Seat,
        /// The player's name, if given.
        #[serde(default)]
        #[schema(nullable = false, min_length = 1, max_length = 32)]
        name: Option<String>,
        /// How well it plays, if it is a bot.
        #[serde(default)]
        #[schema(nullable = false)]
        bot: Option<Level>,
    }
    /// Ships and mines were placed.
    Placed {
        /// Who placed.
        seat: Seat,
        /// The commitment to the layout: SHA-256 in hex.
        #[schema(pattern = "^[0-9a-f]{64}$")]
        commitment: String,
    }
    /// A shot or volley was fired.
    Fired {
        /// Who fired.
        seat: Seat,
        /// What each shot found, in the order sent.
        #[schema(min_items = 1, max_items = 10)]
        shots: Vec<ShotBody>,
        /// How many cells the shooter now owes; whenever a mine was struck.
        #[serde(default)]
        #[schema(nullable = false, minimum = 0, maximum = 3)]
        owed: Option<u8>,
    }
    /// Cells were given away.
    Revealed {
        /// Who gave.
        seat: Seat,
        /// Which cells, in the order sent.
        #[schema(min_items = 1, max_items = 3)]
        cells: Vec<Cell>,
    }
    /// A player resigned.
    Resigned {
        /// Who.
        seat: Seat,
    }
    /// The turn clock ran out.
    TimedOut {
        /// Who let it run out; left out where both owed a layout.
        #[serde(default)]
        #[schema(nullable = false)]
        seat: Option<Seat>,
    }
    /// Nobody joined in time.
    Expired {}
}

/// A shot and what it found.
#[derive(Deserialize, ToSchema, Debug)]
#[schema(as = Shot)]
pub struct ShotBody {
    /// Where.
    pub cell: Cell,
    /// What was there.
    pub outcome: Mark,
    /// The ship, with `sunk` alone.
    #[serde(default)]
    #[schema(nullable = false)]
    pub ship: Option<ShipBody>,
}
