//! The four moves that a seat makes.

use actix_web::web::Data;

use crate::http::reply::{self, Reply};
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{FireRequest, Nothing, PlaceRequest, ProgressBody, RevealRequest};
use crate::service::{Caller, Error, Games, Move, Progress};

/// Place ships and mines
///
/// Accepted or refused whole (R5), and final (R6); a refusal lists every fault. The second layout
/// starts the battle. The reply has the salt of your commitment: keep it.
#[utoipa::path(
    post,
    path = "/v1/games/{game_id}/place",
    operation_id = "place",
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game's id."),
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, pattern = "^[!-~]+$", description = "Names the request: a repeat with the same key, path and body gives the same reply and has no second effect."),
        ("If-Match" = Option<String>, Header, description = "Act only while the game is in this state, such as \"9-host\"."),
    ),
    request_body = PlaceRequest,
    responses((status = 200, description = "The layout is placed.", body = ProgressBody, headers(
        ("ETag" = String, description = "The state of the game through your eyes, such as \"9-host\"."),
    ))),
    security(("seat_token" = []))
)]
pub(crate) async fn place(games: Data<Games>, caller: Caller, request: RawRequest) -> Reply {
    let asked = request.read_move("/place", EmptyBody::IsMalformed, |body: PlaceRequest| body.read().map(Move::Place));
    progress(games.act(caller, asked).await)
}

/// Fire at the opponent's cells
///
/// Answers what each shot found. A struck mine obliges the shooter to reveal cells of their own
/// ships before anybody fires again (R16, R19).
#[utoipa::path(
    post,
    path = "/v1/games/{game_id}/fire",
    operation_id = "fire",
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game's id."),
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, pattern = "^[!-~]+$", description = "Names the request: a repeat with the same key, path and body gives the same reply and has no second effect."),
        ("If-Match" = Option<String>, Header, description = "Act only while the game is in this state, such as \"9-host\"."),
    ),
    request_body = FireRequest,
    responses((status = 200, description = "What the shots found.", body = ProgressBody, headers(
        ("ETag" = String, description = "The state of the game through your eyes, such as \"9-host\"."),
    ))),
    security(("seat_token" = []))
)]
pub(crate) async fn fire(games: Data<Games>, caller: Caller, request: RawRequest) -> Reply {
    let asked = request.read_move("/fire", EmptyBody::IsMalformed, |body: FireRequest| body.read().map(Move::Fire));
    progress(games.act(caller, asked).await)
}

/// Give cells of your own ships away
///
/// Due after you struck a mine: as many cells as `awaiting` says, neither hit nor given away before
/// (R16). Then the turn is the mine owner's (R19).
#[utoipa::path(
    post,
    path = "/v1/games/{game_id}/reveal",
    operation_id = "reveal",
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game's id."),
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, pattern = "^[!-~]+$", description = "Names the request: a repeat with the same key, path and body gives the same reply and has no second effect."),
        ("If-Match" = Option<String>, Header, description = "Act only while the game is in this state, such as \"9-host\"."),
    ),
    request_body = RevealRequest,
    responses((status = 200, description = "The cells are given away.", body = ProgressBody, headers(
        ("ETag" = String, description = "The state of the game through your eyes, such as \"9-host\"."),
    ))),
    security(("seat_token" = []))
)]
pub(crate) async fn reveal(games: Data<Games>, caller: Caller, request: RawRequest) -> Reply {
    let asked =
        request.read_move("/reveal", EmptyBody::IsMalformed, |body: RevealRequest| body.read().map(Move::Reveal));
    progress(games.act(caller, asked).await)
}

/// Resign
///
/// In battle the other side wins; before, the game ends without a winner (R24).
#[utoipa::path(
    post,
    path = "/v1/games/{game_id}/resign",
    operation_id = "resign",
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game's id."),
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, pattern = "^[!-~]+$", description = "Names the request: a repeat with the same key, path and body gives the same reply and has no second effect."),
        ("If-Match" = Option<String>, Header, description = "Act only while the game is in this state, such as \"9-host\"."),
    ),
    request_body(content = Option<Nothing>, description = "Nothing. An empty body counts as `{}`."),
    responses((status = 200, description = "The game has ended.", body = ProgressBody, headers(
        ("ETag" = String, description = "The state of the game through your eyes, such as \"9-host\"."),
    ))),
    security(("seat_token" = []))
)]
pub(crate) async fn resign(games: Data<Games>, caller: Caller, request: RawRequest) -> Reply {
    let asked = request.read_move("/resign", EmptyBody::IsEmptyObject, |_: Nothing| Ok(Move::Resign));
    progress(games.act(caller, asked).await)
}

fn progress(made: Result<Progress, Error>) -> Reply {
    let progress = made?;
    reply::tagged(progress.tag, &ProgressBody::from(progress))
}
