use std::fmt;

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, HttpResponseBuilder, ResponseError};

use crate::engine::{Cells, Refusal};
use crate::play::Declined;
use crate::play::Failure;
use crate::wire::Code;
use crate::wire::{Cell, FaultBody, ProblemBody};

/// A request that was not carried out, as `application/problem+json` (RFC 9457).
#[derive(Debug)]
pub(super) struct Problem(Box<ProblemBody>, Seconds);

/// After which a repeat is worth trying.
#[derive(Clone, Copy, Debug)]
struct Seconds(u64);

impl Problem {
    /// A problem with a sentence about this very request.
    pub(super) fn new(code: Code, detail: impl fmt::Display) -> Self {
        Self(Box::new(ProblemBody::new(code, detail.to_string())), Seconds(1))
    }

    /// `500 internal`: what went wrong is in the log, and nothing of the inside is told.
    pub(super) fn internal() -> Self {
        Self::new(Code::Internal, "something is wrong with the server, not with your request")
    }

    /// `400 malformed`.
    pub(super) fn malformed(detail: impl fmt::Display) -> Self {
        Self::new(Code::Malformed, detail)
    }

    /// The same, worth trying again after so many seconds.
    pub(super) fn after(mut self, seconds: u64) -> Self {
        self.1 = Seconds(seconds);
        self
    }

    fn with(mut self, fill: impl FnOnce(&mut ProblemBody)) -> Self {
        fill(&mut self.0);
        self
    }
}

impl From<Declined> for Problem {
    fn from(declined: Declined) -> Self {
        match declined {
            Declined::NoSuchGame => Self::new(Code::GameNotFound, declined),
            Declined::Unauthorized => Self::new(Code::Unauthorized, declined),
            Declined::Stale { version } => {
                Self::new(Code::StaleVersion, declined).with(|body| body.version = Some(version))
            }
            Declined::Mismatch => Self::new(Code::IdempotencyMismatch, declined),
            Declined::NotOver => Self::new(Code::NotOver, declined),
            Declined::InFlight => Self::new(Code::InFlight, declined),
            Declined::Rules(refusal) => refusal.into(),
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let detail = refusal.to_string();
        let plain = |code| Self::new(code, &detail);
        let expecting = |code, expected| plain(code).with(|body| body.expected = Some(expected));
        let about = |code, cells: Cells| plain(code).with(|body| body.cells = Some(Cell::list(cells)));
        match refusal {
            Refusal::GameFull => plain(Code::GameFull),
            Refusal::OwnGame => plain(Code::OwnGame),
            Refusal::AlreadyPlaced => plain(Code::AlreadyPlaced),
            Refusal::NotJoined => plain(Code::NotJoined),
            Refusal::NotInBattle => plain(Code::NotInBattle),
            Refusal::NotYourTurn => plain(Code::NotYourTurn),
            Refusal::RevealDue { .. } => plain(Code::RevealDue),
            Refusal::NoRevealDue => plain(Code::NoRevealDue),
            Refusal::GameOver => plain(Code::GameOver),
            Refusal::WrongShotCount { expected, .. } => expecting(Code::WrongShotCount, expected),
            Refusal::WrongRevealCount { expected, .. } => expecting(Code::WrongRevealCount, expected),
            Refusal::RepeatedCell(cells) => about(Code::RepeatedCell, cells),
            Refusal::OutsideGrid(cells) => about(Code::OutsideGrid, cells),
            Refusal::AlreadyFired(cells) => about(Code::AlreadyFired, cells),
            Refusal::NotRevealable(cells) => about(Code::NotRevealable, cells),
            Refusal::IllegalLayout(faults) => plain(Code::IllegalLayout)
                .with(|body| body.faults = Some(faults.into_iter().map(FaultBody::from).collect())),
        }
    }
}

/// Failures are logged here, once, and nothing of the inside is told.
impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Held => return Declined::InFlight.into(),
            _ if failure.is_passing() => log::warn!("a request could not be answered: {failure}"),
            _ => log::error!("a request failed: {failure}"),
        }
        if failure.is_passing() {
            Self::new(Code::Unavailable, "the server cannot answer at the moment")
        } else {
            Self::internal()
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.0.code.word(), self.0.detail)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        // Every code has a status that exists.
        StatusCode::from_u16(self.0.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut reply = HttpResponseBuilder::new(self.status_code());
        match self.0.code {
            Code::Unauthorized => reply.insert_header((header::WWW_AUTHENTICATE, "Bearer")),
            Code::Unavailable | Code::RateLimited => reply.insert_header((header::RETRY_AFTER, self.1.0.to_string())),
            // What is left of the body must not be taken for the next request.
            Code::RequestTimeout | Code::BodyTooLarge => reply.force_close(),
            _ => &mut reply,
        };
        let body = serde_json::to_vec(&self.0).unwrap_or_default();
        reply.insert_header((header::CONTENT_TYPE, "application/problem+json")).body(body)
    }
}
