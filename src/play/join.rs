use super::step::{Particulars, Step};
use super::{Caller, Declined, Games, Precondition, Seen, Tag};
use crate::engine;
use crate::entropy::{self, Token};
use crate::store::{Failure, Joining};

/// What somebody who joins sends.
pub struct Invitation {
    /// Their name.
    pub name: Option<String>,
    /// `If-Match`.
    pub precondition: Option<Precondition>,
}

/// A seat with the token that opens it.
pub struct Seating {
    /// The token, shown this once.
    pub token: Token,
    /// The game through the new seat's eyes.
    pub seen: Seen,
}

impl Games {
    /// Takes the free seat. `read` reads the request once game and token are known to be good.
    ///
    /// # Errors
    ///
    /// As for [`Games::act`]; of the rules' refusals `GameOver`, `OwnGame` and `GameFull`.
    pub async fn join<E>(
        &self,
        caller: Caller,
        read: impl FnOnce() -> Result<Invitation, E> + Send + 'static,
    ) -> Result<Seating, E>
    where
        E: From<Declined> + From<Failure> + Send + 'static,
    {
        let games = self.clone();
        self.detached(caller.game, async move {
            let id = caller.game.ok_or(Declined::NoSuchGame)?;
            let (mut session, mut stored) = games.load_in_time(id).await??;
            let seat = caller.seat_in(&stored)?;
            let invitation = read()?;
            loop {
                if invitation
                    .precondition
                    .as_ref()
                    .is_some_and(|precondition| !precondition.holds(&Tag::of(&stored, seat)))
                {
                    return Err(Declined::Stale { version: stored.version }.into());
                }
                let coin = entropy::coin().map_err(Failure::from)?;
                let event = engine::join(&stored.game, seat, coin).map_err(Declined::Rules)?;
                let token = Token::draw().map_err(Failure::from)?;
                let name = invitation.name.as_deref();
                let step = Step::take(&stored, &event, Particulars { name, ..Particulars::default() })?;
                let joining = Joining { token: token.bytes(), name };
                let written = games.store.append_guest(&mut session, &step.as_move(&stored), &joining).await?;
                games.tell(&stored, &step, written);
                if written {
                    let mut stored = stored.after(&step.as_move(&stored));
                    stored.names.guest = invitation.name;
                    return Ok(Seating { token, seen: Seen::by(stored, Some(engine::Seat::Guest)) });
                }
                drop(session);
                (session, stored) = games.load_in_time(id).await??;
            }
        })
        .await
    }
}
