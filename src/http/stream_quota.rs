use uuid::Uuid;

use super::address::Address;
use super::problem::Problem;
use crate::registry::{Handle, Registry};
use crate::schema::Code;
use crate::text::Message;

/// How many requests of one address may follow or await logs at a time.
const PER_ADDRESS: usize = 50;

/// How many requests may follow or await the log of one game at a time.
const PER_GAME: usize = 500;

/// The places of those who follow or await logs on this server.
#[derive(Clone)]
pub(super) struct StreamQuota {
    by_address: Option<Registry<Address, ()>>,
    by_game: Option<Registry<Uuid, ()>>,
}

/// The place of one request; it is free again when dropped.
pub(super) struct StreamPlace {
    _address: Option<Handle<Address, ()>>,
    _game: Option<Handle<Uuid, ()>>,
}

impl StreamQuota {
    /// Places with their limits, or without.
    pub(super) fn new(limited: bool) -> Self {
        Self { by_address: limited.then(Registry::default), by_game: limited.then(Registry::default) }
    }

    /// Takes a place.
    ///
    /// # Errors
    ///
    /// `429 rate_limited` where an address or a game has too many.
    pub(super) fn take(&self, address: Option<Address>, game: Option<Uuid>) -> Result<StreamPlace, Problem> {
        let limited = |detail| Problem::new(Code::RateLimited, detail);
        let address = match (&self.by_address, address) {
            (Some(held), Some(address)) => Some(
                held.hold_below(PER_ADDRESS, address, || ()).ok_or_else(|| limited(Message::AddressFollowsEnough))?,
            ),
            (None, _) | (_, None) => None,
        };
        let game = match (&self.by_game, game) {
            (Some(held), Some(game)) => {
                Some(held.hold_below(PER_GAME, game, || ()).ok_or_else(|| limited(Message::GameFollowedEnough))?)
            }
            (None, _) | (_, None) => None,
        };
        Ok(StreamPlace { _address: address, _game: game })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_places_and_gets_them_back() {
        let places = StreamQuota::new(true);
        let (one, other) = (Some(Address::V4([192, 0, 2, 1])), Some(Address::V4([192, 0, 2, 2])));
        let taken: Vec<_> = (0..PER_ADDRESS).map(|_| places.take(one, None).unwrap()).collect();

        assert!(places.take(one, None).is_err());
        assert!(places.take(other, None).is_ok());
        drop(taken);
        assert!(places.take(one, None).is_ok());
        let addresses = places.by_address.unwrap();
        assert!(addresses.keys().is_empty(), "nothing is kept of those who left");
    }

    #[test]
    fn a_game_has_so_many_places_whoever_takes_them() {
        let places = StreamQuota::new(true);
        let taken: Vec<_> = (0..PER_GAME).map(|_| places.take(None, Some(Uuid::nil())).unwrap()).collect();

        assert!(places.take(None, Some(Uuid::nil())).is_err());
        assert!(places.take(None, Some(Uuid::max())).is_ok());
        drop(taken);
        assert!(places.take(None, Some(Uuid::nil())).is_ok());
    }

    #[test]
    fn without_limits_everybody_has_a_place() {
        let places = StreamQuota::new(false);
        let address = Some(Address::V4([127, 0, 0, 1]));

        let taken: Vec<_> = (0..PER_GAME * 2).map(|_| places.take(address, Some(Uuid::nil()))).collect();

        assert!(taken.iter().all(Result::is_ok));
    }
}
