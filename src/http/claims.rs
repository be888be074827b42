//! Requests that name many games outside of their path, and so may guess many times.

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use uuid::Uuid;

use super::guesses::{Guess, Guesses, Named};
use super::problem::Problem;
use super::rate_limit::Budgets;
use crate::address::Address;
use crate::budget::Spent;
use crate::service::{Credential, Error, Named as NamedGame};

/// Who may have to guess; none where there are no limits.
pub(super) struct Guesser(Option<(Data<Budgets>, Address)>);

/// What is looked up, until it is known how many guesses failed.
struct Guessing<'a> {
    guesser: Option<(&'a Guesses, Address, Guess)>,
    named: &'a [NamedGame],
    /// Which of them is known to be good.
    sure: Vec<bool>,
}

impl FromRequest for Guesser {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let budgets = request.app_data::<Data<Budgets>>().cloned();
        ready(Ok(Self(budgets.and_then(|budgets| {
            let address = Address::of(request, budgets.proxies())?;
            Some((budgets, address))
        }))))
    }
}

impl Guesser {
    /// Looks these up. Each that is not known to be good is a guess, and has failed where it is not found to be.
    ///
    /// # Errors
    ///
    /// `429` where the address has not so many guesses left; what looking up fails with, of which nothing is learnt.
    pub(super) async fn look_up<T>(
        &self,
        named: &[NamedGame],
        looking: impl Future<Output = Result<T, Error>>,
        is_good: impl Fn(&T, usize) -> bool,
    ) -> Result<T, Problem> {
        let guessing = self.begin(named).await?;
        match looking.await {
            Ok(found) => {
                guessing.learn(|at| is_good(&found, at));
                Ok(found)
            }
            Err(error) => {
                guessing.learn_nothing();
                Err(error.into())
            }
        }
    }

    async fn begin<'a>(&'a self, named: &'a [NamedGame]) -> Result<Guessing<'a>, Spent> {
        let Some((budgets, address)) = &self.0 else { return Ok(Guessing { guesser: None, named, sure: Vec::new() }) };
        let guesses = budgets.guesses();
        let sure: Vec<bool> = named.iter().map(|named| is_sure(guesses, named)).collect();
        let count = sure.iter().fold(0, |count, sure| if *sure { count } else { count + 1 });
        let guess = guesses.begin(*address, count).await?;
        Ok(Guessing { guesser: Some((guesses, *address, guess)), named, sure })
    }
}

impl Guessing<'_> {
    /// Learns which of them are good, and counts those that are not.
    fn learn(self, is_good: impl Fn(usize) -> bool) {
        let Some((guesses, address, guess)) = self.guesser else { return };
        let mut failed = 0;
        for (at, (named, sure)) in self.named.iter().zip(self.sure).enumerate() {
            match (is_good(at), sure) {
                (true, _) => each(named, |named| guesses.remember(named)),
                (false, false) => failed += 1,
                // It was good before, so no guess was begun: whoever has none left is told so the next time.
                (false, true) => {
                    each(named, |named| guesses.forget(named));
                    guesses.fail(address).ok();
                }
            }
        }
        guess.failed(failed);
    }

    /// Nothing was learnt of what was asked for.
    fn learn_nothing(self) {
        if let Some((_, _, guess)) = self.guesser {
            guess.was_right();
        }
    }
}

fn is_sure(guesses: &Guesses, named: &NamedGame) -> bool {
    match (named.game, &named.token) {
        (None, _) | (_, Credential::Invalid) => false,
        (Some(game), Credential::Nothing) => guesses.knows(Named::Game(game)),
        (Some(game), Credential::Token(token)) => guesses.knows(Named::Seat(game, token)),
    }
}

/// Each thing that is good where this is.
fn each(named: &NamedGame, mut tell: impl FnMut(Named<'_>)) {
    let Some(game): Option<Uuid> = named.game else { return };
    tell(Named::Game(game));
    if let Credential::Token(token) = &named.token {
        tell(Named::Seat(game, token));
    }
}
