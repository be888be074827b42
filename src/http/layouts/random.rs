use actix_web::http::StatusCode;

use engine::{SeededDice, random_placement};

use crate::entropy;
use crate::http::problem::Problem;
use crate::http::reply::{self, Reply};
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{RandomLayoutBody, RandomLayoutRequest};

/// Draw a layout
///
/// A legal layout, drawn so that each is as likely as any other. Without a `seed` it comes from 256
/// random bits of the operating system. Equal requests with equal seeds give equal layouts: that is
/// for tests and puzzles, since whoever guesses the seed knows the board.
#[utoipa::path(
    post,
    path = "/v1/layouts/random",
    operation_id = "random_layout",
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
