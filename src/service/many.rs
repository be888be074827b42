//! Many games at once: which there are, and where each stands.

use std::collections::HashMap;

use uuid::Uuid;

use super::places::Place;
use super::{Credential, Error, Games, Origin};
use crate::deadlines;
use crate::store::{Failure, Session, Snapshot};
use engine::{Seat, Status};
use record::GameStatus;

/// A game as a request names it; nothing is looked up yet.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// The game; none where it is not in the one spelling.
    pub game: Option<Uuid>,
    /// What came as the token of a seat.
    pub token: Credential,
}

/// A game at a glance, through the eyes of whoever asks.
pub(crate) struct Glance {
    /// The game.
    pub id: Uuid,
    /// The `seq` of its last event.
    pub version: u32,
    /// Where it stands.
    pub standing: GameStatus,
    /// The seat of whoever asks; none for a spectator.
    pub seat: Option<Seat>,
    /// Its rematch.
    pub next: Option<Uuid>,
}

/// Games that were looked for, and what it takes to read on.
pub(super) struct Found {
    pub(super) session: Session,
    games: HashMap<Uuid, Snapshot>,
    _place: Place,
}

impl Games {
    /// Looks at many games with one statement: each in the order asked, none where there is no such game or the token is
    /// none of its.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer.
    pub(crate) async fn glance(&self, origin: Origin, named: &[Named]) -> Result<Vec<Option<Glance>>, Error> {
        let mut asked: Vec<Uuid> = named.iter().filter_map(|named| named.game).collect();
        asked.sort_unstable();
        asked.dedup();
        let found = self.find(origin, &asked).await?;
        Ok(named.iter().map(|named| found.glance(named)).collect())
    }

    /// Finds many games, none of them named twice.
    pub(super) async fn find(&self, origin: Origin, ids: &[Uuid]) -> Result<Found, Error> {
        let finding = async {
            let place = self.under_way.places.take(origin).await?;
            let (session, games) = self.store.load_many(ids).await?;
            Ok::<_, Error>(Found { session, games, _place: place })
        };
        // With what it waits for a place it takes no longer than a change.
        let found = tokio::time::timeout(deadlines::ANSWER, finding).await;
        found.map_err(|_| Failure::Unavailable("no answer in time"))?
    }

    /// Finds games once more, for whoever has been let in before.
    pub(super) async fn find_again(&self, ids: Vec<Uuid>) -> Result<Found, Failure> {
        let place = self.under_way.places.wait().await?;
        let (session, games) = self.store.load_many(&ids).await?;
        Ok(Found { session, games, _place: place })
    }
}

impl Found {
    /// The game of this id, where there is one: its version and whether it is over.
    pub(super) fn standing(&self, id: Uuid) -> Option<(u32, Status)> {
        self.games.get(&id).map(|stored| (stored.version, stored.game.status()))
    }

    fn glance(&self, named: &Named) -> Option<Glance> {
        let stored = self.games.get(&named.game?)?;
        let seat = match &named.token {
            Credential::Nothing => None,
            Credential::Invalid => return None,
            Credential::Token(token) => Some(stored.seat_of(token.bytes())?),
        };
        Some(Glance {
            id: stored.id,
            version: stored.version,
            standing: GameStatus::of(&stored.game, stored.due_at),
            seat,
            next: stored.next,
        })
    }
}
