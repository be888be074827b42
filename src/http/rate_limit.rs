use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web;
use governor::clock::{Clock as _, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use super::address::Address;
use super::operation::Operation;
use super::problem::Problem;
use crate::schema::Code;
use crate::text::Message;

/// What one address may use, each refilled all the time. A game played at full speed meets none.
pub(super) struct Budgets {
    proxies: usize,
    create: Bucket,
    join: Bucket,
    check: Bucket,
    layouts: Bucket,
    guess: Bucket,
}

/// What the requests of an operation draw on, whatever comes of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Budget {
    /// Games that are created.
    Create,
    /// Seats that are taken.
    Join,
    /// Logs that are read as a whole.
    Check,
    /// Layouts that are drawn or checked.
    Layouts,
}

/// A budget of each address.
struct Bucket {
    name: &'static str,
    burst: NonZeroU32,
    period: Duration,
    limiter: RateLimiter<Address, DashMapStateStore<Address>, DefaultClock, StateInformationMiddleware>,
    spent: AtomicUsize,
}

/// After so many requests those who have been quiet are forgotten.
const SWEEP_EVERY: usize = 1_024;

impl Budgets {
    /// Full budgets, for a server behind so many trusted proxies.
    pub(super) fn new(proxies: usize) -> Self {
        Self {
            proxies,
            // A hundred games at once, and two each second.
            create: Bucket::new("create", 100, Duration::from_millis(500)),
            join: Bucket::new("join", 100, Duration::from_millis(500)),
            // Replaying and verifying read a whole log.
            check: Bucket::new("check", 10, Duration::from_millis(100)),
            layouts: Bucket::new("layouts", 20, Duration::from_millis(50)),
            // Unknown ids, wrong tokens and refused joins.
            guess: Bucket::new("guess", 60, Duration::from_secs(1)),
        }
    }

    fn of(&self, budget: Budget) -> &Bucket {
        match budget {
            Budget::Create => &self.create,
            Budget::Join => &self.join,
            Budget::Check => &self.check,
            Budget::Layouts => &self.layouts,
        }
    }
}

/// What is left of a budget.
struct BudgetLeft {
    policy: String,
    state: String,
}

impl BudgetLeft {
    /// The fields of the IETF's draft on rate limits.
    #[expect(clippy::expect_used, reason = "names and numbers can stand in a header")]
    fn write(&self, headers: &mut HeaderMap) {
        for (name, value) in [("ratelimit-policy", &self.policy), ("ratelimit", &self.state)] {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).expect("it is a header"));
        }
    }
}

impl Bucket {
    fn new(name: &'static str, burst: u32, period: Duration) -> Self {
        let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
        // The periods above are not zero, and a second is what a zero would count as.
        let quota = Quota::with_period(period).unwrap_or(Quota::per_second(NonZeroU32::MIN)).allow_burst(burst);
        let limiter = RateLimiter::dashmap(quota).with_middleware();
        Self { name, burst, period, limiter, spent: AtomicUsize::new(0) }
    }

    /// Draws on the budget of an address.
    fn spend(&self, address: Address) -> Result<BudgetLeft, (Problem, BudgetLeft)> {
        if self.spent.fetch_add(1, Ordering::Relaxed).is_multiple_of(SWEEP_EVERY) {
            self.limiter.retain_recent();
        }
        match self.limiter.check_key(&address) {
            Ok(state) => Ok(self.left(state.remaining_burst_capacity(), self.period)),
            Err(not_until) => {
                let wait = not_until.wait_time_from(DefaultClock::default().now());
                let seconds = wait.as_secs() + 1;
                let problem = Problem::new(Code::RateLimited, Message::BudgetSpent { seconds }).after(seconds);
                Err((problem, self.left(0, wait)))
            }
        }
    }

    fn left(&self, remaining: u32, until_more: Duration) -> BudgetLeft {
        let window = (self.period * self.burst.get()).as_secs().max(1);
        BudgetLeft {
            policy: format!("\"{}\";q={};w={window}", self.name, self.burst),
            state: format!("\"{}\";r={remaining};t={}", self.name, until_more.as_secs() + 1),
        }
    }
}

/// Holds each address to its budgets.
///
/// A guess is known by its answer alone: where the budget for guesses is spent, a failed one is
/// answered with 429 instead. Whoever plays at the same address is not harmed by it.
pub(super) async fn within_budget(
    operations: &[&'static Operation],
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let Some(budgets) = request.app_data::<web::Data<Budgets>>().cloned() else { return next.call(request).await };
    let Some(address) = Address::of(request.request(), budgets.proxies) else { return next.call(request).await };
    let asked = operations.iter().find(|operation| operation.takes(request.method()));
    let left = match asked.and_then(|operation| operation.budget).map(|budget| budgets.of(budget).spend(address)) {
        Some(Err((problem, left))) => {
            let mut refused = request.error_response(problem);
            left.write(refused.headers_mut());
            return Ok(refused);
        }
        Some(Ok(left)) => Some(left),
        None => None,
    };
    let response = next.call(request).await?;
    let guessed = asked.is_some_and(|operation| is_failed_guess(operation, response.status()));
    let mut response = match guessed.then(|| budgets.guess.spend(address)) {
        Some(Err((problem, left))) => {
            let mut refused = response.error_response(problem);
            left.write(refused.headers_mut());
            return Ok(refused);
        }
        Some(Ok(_)) | None => response,
    };
    if let Some(left) = left {
        left.write(response.headers_mut());
    }
    Ok(response)
}

fn is_failed_guess(operation: &Operation, status: StatusCode) -> bool {
    let refused_join = operation.budget == Some(Budget::Join) && status == StatusCode::CONFLICT;
    let unknown = status == StatusCode::NOT_FOUND || status == StatusCode::UNAUTHORIZED;
    refused_join || (operation.subject.is_a_game() && unknown)
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError as _;

    use super::*;

    #[test]
    fn a_budget_is_spent_by_one_address_and_tells_what_is_left() {
        let budget = Bucket::new("create", 3, Duration::from_secs(20));
        let (one, other) = (Address::V4([192, 0, 2, 1]), Address::V4([192, 0, 2, 2]));

        let left: Vec<_> = (0..3).map(|_| budget.spend(one).ok().unwrap().state).collect();
        let (problem, spent) = budget.spend(one).err().unwrap();

        assert_eq!(left, ["\"create\";r=2;t=21", "\"create\";r=1;t=21", "\"create\";r=0;t=21"]);
        assert_eq!(spent.policy, "\"create\";q=3;w=60");
        assert_eq!(spent.state, "\"create\";r=0;t=20");
        let reply = problem.error_response();
        assert_eq!(reply.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(reply.headers().get("retry-after").unwrap(), "20");
        assert!(budget.spend(other).is_ok());
    }
}
