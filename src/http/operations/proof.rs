use actix_web::http::StatusCode;
use actix_web::web::{self, Data};

use crate::http::operation::{KEPT, Operation, Subject};
use crate::http::parameters::{GameId, Seq};
use crate::http::rate_limit::Budget;
use crate::http::reply::{self, Reply};
use crate::http::request::RawRequest;
use crate::schema::{Code, Proof};
use crate::service::{Caller, Games};

pub(in crate::http) static PROOF: Operation = Operation {
    subject: Subject::Game,
    budget: Some(Budget::Proofs),
    refusals: &[KEPT, &[Code::NothingToProve]],
    ..Operation::new::<__path_proof>("/v1/games/{game_id}/events/{seq}/proof", || web::to(proof))
};

/// Prove an answer
///
/// Proves what a shot found, or that a cell given away is a ship's, in the moment in which it is told:
/// each cell's `content`, `salt` and `path` lead to the `root`, and the root to the commitment of the
/// `seat` whose board it is. It tells of no other cell. Anybody may ask, at any time and in any game;
/// the proof of an event is the same in every reply.
#[utoipa::path(
    get,
    operation_id = "proveAnswer",
    path = PROOF.path,
    tag = "games",
    params(
        GameId,
        ("seq" = u32, Path, minimum = 1, maximum = 2_147_483_647, example = 5, description = "An event of the type `fired` or `revealed`."),
    ),
    responses((status = 200, description = "The proof.", body = Proof))
)]
pub(crate) async fn proof(games: Data<Games>, caller: Caller, seq: Seq, request: RawRequest) -> Reply {
    let game = games.enter(&caller).await?;
    request.no_query()?;
    reply::json(StatusCode::OK, &game.prove(seq.0).await?)
}
