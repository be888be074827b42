use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use uuid::Uuid;

use super::address::Address;
use super::problem::Problem;
use crate::schema::Code;
use crate::text::Message;

/// How many requests of one address may follow or await logs at a time.
const PER_ADDRESS: usize = 50;

/// How many requests may follow or await the log of one game at a time.
const PER_GAME: usize = 500;

/// The places of those who follow or await logs on this server.
#[derive(Clone)]
pub(super) struct StreamQuota {
    by_address: Option<Counts<Address>>,
    by_game: Option<Counts<Uuid>>,
}

/// The place of one request; it is free again when dropped.
pub(super) struct Place {
    _address: Option<Counted<Address>>,
    _game: Option<Counted<Uuid>>,
}

impl StreamQuota {
    /// Places with their limits, or without.
    pub(super) fn new(limited: bool) -> Self {
        Self { by_address: limited.then(Counts::default), by_game: limited.then(Counts::default) }
    }

    /// Takes a place.
    ///
    /// # Errors
    ///
    /// `429 rate_limited` where an address or a game has too many.
    pub(super) fn take(&self, address: Option<Address>, game: Option<Uuid>) -> Result<Place, Problem> {
        let limited = |detail| Problem::new(Code::RateLimited, detail);
        let address = match (&self.by_address, address) {
            (Some(counts), Some(address)) => {
                Some(counts.take(address, PER_ADDRESS).ok_or_else(|| limited(Message::AddressFollowsEnough))?)
            }
            (None, _) | (_, None) => None,
        };
        let game = match (&self.by_game, game) {
            (Some(counts), Some(game)) => {
                Some(counts.take(game, PER_GAME).ok_or_else(|| limited(Message::GameFollowedEnough))?)
            }
            (None, _) | (_, None) => None,
        };
        Ok(Place { _address: address, _game: game })
    }
}

/// How often each key is in use.
struct Counts<K>(Arc<Mutex<HashMap<K, usize>>>);

struct Counted<K: Hash + Eq> {
    counts: Counts<K>,
    key: K,
}

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K> Clone for Counts<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Hash + Eq + Copy> Counts<K> {
    fn take(&self, key: K, most: usize) -> Option<Counted<K>> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(key).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Counted { counts: self.clone(), key })
    }
}

impl<K: Hash + Eq> Drop for Counted<K> {
    fn drop(&mut self) {
        let mut counts = self.counts.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
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
        let counts = places.by_address.unwrap();
        assert_eq!(counts.0.lock().unwrap().len(), 0, "nothing is kept of those who left");
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
