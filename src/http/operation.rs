use actix_web::Route;
use actix_web::http::Method;
use utoipa::__dev::{SchemaReferences, Tags};
use utoipa::openapi::path::Operation as Description;
use utoipa::openapi::{HttpMethod, RefOr, Schema};

use super::rate_limit::Budget;
use crate::schema::Code;

/// An operation. It is declared once, and what is mounted, documented and limited follows from it.
pub(super) struct Operation {
    /// The path, with `{game_id}` where it is about a game.
    pub path: &'static str,
    /// Makes the route to its handler.
    pub handler: fn() -> Route,
    /// What the handler's attribute says to the document.
    pub attribute: Attribute,
    /// What it is about.
    pub subject: Subject,
    /// What each request draws on, whatever comes of it.
    pub budget: Option<Budget>,
    /// What it may answer beside what follows from the rest.
    pub refusals: &'static [&'static [Code]],
    /// Whether a reply is in a language, as all problems are.
    pub in_a_language: bool,
}

/// What an operation is about, and so whose token it takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// Nothing that is kept or secret.
    Anything,
    /// A game that it creates.
    NewGame,
    /// A game, for whoever knows its id.
    Game,
    /// A seat of a game, for whoever has its token.
    Seat,
    /// Many games, which are not named in the path; the header `Authorization` is ignored.
    Games,
}

/// The path of a game, below which all its operations are.
const GAME: &str = "/v1/games/{game_id}";

/// What every operation may answer.
const EVERY: &[Code] = &[Code::Malformed, Code::BodyTooLarge, Code::RequestTimeout, Code::Internal];

/// What every operation on a game may answer.
const OF_A_GAME: &[Code] = &[Code::Unauthorized, Code::GameNotFound, Code::RateLimited, Code::Unavailable];

/// What every operation on many games may answer.
const OF_GAMES: &[Code] = &[Code::RateLimited, Code::Unavailable, Code::RecordDamaged];

/// What may come of any change of a game that was there before.
pub(super) const CHANGE: &[Code] = &[Code::IdempotencyMismatch, Code::InFlight, Code::RecordDamaged];

/// What may come of a change of a game that has ended.
pub(super) const OVER: &[Code] = &[Code::GameOver];

/// What may come of showing what is kept of a game.
pub(super) const KEPT: &[Code] = &[Code::RecordDamaged];

/// What may come of `If-Match`.
pub(super) const CONDITIONAL: &[Code] = &[Code::StaleVersion];

impl Operation {
    /// One about nothing that is kept, without a budget and without refusals of its own.
    ///
    /// `P` is the type that the attribute of its handler made.
    pub(super) const fn new<P>(path: &'static str, handler: fn() -> Route) -> Self
    where
        P: utoipa::Path + Tags<'static> + SchemaReferences,
    {
        let attribute =
            Attribute { methods: P::methods, tags: P::tags, description: P::operation, schemas: P::schemas };
        let subject = Subject::Anything;
        Self { path, handler, attribute, subject, budget: None, refusals: &[], in_a_language: false }
    }

    /// The method. A `HEAD` is answered as a `GET`.
    pub(super) fn method(&self) -> Method {
        if (self.attribute.methods)().contains(&HttpMethod::Post) { Method::POST } else { Method::GET }
    }

    /// Whether requests with this method are for it.
    pub(super) fn takes(&self, method: &Method) -> bool {
        *method == self.method() || (*method == Method::HEAD && self.method() == Method::GET)
    }

    /// Whether it can answer with this code.
    pub(super) fn can_answer(&self, code: Code) -> bool {
        let when = |follows: bool, codes: &'static [Code]| if follows { codes } else { &[] };
        let of_a_game = when(self.subject.is_a_game(), OF_A_GAME);
        let of_games = when(self.subject == Subject::Games, OF_GAMES);
        let limited = when(self.budget.is_some(), &[Code::RateLimited]);
        let with_a_body = when(self.method() == Method::POST, &[Code::UnsupportedMediaType]);
        let sets = [EVERY, of_a_game, of_games, limited, with_a_body];
        sets.iter().chain(self.refusals).any(|codes| codes.contains(&code))
    }

    /// The path below the game: what tells the requests of a key apart.
    pub(super) fn path_below_game(&self) -> &'static str {
        self.path.strip_prefix(GAME).unwrap_or_default()
    }
}

impl Subject {
    /// Whether it is a game that was there before.
    pub(super) fn is_a_game(self) -> bool {
        matches!(self, Self::Game | Self::Seat)
    }
}

/// What `#[utoipa::path]` makes of the documentation and the attribute of a handler.
pub(super) struct Attribute {
    pub methods: fn() -> Vec<HttpMethod>,
    pub tags: fn() -> Vec<&'static str>,
    pub description: fn() -> Description,
    /// Adds the schemas of what is sent and answered.
    pub schemas: fn(&mut Vec<(String, RefOr<Schema>)>),
}
