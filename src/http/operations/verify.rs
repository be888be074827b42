use actix_web::http::StatusCode;
use actix_web::web::{self, Data};

use crate::http::language::CallerLanguage;
use crate::http::operation::{Operation, Subject};
use crate::http::parameters::GameId;
use crate::http::rate_limit::Budget;
use crate::http::reply::{self, Reply};
use crate::http::request::RawRequest;
use crate::schema::VerifyBody;
use crate::service::{Caller, Games};

pub(in crate::http) static VERIFY: Operation = Operation {
    subject: Subject::Game,
    budget: Some(Budget::Check),
    in_a_language: true,
    ..Operation::new::<__path_verify>("/v1/games/{game_id}/verify", || web::to(verify))
};

/// Verify a game
///
/// Checks the chain over the log and, once the game is opened, both commitments, both layouts, every
/// answer and every derived field. The server holds all that it keeps of the game against the log as
/// well, also while the game runs; what differs or cannot be read is `wrong_record` or
/// `wrong_commitment`. Whoever trusts nobody downloads the game and its log and runs the same check
/// at home.
#[utoipa::path(
    get,
    operation_id = "verifyGame",
    path = VERIFY.path,
    tag = "games",
    params(GameId),
    responses((status = 200, description = "What was found.", body = VerifyBody))
)]
pub(crate) async fn verify(games: Data<Games>, caller: Caller, request: RawRequest, spoken: CallerLanguage) -> Reply {
    let audit = games.audit(&caller).await?;
    request.no_query()?;
    let findings = audit.findings();
    let mut reply = reply::json(StatusCode::OK, &VerifyBody::new(&findings, spoken.0))?;
    spoken.mark(reply.headers_mut());
    Ok(reply)
}
