use std::future::{Ready, ready};
use std::time::Duration;

use actix_web::body::BoxBody;
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{FromRequest, HttpRequest, web};

use super::guesses::{Guess, Guesses, Named};
use super::operation::Operation;
use super::problem::Problem;
use crate::address::Address;
use crate::budget::{Bucket, Left, Spent, Terms};
use crate::schema::Code;
use crate::service::{Caller, Credential};

/// What one address may use, each refilled all the time. A game played at full speed meets none.
pub(super) struct Budgets {
    proxies: usize,
    create: Bucket,
    join: Bucket,
    moves: Bucket,
    check: Bucket,
    proofs: Bucket,
    analyses: Bucket,
    layouts: Bucket,
    guesses: Guesses,
}

/// What the requests of an operation draw on, whatever comes of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Budget {
    /// Games that are created.
    Create,
    /// Seats that are taken.
    Join,
    /// Moves that are made, and repeated.
    Moves,
    /// Logs that are read as a whole.
    Check,
    /// Answers that are proven.
    Proofs,
    /// Games that are analysed.
    Analyses,
    /// Layouts that are drawn or checked.
    Layouts,
}

impl Budgets {
    /// Full budgets, for a server behind so many trusted proxies.
    pub(super) fn new(proxies: usize) -> Self {
        let terms = |name, burst, millis| Terms { name, burst, period: Duration::from_millis(millis) };
        let bucket = |name, burst, millis| Bucket::new(terms(name, burst, millis));
        Self {
            proxies,
            // A hundred games at once, and two each second.
            create: bucket("create", 100, 500),
            join: bucket("join", 100, 500),
            // Ten bots at full speed behind one address do not meet it.
            moves: bucket("moves", 500, 20),
            // Replaying and verifying read a whole log.
            check: bucket("check", 10, 100),
            // Whoever has each answer proven does not meet it, as with moves.
            proofs: bucket("proofs", 500, 20),
            // Two a second keep the one thread that reckons half busy.
            analyses: bucket("analyses", 40, 500),
            layouts: bucket("layouts", 20, 50),
            // Unknown ids, wrong tokens and refused joins.
            guesses: Guesses::new(terms("guess", 60, 1_000)),
        }
    }

    /// The guesses of an address, where it is known.
    pub(super) fn guesses(&self) -> &Guesses {
        &self.guesses
    }

    /// How many trusted proxies stand in front.
    pub(super) fn proxies(&self) -> usize {
        self.proxies
    }

    fn of(&self, budget: Budget) -> &Bucket {
        match budget {
            Budget::Create => &self.create,
            Budget::Join => &self.join,
            Budget::Moves => &self.moves,
            Budget::Check => &self.check,
            Budget::Proofs => &self.proofs,
            Budget::Analyses => &self.analyses,
            Budget::Layouts => &self.layouts,
        }
    }
}

impl Left {
    /// The fields of the IETF's draft on rate limits.
    #[expect(clippy::expect_used, reason = "names and numbers can stand in a header")]
    pub(super) fn write(&self, headers: &mut HeaderMap) {
        for (name, value) in [("ratelimit-policy", &self.policy), ("ratelimit", &self.state)] {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).expect("it is a header"));
        }
    }
}

/// What a handler draws on once it knows what comes of a request.
pub(super) struct Allowance(Option<(web::Data<Budgets>, Address)>);

impl Allowance {
    /// Draws on a budget of the caller's address, where there are budgets.
    ///
    /// # Errors
    ///
    /// [`Spent`] where nothing is left.
    pub(super) fn draw(&self, budget: Budget) -> Result<(), Spent> {
        self.0.as_ref().map_or(Ok(()), |(budgets, address)| budgets.of(budget).spend(*address).map(|_| ()))
    }
}

impl FromRequest for Allowance {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let budgets = request.app_data::<web::Data<Budgets>>().cloned();
        let drawn = budgets.and_then(|budgets| Address::of(request, budgets.proxies).map(|address| (budgets, address)));
        ready(Ok(Self(drawn)))
    }
}

/// Holds each address to its budgets.
pub(super) async fn within_budget(
    operations: &[&'static Operation],
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let Some(budgets) = request.app_data::<web::Data<Budgets>>().cloned() else { return next.call(request).await };
    let Some(address) = Address::of(request.request(), budgets.proxies) else { return next.call(request).await };
    let asked = operations.iter().find(|operation| operation.takes(request.method()));
    let left = match asked.and_then(|operation| operation.budget).map(|budget| budgets.of(budget).spend(address)) {
        Some(Err(spent)) => return Ok(request.error_response(Problem::from(spent))),
        Some(Ok(left)) => Some(left),
        None => None,
    };
    let mut response = match asked.filter(|operation| operation.subject.is_a_game()) {
        Some(operation) => within_guesses(&budgets.guesses, address, operation, request, next).await?,
        None => next.call(request).await?,
    };
    if let Some(left) = left
        && !response.headers().contains_key("ratelimit")
    {
        left.write(response.headers_mut());
    }
    let seated = response.response().extensions().get::<NewSeat>().cloned();
    if let Some(seated) = seated {
        budgets.guesses.remember(Named::Game(seated.game));
        budgets.guesses.remember(Named::Seat(seated.game, &seated.token));
    }
    Ok(response)
}

/// What a request about a game claims.
struct Claim {
    caller: Caller,
    joins: bool,
}

/// Lets nobody guess more often than they may: whoever has no guess left is answered before anything is looked up, but
/// for whom names what is known to be good.
async fn within_guesses(
    guesses: &Guesses,
    address: Address,
    operation: &Operation,
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let claim = Claim { caller: Caller::of(request.request()), joins: operation.budget == Some(Budget::Join) };
    let guess = if claim.is_sure(guesses) {
        None
    } else {
        match guesses.begin(address, 1).await {
            Ok(guess) => Some(guess),
            Err(spent) => return Ok(request.error_response(Problem::from(spent))),
        }
    };
    let response = next.call(request).await?;
    match claim.failed(guesses, guess, address, &response) {
        Ok(()) => Ok(response),
        Err(spent) => Ok(response.error_response(Problem::from(spent))),
    }
}

impl Claim {
    /// Whether it names only what is known to be good.
    fn is_sure(&self, guesses: &Guesses) -> bool {
        match (self.caller.game, &self.caller.token) {
            (None, _) | (_, Credential::Invalid) => false,
            (Some(game), Credential::Nothing) => {
                guesses.knows(Named::Game(game)) && !(self.joins && guesses.knows(Named::Full(game)))
            }
            (Some(game), Credential::Token(token)) => !self.joins && guesses.knows(Named::Seat(game, token)),
        }
    }

    /// Learns from what was answered, and counts what failed.
    fn failed(
        &self,
        guesses: &Guesses,
        guess: Option<Guess>,
        address: Address,
        response: &ServiceResponse<BoxBody>,
    ) -> Result<(), Spent> {
        let problem = response.response().error().and_then(|error| error.as_error::<Problem>()).map(Problem::code);
        let Some(game) = self.caller.game else { return Ok(()) };
        let refused_join = self.joins && matches!(problem, Some(Code::GameFull | Code::GameOver | Code::OwnGame));
        if self.joins && (response.status() == StatusCode::CREATED || refused_join && problem != Some(Code::OwnGame)) {
            guesses.remember(Named::Full(game));
        }
        match problem {
            Some(Code::GameNotFound) => guesses.forget(Named::Game(game)),
            Some(Code::Unauthorized) => guesses.remember(Named::Game(game)),
            // Nothing is learnt of what was asked for.
            Some(
                Code::Internal | Code::Unavailable | Code::RateLimited | Code::RequestTimeout | Code::BodyTooLarge,
            ) => {
                guess.into_iter().for_each(Guess::was_right);
                return Ok(());
            }
            Some(_) | None => {
                guesses.remember(Named::Game(game));
                if let Credential::Token(token) = &self.caller.token {
                    guesses.remember(Named::Seat(game, token));
                }
                if !refused_join {
                    guess.into_iter().for_each(Guess::was_right);
                    return Ok(());
                }
            }
        }
        // A guess that was counted on has failed as it is dropped.
        if guess.is_some() { Ok(()) } else { guesses.fail(address) }
    }
}

/// A seat that a reply gives out, so that its token is known from then on.
#[derive(Clone)]
pub(super) struct NewSeat {
    pub game: uuid::Uuid,
    pub token: crate::entropy::Token,
}
