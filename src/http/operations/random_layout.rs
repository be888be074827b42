use actix_web::http::StatusCode;
use actix_web::web;

use engine::{SeededDice, random_placement};

use crate::entropy;
use crate::http::operation::Operation;
use crate::http::problem::Problem;
use crate::http::rate_limit::Budget;
use crate::http::reply::{self, Reply};
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{RandomLayoutBody, RandomLayoutRequest};

pub(in crate::http) static RANDOM_LAYOUT: Operation = Operation {
    budget: Some(Budget::Layouts),
    ..Operation::new::<__path_random_layout>("/v1/layouts/random", || web::to(random_layout))
};

/// Draw a layout
///
/// A legal layout, drawn so that each is as likely as any other. Without a `seed` it comes from 256
/// random bits of the operating system. Equal requests with equal seeds give equal layouts: that is
/// for tests and puzzles, since whoever guesses the seed knows the board.
#[utoipa::path(
    post,
    operation_id = "drawLayout",
    path = RANDOM_LAYOUT.path,
    tag = "layouts",
    request_body = RandomLayoutRequest,
    responses((status = 200, description = "A legal layout.", body = RandomLayoutBody))
)]
pub(crate) async fn random_layout(request: RawRequest) -> Reply {
    let asked = request.body::<RandomLayoutRequest>(EmptyBody::IsMalformed)?.read()?;
    let mut dice = match asked.seed {
        Some(seed) => SeededDice::from_number(seed),
        None => entropy::dice().map_err(|error| {
            log::error!("no layout was drawn: {error}");
            Problem::internal()
        })?,
    };
    let placement = random_placement(&asked.options, &mut dice);
    reply::json(StatusCode::OK, &RandomLayoutBody::new(&placement, asked.seed))
}
