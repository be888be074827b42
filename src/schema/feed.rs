use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::service::FeedPage;
use record::Logged;

/// A page of a feed.
#[derive(Serialize, ToSchema)]
#[schema(as = Feed)]
pub struct FeedBody {
    /// The events, those of each game in order.
    #[schema(value_type = Vec<Logged>, max_items = 500)]
    pub events: Vec<FeedEventBody>,
    /// How far each log was read, in the order asked: what goes into `after` for the next page.
    #[schema(pattern = r"^[0-9]{1,10}(\.[0-9]{1,10}){0,49}$")]
    pub after: String,
}

/// An event with the game that it is of, before all else.
pub struct FeedEventBody {
    /// The game.
    pub game: Uuid,
    /// The event.
    pub event: Logged,
}

impl From<FeedPage> for FeedBody {
    fn from(page: FeedPage) -> Self {
        let events = page.events.into_iter().map(|(game, event)| FeedEventBody { game, event }).collect();
        Self { events, after: joined(&page.after) }
    }
}

/// Positions in many logs as one text, such as `12.0.7`.
pub fn joined(positions: &[u32]) -> String {
    positions.iter().map(u32::to_string).collect::<Vec<_>>().join(".")
}

/// An event as it is served in a feed: as ever, with `game` before all else. `created` has that by itself, and has it once.
///
/// # Errors
///
/// Where its body is no object.
pub fn in_feed(game: Uuid, event: &Logged) -> serde_json::Result<String> {
    let (json, game) = (event.to_json()?, format!(r#""game":"{game}","#));
    let own = if event.seq == 1 { json.replacen(&game, "", 1) } else { json };
    let own = own.strip_prefix('{').ok_or_else(|| serde_json::Error::custom("an event is no object"))?;
    Ok(format!("{{{game}{own}"))
}

impl Serialize for FeedEventBody {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let json = in_feed(self.game, &self.event).and_then(RawValue::from_string).map_err(S::Error::custom)?;
        json.serialize(out)
    }
}

#[cfg(test)]
mod tests {
    use engine::{Game, Options, Seat};
    use record::GameStatus;
    use record::proof::NO_HEAD;

    use super::*;

    fn event(seq: u32, body: &str) -> Logged {
        let standing = GameStatus::of(&Game::new(Options::default(), Seat::Guest), None);
        Logged { seq, body: body.to_owned(), head: NO_HEAD, standing }
    }

    #[test]
    fn an_event_of_a_feed_says_its_game_once_and_first() {
        let game = Uuid::from_u128(7);
        let id = game.to_string();
        let name = format!(r#"\"game\":\"{id}\","#);
        let created = format!(r#"{{"at":"x","game":"{id}","name":"{name}","seq":1,"type":"created"}}"#);

        let created = in_feed(game, &event(1, &created)).unwrap();
        let fired = in_feed(game, &event(2, r#"{"at":"x","seq":2,"type":"fired"}"#)).unwrap();

        assert!(created.starts_with(&format!(r#"{{"game":"{id}","at":"x","name":"{name}","seq":1,"type":"created","#)));
        assert!(fired.starts_with(&format!(r#"{{"game":"{id}","at":"x","seq":2,"type":"fired","#)));
        assert!(created.contains(r#""head":"#) && serde_json::from_str::<serde_json::Value>(&created).is_ok());
    }
}
