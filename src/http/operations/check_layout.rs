use actix_web::http::StatusCode;
use actix_web::web;

use crate::http::language::CallerLanguage;
use crate::http::operation::Operation;
use crate::http::rate_limit::Budget;
use crate::http::reply::{self, Reply};
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{CheckLayoutRequest, CheckedLayoutBody};

pub(in crate::http) static CHECK_LAYOUT: Operation = Operation {
    budget: Some(Budget::Layouts),
    in_a_language: true,
    ..Operation::new::<__path_check_layout>("/v1/layouts/check", || web::to(check_layout))
};

/// Check a layout
///
/// Says all that is wrong with a layout, as `place` would, and where one more mine could lie beside
/// the ships and mines sent. Nothing is stored.
#[utoipa::path(
    post,
    operation_id = "checkLayout",
    path = CHECK_LAYOUT.path,
    tag = "layouts",
    request_body = CheckLayoutRequest,
    responses((status = 200, description = "What is wrong with it.", body = CheckedLayoutBody))
)]
pub(crate) async fn check_layout(request: RawRequest, spoken: CallerLanguage) -> Reply {
    let asked = request.body::<CheckLayoutRequest>(EmptyBody::IsMalformed)?.read()?;
    let checked = CheckedLayoutBody::new(spoken.0, &asked.options, &asked.placement);
    let mut reply = reply::json(StatusCode::OK, &checked)?;
    spoken.mark(reply.headers_mut());
    Ok(reply)
}
