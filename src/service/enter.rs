use uuid::Uuid;

use super::detached::Turn;
use super::keys::Fingerprint;
use super::late::InTime;
use super::places::Place;
use super::{Caller, Credential, Declined, Error, Games};
use crate::deadlines;
use crate::entropy::Token;
use crate::store::{Failure, Session, Snapshot};
use engine::Seat;

/// A game that was found for somebody whose token is good, to be read.
pub struct Visit {
    pub(super) games: Games,
    /// What keeps too many from working at the database at once.
    pub(super) place: Place,
    pub(super) session: Session,
    pub(super) stored: Snapshot,
    /// The caller's seat; none for a spectator.
    pub(super) seat: Option<Seat>,
}

/// A game that was found for somebody who wants to change it, in time or over.
pub(super) struct GameToChange {
    /// Held to the end of the change.
    pub turn: Turn,
    pub found: InTime,
    /// The version that the game had when the request came.
    pub first_version: u32,
}

impl Games {
    /// Finds the caller's game, to read it.
    ///
    /// # Errors
    ///
    /// [`Declined::NoSuchGame`], then [`Declined::Unauthorized`] for anything but no token or a token
    /// of this game; [`Failure`] when the database does not answer.
    pub async fn enter(&self, caller: &Caller) -> Result<Visit, Error> {
        let id = caller.game.ok_or(Declined::NoSuchGame)?;
        let finding = async {
            let place = self.under_way.places.take(caller.origin).await?;
            Ok::<_, Error>((place, self.store.load(id, None).await?))
        };
        // With what it waits for a place it takes no longer than a change.
        let found = tokio::time::timeout(deadlines::ANSWER, finding).await;
        let (place, (session, found)) = found.map_err(|_| Failure::Unavailable("no answer in time"))??;
        let stored = found.ok_or(Declined::NoSuchGame)?;
        let seat = caller.seat_in(&stored)?;
        Ok(Visit { games: self.clone(), place, session, stored, seat })
    }

    /// Finds the caller's game, to change it; with it comes what was kept of this request.
    pub(super) async fn enter_to_change(
        &self,
        caller: &Caller,
        request: Option<Fingerprint>,
    ) -> Result<GameToChange, Error> {
        let id = caller.game.ok_or(Declined::NoSuchGame)?;
        let (turn, seen) = self.turn_at(id).await?;
        let found = self.load_in_time(id, request).await?;
        let first_version = seen.unwrap_or(found.stored.version);
        Ok(GameToChange { turn, found, first_version })
    }
}

impl Visit {
    /// The game's id.
    pub(crate) fn game(&self) -> Uuid {
        self.stored.id
    }

    /// The caller's seat; none for a spectator.
    pub(crate) fn seat(&self) -> Option<Seat> {
        self.seat
    }

    /// The `seq` of the game's last event.
    pub(crate) fn version(&self) -> u32 {
        self.stored.version
    }
}

impl Credential {
    /// Reads a token.
    pub(crate) fn parse(text: &str) -> Self {
        Token::parse(text).map_or(Self::Invalid, Self::Token)
    }
}

impl Caller {
    /// The caller's seat in this game; none for a spectator.
    ///
    /// # Errors
    ///
    /// [`Declined::Unauthorized`] for anything but no token or a token of this game.
    pub(super) fn seat_in(&self, stored: &Snapshot) -> Result<Option<Seat>, Declined> {
        match &self.token {
            Credential::Nothing => Ok(None),
            Credential::Invalid => Err(Declined::Unauthorized),
            Credential::Token(token) => stored.seat_of(token.bytes()).map(Some).ok_or(Declined::Unauthorized),
        }
    }

    /// The caller's seat in this game, and its token.
    ///
    /// # Errors
    ///
    /// [`Declined::Unauthorized`] for anything but a token of this game.
    pub(super) fn player_in(&self, stored: &Snapshot) -> Result<(Seat, &Token), Declined> {
        match (&self.token, self.seat_in(stored)?) {
            (Credential::Token(token), Some(seat)) => Ok((seat, token)),
            (Credential::Nothing | Credential::Invalid | Credential::Token(_), _) => Err(Declined::Unauthorized),
        }
    }
}
