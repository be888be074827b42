//! Budgets: what each address may use at once, and how fast that comes back.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::address::Address;

/// A budget of each address, refilled all the time.
pub(crate) struct Bucket {
    terms: Terms,
    limiter: RateLimiter<Address, DashMapStateStore<Address>, DefaultClock, StateInformationMiddleware>,
    spent: AtomicUsize,
}

/// What a budget allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Terms {
    /// How it is called.
    pub name: &'static str,
    /// How much there is at once.
    pub burst: u32,
    /// After what time there is one more.
    pub period: Duration,
}

/// What is left of a budget.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Left {
    /// What it allows, as the field `RateLimit-Policy` of the IETF's draft says it.
    pub policy: String,
    /// How much is left, as the field `RateLimit` says it.
    pub state: String,
}

/// Nothing is left of a budget.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spent {
    /// After how many seconds there is more.
    pub(crate) seconds: u64,
    /// That there is nothing.
    pub(crate) left: Left,
}

/// After so many requests those who have been quiet are forgotten. Of each that is not, something was drawn within the
/// budget's time, so no more is kept than requests came.
const SWEEP_EVERY: usize = 1_024;

impl Bucket {
    /// A budget that nobody has used yet.
    pub(crate) fn new(terms: Terms) -> Self {
        let burst = NonZeroU32::new(terms.burst).unwrap_or(NonZeroU32::MIN);
        // No period is zero, and a second is what a zero would count as.
        let quota = Quota::with_period(terms.period).unwrap_or(Quota::per_second(NonZeroU32::MIN)).allow_burst(burst);
        Self { terms, limiter: RateLimiter::dashmap(quota).with_middleware(), spent: AtomicUsize::new(0) }
    }

    /// Draws on the budget of an address.
    ///
    /// # Errors
    ///
    /// [`Spent`] where nothing is left.
    pub(crate) fn spend(&self, address: Address) -> Result<Left, Spent> {
        if self.spent.fetch_add(1, Ordering::Relaxed).is_multiple_of(SWEEP_EVERY) {
            self.limiter.retain_recent();
        }
        match self.limiter.check_key(&address) {
            Ok(state) => Ok(self.terms.left(state.remaining_burst_capacity(), self.terms.period)),
            Err(not_until) => Err(self.terms.spent(not_until.wait_time_from(DefaultClock::default().now()))),
        }
    }
}

impl Terms {
    /// That so much is left, and when there is more.
    pub(crate) fn left(self, remaining: u32, until_more: Duration) -> Left {
        let Self { name, burst, period } = self;
        let window = (period * burst).as_secs().max(1);
        Left {
            policy: format!("\"{name}\";q={burst};w={window}"),
            state: format!("\"{name}\";r={remaining};t={}", until_more.as_secs() + 1),
        }
    }

    /// That nothing is left, and when there is more.
    pub(crate) fn spent(self, until_more: Duration) -> Spent {
        Spent { seconds: until_more.as_secs() + 1, left: self.left(0, until_more) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_by_one_address_and_tells_what_is_left() {
        let budget = Bucket::new(Terms { name: "create", burst: 3, period: Duration::from_secs(20) });
        let (one, other) = (Address::V4([192, 0, 2, 1]), Address::V4([192, 0, 2, 2]));

        let left: Vec<_> = (0..3).map(|_| budget.spend(one).unwrap().state).collect();
        let spent = budget.spend(one).unwrap_err();

        assert_eq!(left, ["\"create\";r=2;t=21", "\"create\";r=1;t=21", "\"create\";r=0;t=21"]);
        assert_eq!(spent.left.policy, "\"create\";q=3;w=60");
        assert_eq!(spent.left.state, "\"create\";r=0;t=20");
        assert_eq!(spent.seconds, 20);
        assert!(budget.spend(other).is_ok());
    }

    #[test]
    fn nobody_is_remembered_for_longer_than_it_takes_to_fill_up_again() {
        let budget = Bucket::new(Terms { name: "moves", burst: 5, period: Duration::from_nanos(1) });

        for number in 0..20_000_u32 {
            budget.spend(Address::V4(number.to_be_bytes())).unwrap();
        }

        assert!(budget.limiter.len() <= 2 * SWEEP_EVERY, "{}", budget.limiter.len());
    }
}
