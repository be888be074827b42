use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::DateTime;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::service::{Lobby, Place, Snapshot};
use record::{Name, RecordedOptions, Time};

/// The one status that games are listed by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the word says it")]
pub enum Waiting {
    Waiting,
}

/// A page of the games that strangers may join, newest first.
#[derive(Serialize, ToSchema)]
#[schema(as = Lobby)]
pub struct LobbyBody {
    /// The games.
    #[schema(max_items = 100)]
    pub games: Vec<OfferBody>,
    /// What goes into `after` for the next page; `null` at the end.
    #[schema(required, pattern = "^[A-Za-z0-9_-]{32}$")]
    pub next: Option<String>,
}

/// A game that can be joined.
#[derive(Serialize, ToSchema)]
#[schema(as = Offer)]
pub struct OfferBody {
    /// Its id: join it.
    pub id: Uuid,
    /// When it was created.
    pub created_at: Time,
    /// What is played.
    pub options: RecordedOptions,
    /// Who waits.
    pub host: HostBody,
    /// When it expires unless somebody joins.
    #[schema(required)]
    pub until: Option<Time>,
}

/// Who waits for an opponent.
#[derive(Serialize, ToSchema)]
#[schema(as = LobbyHost)]
pub struct HostBody {
    /// The name, if given.
    #[schema(required)]
    pub name: Option<Name>,
}

impl From<Lobby> for LobbyBody {
    fn from(lobby: Lobby) -> Self {
        Self { games: lobby.offers.into_iter().map(OfferBody::from).collect(), next: lobby.next.map(cursor) }
    }
}

impl From<Snapshot> for OfferBody {
    fn from(offer: Snapshot) -> Self {
        Self {
            id: offer.id,
            created_at: Time(offer.created_at),
            options: RecordedOptions::from(offer.game.options()),
            host: HostBody { name: offer.names.host.map(Name) },
            until: offer.due_at.map(Time),
        }
    }
}

/// A place in the list as text: base64url of its microseconds and its id.
fn cursor((at, id): Place) -> String {
    let mut bytes = at.timestamp_micros().to_be_bytes().to_vec();
    bytes.extend_from_slice(id.as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Reads a place back. A time that no game can have counts as the nearest that a database knows.
pub fn place_of(cursor: &str) -> Option<Place> {
    let bytes: [u8; 24] = URL_SAFE_NO_PAD.decode(cursor).ok()?.try_into().ok()?;
    let (at, id) = bytes.split_first_chunk::<8>()?;
    let at = i64::from_be_bytes(*at).clamp(0, LAST_MICROSECOND);
    Some((DateTime::from_timestamp_micros(at)?, Uuid::from_slice(id).ok()?))
}

/// The end of the year 9999.
const LAST_MICROSECOND: i64 = 253_402_300_799_999_999;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_one_spelling() {
        let place = (DateTime::from_timestamp_micros(1_796_000_000_123_456).unwrap(), Uuid::from_u128(7));

        let text = cursor(place);

        assert_eq!(text.len(), 32);
        assert_eq!(place_of(&text), Some(place));
        for other in ["", "x", &text[1..], &format!("{text}A"), &text.replacen('A', "=", 1), &"_".repeat(32)] {
            assert_ne!(place_of(other), Some(place), "{other}");
        }
        for any in ["f", "_", "A"] {
            assert!(
                place_of(&any.repeat(32)).is_some_and(|(at, _)| at.timestamp_micros() <= LAST_MICROSECOND),
                "{any}"
            );
        }
    }
}
