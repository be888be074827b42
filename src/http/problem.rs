use std::fmt;

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, HttpResponseBuilder, ResponseError};

use super::prefix::Prefix;
use crate::budget::{Left, Spent};
use crate::deadlines;
use crate::schema::{Cell, Code, FaultBody, Misread, ProblemBody};
use crate::service::{Declined, Error, Failure, MOST_LISTED, Malformed};
use crate::text::{Language, Message};
use engine::{Cells, Fault, Refusal, may_be_more};

/// A request that was not carried out (RFC 9457), in no language yet.
#[derive(Debug)]
pub(super) struct Problem(Box<ProblemParts>);

/// What there is to say of it.
#[derive(Debug)]
struct ProblemParts {
    code: Code,
    /// Where in the request it is.
    place: Option<String>,
    detail: Message,
    version: Option<u32>,
    expected: Option<u8>,
    cells: Option<Cells>,
    faults: Option<Vec<Fault>>,
    games: Option<Vec<String>>,
    /// After how many seconds a repeat is worth trying.
    after: u64,
    /// That nothing is left of a budget.
    left: Option<Left>,
}

impl Problem {
    /// A problem with a sentence about this very request.
    pub(super) fn new(code: Code, detail: Message) -> Self {
        Self(Box::new(ProblemParts {
            code,
            place: None,
            detail,
            version: None,
            expected: None,
            cells: None,
            faults: None,
            games: None,
            after: 1,
            left: None,
        }))
    }

    /// `500 internal`: what went wrong is in the log, and the caller learns nothing of the inside.
    pub(super) fn internal() -> Self {
        Self::new(Code::Internal, Message::ServerIsBroken)
    }

    /// `404 game_not_found`: of many games that were named there are not these.
    pub(super) fn no_such_games(games: Vec<String>) -> Self {
        Self::new(Code::GameNotFound, Message::NoSuchGames).with(|parts| parts.games = Some(games))
    }

    /// What it is called.
    pub(super) fn code(&self) -> Code {
        self.0.code
    }

    fn with(mut self, fill: impl FnOnce(&mut ProblemParts)) -> Self {
        fill(&mut self.0);
        self
    }

    /// The body in a language, for those who know the service below this prefix.
    #[expect(clippy::expect_used, reason = "it is made of texts and numbers alone")]
    pub(super) fn say(&self, language: Language, prefix: &Prefix) -> Vec<u8> {
        let parts = &*self.0;
        let mut body = ProblemBody::new(language, parts.code, self.detail(language));
        body.r#type = prefix.before(&body.r#type);
        body.version = parts.version;
        body.expected = parts.expected;
        body.cells = parts.cells.map(Cell::list);
        let in_language = |faults: &Vec<Fault>| faults.iter().map(|fault| FaultBody::new(language, fault)).collect();
        body.faults = parts.faults.as_ref().map(in_language);
        body.games.clone_from(&parts.games);
        serde_json::to_vec(&body).expect("a problem can be written")
    }

    fn detail(&self, language: Language) -> String {
        let sentence = language.say(&self.0.detail);
        self.0.place.as_ref().map_or_else(|| sentence.clone(), |place| format!("{place}: {sentence}"))
    }
}

impl From<Misread> for Malformed {
    fn from(misread: Misread) -> Self {
        Self::Content { place: misread.place, message: misread.message }
    }
}

impl From<Misread> for Problem {
    fn from(misread: Misread) -> Self {
        Malformed::from(misread).into()
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Malformed(malformed) => malformed.into(),
            Error::Declined(declined) => declined.into(),
            Error::Failure(failure) => failure.into(),
        }
    }
}

impl From<Malformed> for Problem {
    fn from(malformed: Malformed) -> Self {
        match malformed {
            Malformed::Content { place, message } => {
                Self::new(Code::Malformed, message).with(|parts| parts.place = place)
            }
            Malformed::MediaType(message) => Self::new(Code::UnsupportedMediaType, message),
        }
    }
}

impl From<Declined> for Problem {
    fn from(declined: Declined) -> Self {
        match declined {
            Declined::NoSuchGame => Self::new(Code::GameNotFound, Message::NoSuchGame),
            Declined::Unauthorized => Self::new(Code::Unauthorized, Message::NeedsToken),
            Declined::Stale { version } => {
                Self::new(Code::StaleVersion, Message::MovedOn { version }).with(|parts| parts.version = Some(version))
            }
            Declined::Mismatch => Self::new(Code::IdempotencyMismatch, Message::KeySentBefore),
            Declined::NotOver => Self::new(Code::NotOver, Message::ShownAtTheEnd),
            Declined::NothingToProve => Self::new(Code::NothingToProve, Message::EventAnswersNothing),
            Declined::NothingToAnalyse => Self::new(Code::NothingToAnalyse, Message::EventIsNoShot),
            Declined::Crowded => Self::new(Code::Unavailable, Message::AddressAsksEnough),
            Declined::ListsEnough => Self::new(Code::RateLimited, Message::AddressListsEnough { most: MOST_LISTED })
                .with(|parts| parts.after = deadlines::LISTED_AGAIN.as_secs()),
            Declined::Spent(spent) => spent.into(),
            Declined::InFlight => Self::new(Code::InFlight, Message::AnotherIsCarriedOut),
            Declined::Rules(refusal) => refusal.into(),
        }
    }
}

impl From<Spent> for Problem {
    fn from(Spent { seconds, left }: Spent) -> Self {
        Self::new(Code::RateLimited, Message::BudgetSpent { seconds }).with(|parts| {
            parts.after = seconds;
            parts.left = Some(left);
        })
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let expecting = |code, expected, detail| Self::new(code, detail).with(|parts| parts.expected = Some(expected));
        let about = |code, cells, detail| Self::new(code, detail).with(|parts| parts.cells = Some(cells));
        match refusal {
            Refusal::GameFull => Self::new(Code::GameFull, Message::SeatsTaken),
            Refusal::OwnGame => Self::new(Code::OwnGame, Message::SeatIsYours),
            Refusal::AlreadyPlaced => Self::new(Code::AlreadyPlaced, Message::LayoutIsFinal),
            Refusal::NotJoined => Self::new(Code::NotJoined, Message::SeatIsFree),
            Refusal::NotInBattle => Self::new(Code::NotInBattle, Message::BattleHasNotBegun),
            Refusal::NotYourTurn => Self::new(Code::NotYourTurn, Message::OthersTurn),
            Refusal::RevealDue { expected } => Self::new(Code::RevealDue, Message::CellsOwed { expected }),
            Refusal::NoRevealDue => Self::new(Code::NoRevealDue, Message::NothingOwed),
            Refusal::GameOver => Self::new(Code::GameOver, Message::GameHasEnded),
            Refusal::WrongShotCount { expected, sent } => {
                expecting(Code::WrongShotCount, expected, Message::ShotsDue { expected, sent })
            }
            Refusal::WrongRevealCount { expected, sent } => {
                expecting(Code::WrongRevealCount, expected, Message::CellsDue { expected, sent })
            }
            Refusal::RepeatedCell(cells) => about(Code::RepeatedCell, cells, Message::CellStandsTwice),
            Refusal::OutsideGrid(cells) => about(Code::OutsideGrid, cells, Message::BeyondTheGrid),
            Refusal::AlreadyFired(cells) => about(Code::AlreadyFired, cells, Message::FiredAtBefore),
            Refusal::NotRevealable(cells) => about(Code::NotRevealable, cells, Message::CannotBeGivenAway),
            Refusal::IllegalLayout(faults) => {
                let count = faults.len();
                let detail = if may_be_more(&faults) {
                    Message::LayoutHasMoreFaults { count }
                } else {
                    Message::LayoutHasFaults { count }
                };
                Self::new(Code::IllegalLayout, detail).with(|parts| parts.faults = Some(faults))
            }
        }
    }
}

/// Failures are logged here, once, and the caller learns nothing of the inside.
impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        if matches!(failure, Failure::Held) {
            return Declined::InFlight.into();
        }
        if failure.is_passing() {
            log::warn!("a request could not be answered: {failure}");
            return Self::new(Code::Unavailable, Message::ServerIsBusy);
        }
        log::error!("a request failed: {failure}");
        if failure.is_damage() {
            return Self::new(Code::RecordDamaged, Message::RecordIsDamaged);
        }
        Self::internal()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.0.code.word(), self.detail(Language::English))
    }
}

impl ResponseError for Problem {
    #[expect(clippy::expect_used, reason = "they stand in a table")]
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.0.code.status()).expect("every code has a status")
    }

    /// Without a body: it is written where the caller's language is known.
    fn error_response(&self) -> HttpResponse {
        let (code, mut reply) = (self.0.code, HttpResponseBuilder::new(self.status_code()));
        if code == Code::Unauthorized {
            reply.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
        } else if matches!(code, Code::Unavailable | Code::RateLimited) {
            reply.insert_header((header::RETRY_AFTER, self.0.after.to_string()));
        } else if matches!(code, Code::RequestTimeout | Code::BodyTooLarge) {
            // What is left of the body must not be taken for the next request.
            reply.force_close();
        }
        let mut reply = reply.finish();
        if let Some(left) = &self.0.left {
            left.write(reply.headers_mut());
        }
        reply
    }
}
