//! How many open games an address has in the lobby.
//!
//! This is known to each server by itself, of the games that were created through it, and nowhere else: what is kept of a
//! game says nothing of who made it, not even as a hash that a key of the server's could open. So with several servers an
//! address may have as many at each, and a restart forgets them; the lobby is still bounded by what one address can do.
//! Which of them are open is asked of the database, and only where an address would have too many.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::{Duration, Instant};
use uuid::Uuid;

use crate::address::Address;
use crate::store::{Failure, Session};

/// How many open listed games an address may have.
pub(crate) const MOST_LISTED: usize = 20;

/// So many addresses are kept whether their games can be open still or not.
const MANY: usize = 1_024;

/// The listed games of each address.
#[derive(Default)]
pub(super) struct ListedGames(Mutex<Ledger>);

#[derive(Default)]
struct Ledger {
    addresses: HashMap<Address, Vec<Entry>>,
    next: u64,
    /// How many addresses there may be before those of no more use are looked for.
    sweep_at: usize,
}

struct Entry {
    number: u64,
    /// None while it is being created.
    game: Option<Uuid>,
    /// After this it has expired for sure.
    until: Instant,
}

/// A place for a game to be listed; it is free again when dropped, unless the game was created.
pub(super) struct Listing {
    games: Arc<ListedGames>,
    address: Address,
    number: u64,
    is_kept: bool,
}

impl ListedGames {
    /// Takes a place for a game that expires after this time; none where the address has as many open ones as it may.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer.
    pub(super) async fn take(
        self: &Arc<Self>,
        session: &mut Session,
        address: Address,
        expire_after: Duration,
    ) -> Result<Option<Listing>, Failure> {
        if let Some(listing) = self.try_take(address, expire_after, Instant::now()) {
            return Ok(Some(listing));
        }
        let known = self.games_of(address);
        let open = session.list_open_offers(&known).await?;
        self.forget(address, |game| known.contains(&game) && !open.contains(&game));
        Ok(self.try_take(address, expire_after, Instant::now()))
    }

    fn try_take(self: &Arc<Self>, address: Address, expire_after: Duration, now: Instant) -> Option<Listing> {
        let mut ledger = self.ledger();
        ledger.sweep(now);
        let number = ledger.next;
        let entries = ledger.addresses.entry(address).or_default();
        entries.retain(|entry| entry.until > now);
        if entries.len() >= MOST_LISTED {
            return None;
        }
        entries.push(Entry { number, game: None, until: now + expire_after });
        ledger.next += 1;
        Some(Listing { games: Arc::clone(self), address, number, is_kept: false })
    }

    fn games_of(&self, address: Address) -> Vec<Uuid> {
        let ledger = self.ledger();
        ledger.addresses.get(&address).into_iter().flatten().filter_map(|entry| entry.game).collect()
    }

    /// Forgets games of an address.
    fn forget(&self, address: Address, is_over: impl Fn(Uuid) -> bool) {
        self.ledger().retain(address, |entry| !entry.game.is_some_and(&is_over));
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger {
    fn retain(&mut self, address: Address, is_kept: impl Fn(&Entry) -> bool) {
        if let Some(entries) = self.addresses.get_mut(&address) {
            entries.retain(is_kept);
            if entries.is_empty() {
                self.addresses.remove(&address);
            }
        }
    }

    fn sweep(&mut self, now: Instant) {
        if self.addresses.len() >= self.sweep_at.max(MANY) {
            self.addresses.retain(|_, entries| entries.iter().any(|entry| entry.until > now));
            // Where all are of use nobody looks again before there are twice as many.
            self.sweep_at = self.addresses.len() * 2;
        }
    }
}

impl Listing {
    /// The game was created.
    pub(super) fn keep(mut self, game: Uuid) {
        self.is_kept = true;
        let mut ledger = self.games.ledger();
        let entries = ledger.addresses.get_mut(&self.address);
        if let Some(entry) = entries.into_iter().flatten().find(|entry| entry.number == self.number) {
            entry.game = Some(game);
        }
    }
}

impl Drop for Listing {
    fn drop(&mut self) {
        if !self.is_kept {
            self.games.ledger().retain(self.address, |entry| entry.number != self.number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_hours(24);

    fn address(number: u32) -> Address {
        Address::V4(number.to_be_bytes())
    }

    #[test]
    fn an_address_has_so_many_and_gets_those_back_that_are_over_or_came_to_nothing() {
        let games = Arc::new(ListedGames::default());
        let now = Instant::now();
        let take = |number| games.try_take(address(number), DAY, now);
        let id = |number: usize| Uuid::from_u128(u128::try_from(number).unwrap());
        for number in 1..MOST_LISTED {
            take(1).unwrap().keep(id(number));
        }

        let last = take(1).unwrap();
        assert!(take(1).is_none() && take(2).is_some());
        drop(last);
        take(1).unwrap().keep(id(MOST_LISTED));
        assert!(take(1).is_none());
        games.forget(address(1), |game| game == id(7));
        assert!(take(1).is_some());
        assert_eq!(games.games_of(address(1)).len(), MOST_LISTED - 1);
        assert!(games.try_take(address(1), DAY, now + DAY).is_some(), "all have expired");
    }

    #[test]
    fn nothing_is_kept_of_addresses_whose_games_have_expired() {
        let games = Arc::new(ListedGames::default());
        let began = Instant::now();
        for number in 0..10_000_u32 {
            let now = began + Duration::from_millis(100) * number;
            games.try_take(address(number), Duration::from_secs(10), now).unwrap().keep(Uuid::nil());
        }

        assert!(games.ledger().addresses.len() <= 2 * MANY, "{}", games.ledger().addresses.len());
    }
}
