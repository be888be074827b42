use actix_web::http::StatusCode;
use actix_web::web::{self, Data};

use crate::http::operation::{KEPT, Operation, Subject};
use crate::http::parameters::{GameId, Seq};
use crate::http::rate_limit::Budget;
use crate::http::reply::{self, Reply};
use crate::http::request::RawRequest;
use crate::schema::{AnalysisBody, Code, TurnAnalysisBody};
use crate::service::{Caller, Games};

pub(in crate::http) static ANALYSIS: Operation = Operation {
    subject: Subject::Game,
    budget: Some(Budget::Analyses),
    refusals: &[KEPT, &[Code::NotOver]],
    ..Operation::new::<__path_analysis>("/v1/games/{game_id}/analysis", || web::to(analysis))
};

pub(in crate::http) static TURN_ANALYSIS: Operation = Operation {
    subject: Subject::Game,
    budget: Some(Budget::Analyses),
    refusals: &[KEPT, &[Code::NotOver, Code::NothingToAnalyse]],
    ..Operation::new::<__path_turn_analysis>("/v1/games/{game_id}/analysis/{seq}", || web::to(turn_analysis))
};

/// Analyse a finished game
///
/// How lucky each side was, and how good its choices were: for each shot the chance of a ship and of a
/// mine, as the side that fired could reckon them, and the cell where a ship was most likely. Each
/// legal layout that agrees with all that it knew counts alike.
#[utoipa::path(
    get,
    operation_id = "analyseGame",
    path = ANALYSIS.path,
    tag = "games",
    params(GameId),
    responses((status = 200, description = "The analysis.", body = AnalysisBody))
)]
pub(crate) async fn analysis(games: Data<Games>, caller: Caller, request: RawRequest) -> Reply {
    let game = games.enter(&caller).await?;
    request.no_query()?;
    reply::json(StatusCode::OK, &AnalysisBody::from(&*game.analyse().await?))
}

/// Analyse a shot of a finished game
///
/// The chances of a ship and of a mine for every cell, as the side that fired could reckon them right
/// before this shot or volley.
#[utoipa::path(
    get,
    operation_id = "analyseTurn",
    path = TURN_ANALYSIS.path,
    tag = "games",
    params(
        GameId,
        ("seq" = u32, Path, minimum = 1, maximum = 2_147_483_647, example = 5, description = "An event of the type `fired`."),
    ),
    responses((status = 200, description = "The chances.", body = TurnAnalysisBody))
)]
pub(crate) async fn turn_analysis(games: Data<Games>, caller: Caller, seq: Seq, request: RawRequest) -> Reply {
    let game = games.enter(&caller).await?;
    request.no_query()?;
    let (analysis, place) = game.analyse_turn(seq.0).await?;
    reply::json(StatusCode::OK, &analysis.turns.get(place).map(TurnAnalysisBody::from))
}
