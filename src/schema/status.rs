use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::Misread;
use super::id::game_id;
use crate::service::{Credential, Glance, Named};
use crate::text::Message;
use record::{AwaitedBody, SeatWord, StatusWord};

/// How many games are looked at or followed with one request.
pub const MOST_GAMES: usize = 50;

/// Games to look at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({"games": [{"id": "0199a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b"}]})))]
pub struct GamesStatusRequest {
    /// The games, in any order; the reply has the same.
    #[schema(min_items = 1, max_items = 50)]
    pub games: Vec<NamedGameRequest>,
}

/// A game to look at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NamedGame)]
pub struct NamedGameRequest {
    /// Its id. What is no id is one of no game.
    #[schema(max_length = 16_384)]
    pub id: String,
    /// The token of a seat, to be told which seat that is. The header `Authorization` is ignored.
    #[schema(max_length = 16_384)]
    pub token: Option<String>,
}

impl GamesStatusRequest {
    /// The games in the order sent.
    ///
    /// # Errors
    ///
    /// [`Misread`] for none, and for too many.
    pub(crate) fn read(self) -> Result<Vec<Named>, Misread> {
        if !(1..=MOST_GAMES).contains(&self.games.len()) {
            return Err(Misread::at("games", Message::ListHas { min: 1, max: MOST_GAMES }));
        }
        let named = |NamedGameRequest { id, token }| Named {
            game: game_id(&id),
            token: token.map_or(Credential::Nothing, |token| Credential::parse(&token)),
        };
        Ok(self.games.into_iter().map(named).collect())
    }
}

/// Games at a glance.
#[derive(Serialize, ToSchema)]
#[schema(as = GamesStatus)]
pub struct GamesStatusBody {
    /// In the order sent; `null` for a game that there is not, and where the token is none of its.
    #[schema(min_items = 1, max_items = 50)]
    pub games: Vec<Option<GlanceBody>>,
}

/// A game at a glance.
#[derive(Serialize, ToSchema)]
#[schema(as = Glance)]
pub struct GlanceBody {
    /// Its id.
    pub id: Uuid,
    /// The `seq` of its last event.
    #[schema(minimum = 1, maximum = 2_147_483_647)]
    pub version: u32,
    /// How far it has come.
    pub status: StatusWord,
    /// The seat of the token; `null` without one.
    #[schema(required)]
    pub you: Option<SeatWord>,
    /// Who owes what.
    #[schema(max_items = 2)]
    pub awaiting: Vec<AwaitedBody>,
    /// The rematch, once somebody has asked for one.
    #[schema(required)]
    pub next: Option<Uuid>,
}

impl From<Vec<Option<Glance>>> for GamesStatusBody {
    fn from(glances: Vec<Option<Glance>>) -> Self {
        Self { games: glances.into_iter().map(|glance| glance.map(GlanceBody::from)).collect() }
    }
}

impl From<Glance> for GlanceBody {
    fn from(glance: Glance) -> Self {
        Self {
            id: glance.id,
            version: glance.version,
            status: glance.standing.status.into(),
            you: glance.seat.map(SeatWord::from),
            awaiting: AwaitedBody::list(&glance.standing),
            next: glance.next,
        }
    }
}
