use actix_web::http::StatusCode;
use actix_web::web;

use crate::http::language::CallerLanguage;
use crate::http::operation::Operation;
use crate::http::reply::{self, Reply};
use crate::http::request::RawRequest;
use crate::schema::RulesBody;

pub(in crate::http) static RULES: Operation =
    Operation { in_a_language: true, ..Operation::new::<__path_rules>("/v1/rules", || web::to(rules)) };

/// Read the rules
///
/// What a "new game" page is built from, in your language: grids, fleets, mine counts, options with
/// defaults and limits, and the Mines variant in words.
#[utoipa::path(
    get,
    operation_id = "getRules",
    path = RULES.path,
    tag = "rules",
    params(
        ("Accept-Language" = Option<String>, Header, format = "language-range", example = "en", description = "The languages that you read, such as `de-AT, en;q=0.5`. There are `en`, `de`, `fi`, `it` and `ru`; without any of them it is `en`."),
    ),
    responses((status = 200, description = "The rules.", body = RulesBody, headers(("Content-Language"))))
)]
pub(crate) async fn rules(request: RawRequest, spoken: CallerLanguage) -> Reply {
    request.no_query()?;
    let mut reply = reply::json(StatusCode::OK, &RulesBody::new(spoken.0))?;
    spoken.mark(reply.headers_mut());
    Ok(reply)
}
