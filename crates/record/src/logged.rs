use arrayvec::ArrayVec;
use chrono::{DateTime, Utc};
use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::canonical::canonical;
use crate::proof::{self, Hash};
use crate::{ActionWord, Happened, Hex, ReasonWord, RecordedEvent, SeatWord, StatusWord, Time};
use engine::{Action, Awaiting, Ending, Game, Status};

/// Where a game stands after an event: derived, kept beside the log, outside the hash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameStatus {
    /// The phase in one word.
    pub status: Status,
    /// Who owes what.
    pub awaiting: ArrayVec<Awaiting, 2>,
    /// Until when that is awaited; none without a clock.
    pub until: Option<DateTime<Utc>>,
}

/// One event of a log as it is kept, and as it is served: the very bytes that were hashed, and the
/// derived fields behind them.
///
/// It is never parsed and written anew, so it keeps what a later release does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Logged {
    /// Its place in the log, from 1.
    pub seq: u32,
    /// The very bytes that were hashed: a JSON object without derived fields.
    pub body: String,
    /// The chain's head after it.
    pub head: Hash,
    /// Where the game stood after it.
    pub standing: GameStatus,
}

impl GameStatus {
    /// Where a game stands.
    pub fn of(game: &Game, until: Option<DateTime<Utc>>) -> Self {
        Self { status: game.status(), awaiting: game.awaiting().collect(), until }
    }
}

/// What is derived of a game after an event.
#[derive(Serialize)]
struct Derived {
    status: StatusWord,
    awaiting: Vec<AwaitedBody>,
    head: Hex,
}

impl Logged {
    /// Writes down what happened, `game` being the game after it.
    pub fn write(
        seq: u32,
        before: &Hash,
        at: DateTime<Utc>,
        happened: Happened<'_>,
        game: &Game,
        until: Option<DateTime<Utc>>,
    ) -> Self {
        let body = RecordedEvent { seq, at, happened, result: game.ending() }.write();
        Self { seq, head: proof::head(before, &body), body, standing: GameStatus::of(game, until) }
    }

    /// As it is served.
    ///
    /// # Errors
    ///
    /// Where its body is no object.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let derived = serde_json::to_string(&Derived {
            status: self.standing.status.into(),
            awaiting: AwaitedBody::list(&self.standing),
            head: Hex(self.head),
        })?;
        let joined = self.body.strip_suffix('}').zip(derived.strip_prefix('{'));
        let (stored, derived) = joined.ok_or_else(|| serde_json::Error::custom("an event is no object"))?;
        Ok(format!("{stored},{derived}"))
    }
}

/// An event as it is served, of what is kept of it and may be anything: a text where it is no object,
/// and `null` where it is not known where the game stood.
pub fn served(body: &str, standing: Option<&GameStatus>, head: &[u8]) -> Value {
    let Ok(Value::Object(mut event)) = serde_json::from_str(body) else { return Value::String(body.to_owned()) };
    let status = standing.and_then(|standing| serde_json::to_value(StatusWord::from(standing.status)).ok());
    let awaiting = standing.and_then(|standing| serde_json::to_value(AwaitedBody::list(standing)).ok());
    event.insert("status".to_owned(), status.unwrap_or_default());
    event.insert("awaiting".to_owned(), awaiting.unwrap_or_default());
    event.insert("head".to_owned(), hex::encode(head).into());
    Value::Object(event)
}

impl Serialize for Logged {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let json = self.to_json().and_then(RawValue::from_string).map_err(S::Error::custom)?;
        json.serialize(out)
    }
}

/// What a seat owes the game.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Due))]
pub struct AwaitedBody {
    /// Who.
    pub seat: SeatWord,
    /// What.
    pub action: ActionWord,
    /// How many shots or cells; 1 for the others.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 10))]
    pub count: u8,
    /// Until when; `null` without a clock, and for whoever may place while the other seat is free.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub until: Option<Time>,
}

impl AwaitedBody {
    /// What is awaited, in the order of [`Game::awaiting`].
    ///
    /// While a seat is free the time that runs is that of the joining: whoever waits may place at any time.
    pub fn list(standing: &GameStatus) -> Vec<Self> {
        let body = |&Awaiting { seat, action, count }: &Awaiting| Self {
            seat: seat.into(),
            action: action.into(),
            count,
            until: standing.until.map(Time).filter(|_| standing.status != Status::Waiting || action == Action::Join),
        };
        standing.awaiting.iter().map(body).collect()
    }
}

/// How a game ended.
#[derive(Clone, Copy, Serialize, Deserialize, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = GameResult))]
pub struct RecordedResult {
    /// Who won; `null` after an abort.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub winner: Option<SeatWord>,
    /// Why it ended.
    pub reason: ReasonWord,
}

canonical!(RecordedResult { reason, winner });

impl From<Ending> for RecordedResult {
    fn from(ending: Ending) -> Self {
        Self { winner: ending.winner().map(SeatWord::from), reason: ending.reason().into() }
    }
}

impl RecordedResult {
    /// The ending; none for a victory of nobody and an abort that somebody won.
    pub(crate) fn ending(self) -> Option<Ending> {
        Ending::of(self.reason.0, self.winner.map(|winner| winner.0))
    }
}

/// The schema of an event: that of what happened, each kind by a name of its own and with the fields that all events have.
#[cfg(feature = "openapi")]
mod schemas {
    use std::borrow::Cow;

    use utoipa::openapi::schema::{Discriminator, Object, OneOfBuilder, Schema};
    use utoipa::openapi::{Ref, RefOr};
    use utoipa::{PartialSchema, ToSchema};
    use uuid::Uuid;

    use super::{AwaitedBody, Logged, RecordedResult};
    use crate::{Happened, StatusWord, Time, type_name};

    /// What every event has.
    #[derive(ToSchema)]
    #[expect(dead_code, reason = "only its schema is asked for")]
    struct OfEveryEvent {
        /// Its place in the log, from 1.
        #[schema(minimum = 1, maximum = 2_147_483_647)]
        seq: u32,
        /// When, by the database's clock.
        at: Time,
        /// The game's id: in `created`, and in a feed.
        #[schema(nullable = false)]
        game: Option<Uuid>,
        /// How the game ended; on its last event alone.
        #[schema(nullable = false)]
        result: Option<RecordedResult>,
        /// How far the game has come after this event.
        status: StatusWord,
        /// Who owes what after this event.
        #[schema(max_items = 2)]
        awaiting: Vec<AwaitedBody>,
        /// The chain's head after this event: SHA-256 in hex.
        #[schema(pattern = "^[0-9a-f]{64}$")]
        head: String,
    }

    /// The field that tells one kind of event from another.
    const TAG: &str = "type";

    /// The fields that stand before what an event has of its own.
    const FIRST: [&str; 2] = ["seq", "at"];

    /// What an event may be: the word of its type, and its schema.
    struct Kind {
        word: String,
        schema: Object,
    }

    impl Kind {
        fn all() -> Vec<Self> {
            let (RefOr::T(Schema::OneOf(happened)), RefOr::T(Schema::Object(common))) =
                (Happened::schema(), OfEveryEvent::schema())
            else {
                return Vec::new();
            };
            let objects = happened.items.into_iter().filter_map(|item| {
                let RefOr::T(Schema::Object(schema)) = item else { return None };
                Some(Self { word: word_of(&schema)?, schema })
            });
            objects.map(|kind| kind.complete(&common)).collect()
        }

        /// What it is called, such as `TimedOutEvent`.
        fn name(&self) -> String {
            format!("{}Event", type_name(&self.word))
        }

        fn complete(mut self, common: &Object) -> Self {
            let schema = &mut self.schema;
            schema.properties.extend(common.properties.clone());
            let tag = schema.required.pop();
            let (first, last): (Vec<_>, Vec<_>) =
                common.required.iter().cloned().partition(|field| FIRST.contains(&field.as_str()));
            let own = std::mem::take(&mut schema.required);
            schema.required = first.into_iter().chain(own).chain(last).chain(tag).collect();
            self
        }
    }

    /// The one word that the tag of a kind may be.
    fn word_of(schema: &Object) -> Option<String> {
        let Some(RefOr::T(Schema::Object(tag))) = schema.properties.get(TAG) else { return None };
        tag.enum_values.as_ref()?.first()?.as_str().map(str::to_owned)
    }

    impl PartialSchema for Logged {
        fn schema() -> RefOr<Schema> {
            let RefOr::T(Schema::OneOf(happened)) = Happened::schema() else { return Happened::schema() };
            let kinds = Kind::all();
            let mut discriminator = Discriminator::new(TAG);
            discriminator.mapping =
                kinds.iter().map(|kind| (kind.word.clone(), Ref::from_schema_name(kind.name()).ref_location)).collect();
            kinds
                .iter()
                .fold(OneOfBuilder::new(), |all, kind| all.item(Ref::from_schema_name(kind.name())))
                .description(happened.description)
                .discriminator(Some(discriminator))
                .into()
        }
    }

    impl ToSchema for Logged {
        fn name() -> Cow<'static, str> {
            "GameEvent".into()
        }

        fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
            schemas.extend(Kind::all().into_iter().map(|kind| (kind.name(), Schema::Object(kind.schema).into())));
            Happened::schemas(schemas);
            OfEveryEvent::schemas(schemas);
        }
    }
}
