//! Who has to guess: requests that name what this server does not know to be there.
//!
//! A failed guess is an unknown id, a wrong token or a refused join. Whoever has none left is answered before anything is
//! looked up, but whoever shows what was good before, at any address, goes on: what is known here is no state of a game,
//! only that an id exists, that a token was good, and that no seat is free. A server that does not know a token yet,
//! since it was started anew or another one gave it out, has to look it up, and at an address without guesses that has
//! to wait.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::futures::OwnedNotified;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use crate::address::Address;
use crate::budget::{Spent, Terms};
use crate::deadlines;
use crate::entropy::Token;

/// Guesses of an address, and what is no guess any more.
pub(super) struct Guesses {
    accounts: Arc<Accounts>,
    known: Known,
}

/// What a request names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named<'a> {
    /// A game that is there.
    Game(Uuid),
    /// A seat of a game, by its token.
    Seat(Uuid, &'a Token),
    /// A game without a free seat.
    Full(Uuid),
}

/// Guesses that may still fail. Those of whose outcome nothing is learnt have failed.
pub(super) struct Guess {
    accounts: Arc<Accounts>,
    address: Address,
    /// How many are undecided.
    open: u32,
}

struct Accounts {
    terms: Terms,
    ledger: Mutex<Ledger>,
}

#[derive(Default)]
struct Ledger {
    accounts: HashMap<Address, Account>,
    /// How many there may be before those that are of no more use are looked for.
    sweep_at: usize,
}

/// What an address has guessed.
#[derive(Default)]
struct Account {
    /// When all its failed guesses are forgotten; none where there are none.
    full_at: Option<Instant>,
    /// How many guesses are under way.
    open: u32,
    decided: Arc<Notify>,
}

/// So many accounts are kept whether they are of use or not.
const MANY: usize = 1_024;

impl Guesses {
    /// So many guesses for each address, and nothing known yet.
    pub(super) fn new(terms: Terms) -> Self {
        Self { accounts: Arc::new(Accounts { terms, ledger: Mutex::default() }), known: Known::default() }
    }

    /// Begins to guess so many times. No more guesses are under way at a time than may fail: who comes then waits for how
    /// they end.
    ///
    /// # Errors
    ///
    /// [`Spent`] where the address has not so many guesses left.
    pub(super) async fn begin(&self, address: Address, count: u32) -> Result<Guess, Spent> {
        let until = Instant::now() + deadlines::ANSWER;
        loop {
            let decided = match self.accounts.try_begin(address, count, Instant::now()) {
                Ok(()) => return Ok(Guess { accounts: Arc::clone(&self.accounts), address, open: count }),
                Err(Refused::Spent(wait)) => return Err(self.accounts.terms.spent(wait)),
                Err(Refused::UnderWay(decided)) => decided,
            };
            if timeout_at(until, decided).await.is_err() {
                return Err(self.accounts.terms.spent(Duration::ZERO));
            }
        }
    }

    /// Counts a guess that failed and seemed to be none.
    ///
    /// # Errors
    ///
    /// [`Spent`] where the address has no guess left.
    pub(super) fn fail(&self, address: Address) -> Result<(), Spent> {
        self.accounts.fail(address, Instant::now())
    }

    /// Whether it was good before.
    pub(super) fn knows(&self, named: Named<'_>) -> bool {
        self.known.has(named)
    }

    /// Remembers that it is good.
    pub(super) fn remember(&self, named: Named<'_>) {
        self.known.insert(named);
    }

    /// It is good no more.
    pub(super) fn forget(&self, named: Named<'_>) {
        self.known.remove(named);
    }
}

impl Guess {
    /// It was right, and costs nothing.
    pub(super) fn was_right(self) {
        self.failed(0);
    }

    /// So many of them failed, and the rest was right.
    pub(super) fn failed(mut self, failed: u32) {
        let open = std::mem::take(&mut self.open);
        self.accounts.end(self.address, open, failed, Instant::now());
    }
}

impl Drop for Guess {
    fn drop(&mut self) {
        if self.open > 0 {
            self.accounts.end(self.address, self.open, self.open, Instant::now());
        }
    }
}

/// Why nobody may guess at the moment.
enum Refused {
    /// There is one more after this time.
    Spent(Duration),
    /// As many are under way as may fail.
    UnderWay(OwnedNotified),
}

impl Accounts {
    fn try_begin(&self, address: Address, count: u32, now: Instant) -> Result<(), Refused> {
        let mut ledger = self.ledger();
        let account = ledger.account(address, now);
        let left = account.left(self.terms, now);
        if left < count {
            return Err(Refused::Spent(account.wait(self.terms, count, now)));
        }
        if left - count < account.open {
            return Err(Refused::UnderWay(Arc::clone(&account.decided).notified_owned()));
        }
        account.open += count;
        Ok(())
    }

    fn end(&self, address: Address, count: u32, failed: u32, now: Instant) {
        let mut ledger = self.ledger();
        let Some(account) = ledger.accounts.get_mut(&address) else { return };
        account.open = account.open.saturating_sub(count);
        account.charge(self.terms, failed, now);
        account.decided.notify_waiters();
        if account.open == 0 && account.full_at.is_none() {
            ledger.accounts.remove(&address);
        }
    }

    fn fail(&self, address: Address, now: Instant) -> Result<(), Spent> {
        let mut ledger = self.ledger();
        let account = ledger.account(address, now);
        if account.left(self.terms, now) == 0 {
            return Err(self.terms.spent(account.wait(self.terms, 1, now)));
        }
        account.charge(self.terms, 1, now);
        Ok(())
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger {
    fn account(&mut self, address: Address, now: Instant) -> &mut Account {
        if self.accounts.len() >= self.sweep_at.max(MANY) {
            self.accounts.retain(|_, account| account.is_of_use(now));
            // Where all are of use nobody looks again before there are twice as many.
            self.sweep_at = self.accounts.len() * 2;
        }
        self.accounts.entry(address).or_default()
    }
}

impl Account {
    fn is_of_use(&self, now: Instant) -> bool {
        self.open > 0 || self.full_at.is_some_and(|full_at| full_at > now)
    }

    fn charge(&mut self, terms: Terms, failed: u32, now: Instant) {
        if failed > 0 {
            self.full_at = Some(self.full_at.map_or(now, |full_at| full_at.max(now)) + terms.period * failed);
        }
    }

    /// How many guesses may still fail.
    fn left(&self, terms: Terms, now: Instant) -> u32 {
        let owed = self.full_at.map_or(Duration::ZERO, |full_at| full_at.saturating_duration_since(now));
        let failed = owed.as_nanos().div_ceil(terms.period.as_nanos().max(1));
        u32::try_from(failed).map_or(0, |failed| terms.burst.saturating_sub(failed))
    }

    /// How long it takes until so many may.
    fn wait(&self, terms: Terms, count: u32, now: Instant) -> Duration {
        let owed = self.full_at.map_or(Duration::ZERO, |full_at| full_at.saturating_duration_since(now));
        owed.saturating_sub(terms.period * terms.burst.saturating_sub(count))
    }
}

/// What was good of late, by hashes that nobody outside can foresee. The eldest are forgotten.
#[derive(Default)]
struct Known {
    hasher: RandomState,
    sets: Mutex<Generations>,
}

#[derive(Default)]
struct Generations {
    young: HashSet<u64>,
    old: HashSet<u64>,
}

/// How many things are known before the elder half is forgotten.
const A_GENERATION: usize = 65_536;

impl Known {
    fn has(&self, named: Named<'_>) -> bool {
        let hash = self.hash(named);
        let mut sets = self.sets();
        let is_old = sets.old.remove(&hash);
        if is_old {
            sets.insert(hash);
        }
        is_old || sets.young.contains(&hash)
    }

    fn insert(&self, named: Named<'_>) {
        self.sets().insert(self.hash(named));
    }

    fn remove(&self, named: Named<'_>) {
        let hash = self.hash(named);
        let mut sets = self.sets();
        sets.old.remove(&hash);
        sets.young.remove(&hash);
    }

    fn hash(&self, named: Named<'_>) -> u64 {
        match named {
            Named::Game(game) => self.hasher.hash_one((0, game)),
            Named::Seat(game, token) => self.hasher.hash_one((1, game, token.bytes())),
            Named::Full(game) => self.hasher.hash_one((2, game)),
        }
    }

    fn sets(&self) -> MutexGuard<'_, Generations> {
        self.sets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn insert(&mut self, hash: u64) {
        if self.young.len() >= A_GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(hash);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const ONE: Address = Address::V4([192, 0, 2, 1]);
    const OTHER: Address = Address::V4([192, 0, 2, 2]);

    fn three() -> Guesses {
        Guesses::new(Terms { name: "guess", burst: 3, period: Duration::from_secs(20) })
    }

    /// None where it waits.
    fn begin(guesses: &Guesses, address: Address) -> Option<Result<Guess, Spent>> {
        guesses.begin(address, 1).now_or_never()
    }

    #[tokio::test]
    async fn guesses_that_are_right_cost_nothing_and_those_that_fail_are_few() {
        let guesses = three();

        for _ in 0..100 {
            guesses.begin(ONE, 1).await.unwrap().was_right();
        }
        for _ in 0..3 {
            drop(guesses.begin(ONE, 1).await.unwrap());
        }

        let spent = guesses.begin(ONE, 1).await.err().unwrap();
        assert_eq!((spent.seconds, spent.left.state.as_str()), (20, "\"guess\";r=0;t=20"));
        assert!(guesses.fail(ONE).is_err());
        assert!(guesses.begin(OTHER, 1).await.is_ok());
    }

    #[tokio::test]
    async fn no_more_are_under_way_than_may_fail_and_the_rest_wait_for_how_they_end() {
        let guesses = three();
        let mut open: Vec<_> = (0..3).map(|_| begin(&guesses, ONE).unwrap().unwrap()).collect();

        assert!(begin(&guesses, ONE).is_none(), "it waits");
        let mut waiting = Box::pin(guesses.begin(ONE, 1));
        assert!((&mut waiting).now_or_never().is_none());
        open.pop().unwrap().was_right();
        let next = waiting.await.unwrap();
        assert!(begin(&guesses, ONE).is_none());
        drop((open, next));
        assert!(begin(&guesses, ONE).unwrap().is_err(), "all have failed");
    }

    #[tokio::test]
    async fn many_guesses_at_a_time_are_as_many_as_one_by_one() {
        let guesses = three();

        guesses.begin(ONE, 3).await.unwrap().was_right();
        guesses.begin(ONE, 2).await.unwrap().failed(1);
        assert_eq!(guesses.begin(ONE, 3).await.err().unwrap().seconds, 20);
        let open = guesses.begin(ONE, 1).await.unwrap();
        assert!(guesses.begin(ONE, 2).now_or_never().is_none(), "one of them is under way");
        open.was_right();
        drop(guesses.begin(ONE, 2).await.unwrap());
        assert!(guesses.begin(ONE, 1).await.is_err(), "all have failed");
        assert!(guesses.begin(ONE, 0).await.is_ok(), "no guess needs none");
    }

    #[test]
    fn failed_guesses_are_forgotten_one_by_one_and_so_is_who_made_them() {
        let guesses = three();
        let began = Instant::now();
        let at = |millis: u32| began + Duration::from_millis(millis.into());
        for _ in 0..3 {
            guesses.accounts.fail(ONE, began).unwrap();
        }

        assert_eq!(guesses.accounts.fail(ONE, at(19_000)).unwrap_err().seconds, 2);
        guesses.accounts.fail(ONE, at(20_000)).unwrap();
        assert!(guesses.accounts.fail(ONE, at(20_000)).is_err());
        for number in 0..10_000_u32 {
            guesses.accounts.fail(Address::V4(number.to_be_bytes()), at(20_000 + number * 20)).unwrap();
        }

        let kept = &guesses.accounts.ledger().accounts;
        assert!(kept.len() <= 2 * MANY + 1_000, "{}", kept.len());
        assert!(!kept.contains_key(&ONE));
    }

    #[test]
    fn what_was_good_is_known_until_much_else_was() {
        let guesses = three();
        let (game, token) = (Uuid::nil(), Token::draw().unwrap());
        let number = |number: usize| Named::Game(Uuid::from_u128(u128::try_from(number).unwrap() + 1));
        guesses.remember(Named::Seat(game, &token));

        assert!(guesses.knows(Named::Seat(game, &token)));
        assert!(!guesses.knows(Named::Game(game)) && !guesses.knows(Named::Full(game)));
        assert!(!guesses.knows(Named::Seat(game, &Token::draw().unwrap())));
        (0..A_GENERATION).for_each(|at| guesses.remember(number(at)));
        assert!(guesses.knows(Named::Seat(game, &token)), "it was used of late");
        (A_GENERATION..3 * A_GENERATION).for_each(|at| guesses.remember(number(at)));
        assert!(!guesses.knows(Named::Seat(game, &token)));
        guesses.remember(Named::Game(game));
        guesses.forget(Named::Game(game));
        assert!(!guesses.knows(Named::Game(game)));
    }
}
