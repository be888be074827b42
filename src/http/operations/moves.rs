//! The four moves that a seat makes.

use actix_web::web::{self, Data};

use crate::http::operation::{CHANGE, CONDITIONAL, OVER, Operation, Subject};
use crate::http::parameters::{GameId, IfMatch, RepeatKey};
use crate::http::rate_limit::Budget;
use crate::http::reply::{self, Reply};
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{Code, EmptyRequest, FireRequest, PlaceRequest, ProgressBody, RevealRequest};
use crate::service::{Caller, Error, Games, Move, Progress};

/// What may come of a move in battle.
const IN_BATTLE: &[Code] = &[Code::NotInBattle, Code::NotYourTurn, Code::RepeatedCell, Code::OutsideGrid];

pub(in crate::http) static PLACE: Operation = Operation {
    subject: Subject::Seat,
    budget: Some(Budget::Moves),
    refusals: &[CHANGE, OVER, CONDITIONAL, &[Code::AlreadyPlaced, Code::IllegalLayout]],
    ..Operation::new::<__path_place>("/v1/games/{game_id}/place", || web::to(place))
};

/// Place ships and mines
///
/// Accepted or refused whole (R5), and final (R6); a refusal lists every fault. You may place as soon as
/// you have a seat, also while the other one is free. The second layout starts the battle. The reply
/// has the salt of your commitment: keep it.
#[utoipa::path(
    post,
    operation_id = "placeFleet",
    path = PLACE.path,
    tag = "games",
    params(GameId, RepeatKey, IfMatch),
    request_body = PlaceRequest,
    responses((status = 200, description = "The layout is placed.", body = ProgressBody, headers(("ETag"))))
)]
pub(crate) async fn place(games: Data<Games>, caller: Caller, request: RawRequest) -> Reply {
    let asked = request.read_move(&PLACE, EmptyBody::IsMalformed, |body: PlaceRequest| body.read().map(Move::Place));
    progress(games.act(caller, asked).await)
}

pub(in crate::http) static FIRE: Operation = Operation {
    subject: Subject::Seat,
    budget: Some(Budget::Moves),
    refusals: &[CHANGE, OVER, CONDITIONAL, IN_BATTLE, &[Code::RevealDue, Code::AlreadyFired, Code::WrongShotCount]],
    ..Operation::new::<__path_fire>("/v1/games/{game_id}/fire", || web::to(fire))
};

/// Fire at the opponent's cells
///
/// Answers what each shot found. A struck mine obliges the shooter to reveal cells of their own
/// ships before anybody fires again (R16, R19).
#[utoipa::path(
    post,
    operation_id = "fireShots",
    path = FIRE.path,
    tag = "games",
    params(GameId, RepeatKey, IfMatch),
    request_body = FireRequest,
    responses((status = 200, description = "What the shots found.", body = ProgressBody, headers(("ETag"))))
)]
pub(crate) async fn fire(games: Data<Games>, caller: Caller, request: RawRequest) -> Reply {
    let asked = request.read_move(&FIRE, EmptyBody::IsMalformed, |body: FireRequest| body.read().map(Move::Fire));
    progress(games.act(caller, asked).await)
}

pub(in crate::http) static REVEAL: Operation = Operation {
    subject: Subject::Seat,
    budget: Some(Budget::Moves),
    refusals: &[
        CHANGE,
        OVER,
        CONDITIONAL,
        IN_BATTLE,
        &[Code::NoRevealDue, Code::WrongRevealCount, Code::NotRevealable],
    ],
    ..Operation::new::<__path_reveal>("/v1/games/{game_id}/reveal", || web::to(reveal))
};

/// Give cells of your own ships away
///
/// Due after you struck a mine: as many cells as `awaiting` says, neither hit nor given away before
/// (R16). Then the turn is the mine owner's (R19).
#[utoipa::path(
    post,
    operation_id = "revealCells",
    path = REVEAL.path,
    tag = "games",
    params(GameId, RepeatKey, IfMatch),
    request_body = RevealRequest,
    responses((status = 200, description = "The cells are given away.", body = ProgressBody, headers(("ETag"))))
)]
pub(crate) async fn reveal(games: Data<Games>, caller: Caller, request: RawRequest) -> Reply {
    let asked = request.read_move(&REVEAL, EmptyBody::IsMalformed, |body: RevealRequest| body.read().map(Move::Reveal));
    progress(games.act(caller, asked).await)
}

pub(in crate::http) static RESIGN: Operation = Operation {
    subject: Subject::Seat,
    budget: Some(Budget::Moves),
    refusals: &[CHANGE, OVER, CONDITIONAL],
    ..Operation::new::<__path_resign>("/v1/games/{game_id}/resign", || web::to(resign))
};

/// Resign
///
/// In battle the other side wins; before, the game ends without a winner (R24).
#[utoipa::path(
    post,
    operation_id = "resignGame",
    path = RESIGN.path,
    tag = "games",
    params(GameId, RepeatKey, IfMatch),
    request_body(content = Option<EmptyRequest>, description = "Nothing. An empty body counts as `{}`."),
    responses((status = 200, description = "The game has ended.", body = ProgressBody, headers(("ETag"))))
)]
pub(crate) async fn resign(games: Data<Games>, caller: Caller, request: RawRequest) -> Reply {
    let asked = request.read_move(&RESIGN, EmptyBody::IsEmptyObject, |_: EmptyRequest| Ok(Move::Resign));
    progress(games.act(caller, asked).await)
}

fn progress(made: Result<Progress, Error>) -> Reply {
    let progress = made?;
    reply::tagged(progress.tag, &ProgressBody::from(progress))
}
