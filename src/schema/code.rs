use crate::text::Message;
use record::{Described, Word};

/// The codes, each with its word, its status, what it is called and what it means.
macro_rules! codes {
    ($($name:ident $word:literal $status:literal $title:ident $meaning:ident;)+) => {
        /// The stable word for what is wrong with a request.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[expect(missing_docs, reason = "its meaning is its documentation")]
        pub enum Code { $($name),+ }

        engine::words! { Code { $($name = $word),+ } }

        impl Described for Code {
            const NAME: &'static str = "ProblemCode";
            const DESCRIPTION: &'static str = "The stable word for what is wrong with a request.";
        }

        impl Code {
            /// Every code, in the order of the contract.
            pub const ALL: &[Self] = <Self as engine::Words>::ALL;

            /// The HTTP status that it comes with.
            pub fn status(self) -> u16 {
                match self { $(Self::$name => $status),+ }
            }

            /// What it is called (RFC 9457 §3.1.3).
            pub fn title(self) -> Message {
                match self { $(Self::$name => Message::$title),+ }
            }

            /// What it means and what to do about it, for the page that `type` leads to.
            pub fn meaning(self) -> Message {
                match self { $(Self::$name => Message::$meaning),+ }
            }
        }
    };
}

codes! {
    Malformed "malformed" 400 TitleMalformed MeaningMalformed;
    Unauthorized "unauthorized" 401 TitleUnauthorized MeaningUnauthorized;
    GameNotFound "game_not_found" 404 TitleGameNotFound MeaningGameNotFound;
    RouteNotFound "route_not_found" 404 TitleRouteNotFound MeaningRouteNotFound;
    NothingToProve "nothing_to_prove" 404 TitleNothingToProve MeaningNothingToProve;
    NothingToAnalyse "nothing_to_analyse" 404 TitleNothingToAnalyse MeaningNothingToAnalyse;
    MethodNotAllowed "method_not_allowed" 405 TitleMethodNotAllowed MeaningMethodNotAllowed;
    RequestTimeout "request_timeout" 408 TitleRequestTimeout MeaningRequestTimeout;
    BodyTooLarge "body_too_large" 413 TitleBodyTooLarge MeaningBodyTooLarge;
    UnsupportedMediaType "unsupported_media_type" 415 TitleUnsupportedMediaType MeaningUnsupportedMediaType;
    GameFull "game_full" 409 TitleGameFull MeaningGameFull;
    OwnGame "own_game" 409 TitleOwnGame MeaningOwnGame;
    AlreadyPlaced "already_placed" 409 TitleAlreadyPlaced MeaningAlreadyPlaced;
    NotJoined "not_joined" 409 TitleNotJoined MeaningNotJoined;
    NotInBattle "not_in_battle" 409 TitleNotInBattle MeaningNotInBattle;
    NotYourTurn "not_your_turn" 409 TitleNotYourTurn MeaningNotYourTurn;
    RevealDue "reveal_due" 409 TitleRevealDue MeaningRevealDue;
    NoRevealDue "no_reveal_due" 409 TitleNoRevealDue MeaningNoRevealDue;
    AlreadyFired "already_fired" 409 TitleAlreadyFired MeaningAlreadyFired;
    GameOver "game_over" 409 TitleGameOver MeaningGameOver;
    NotOver "not_over" 409 TitleNotOver MeaningNotOver;
    InFlight "in_flight" 409 TitleInFlight MeaningInFlight;
    StaleVersion "stale_version" 412 TitleStaleVersion MeaningStaleVersion;
    IllegalLayout "illegal_layout" 422 TitleIllegalLayout MeaningIllegalLayout;
    WrongShotCount "wrong_shot_count" 422 TitleWrongShotCount MeaningWrongShotCount;
    WrongRevealCount "wrong_reveal_count" 422 TitleWrongRevealCount MeaningWrongRevealCount;
    RepeatedCell "repeated_cell" 422 TitleRepeatedCell MeaningRepeatedCell;
    OutsideGrid "outside_grid" 422 TitleOutsideGrid MeaningOutsideGrid;
    NotRevealable "not_revealable" 422 TitleNotRevealable MeaningNotRevealable;
    IdempotencyMismatch "idempotency_mismatch" 422 TitleIdempotencyMismatch MeaningIdempotencyMismatch;
    RateLimited "rate_limited" 429 TitleRateLimited MeaningRateLimited;
    Internal "internal" 500 TitleInternal MeaningInternal;
    RecordDamaged "record_damaged" 500 TitleRecordDamaged MeaningRecordDamaged;
    Unavailable "unavailable" 503 TitleUnavailable MeaningUnavailable;
}

/// A code as its word.
pub(super) type CodeWord = Word<Code>;
