use actix_web::http::StatusCode;
use actix_web::web::{self, Data};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::operation::Operation;
use crate::http::problem::Problem;
use crate::http::reply::{self, Reply};
use crate::http::request::RawRequest;
use crate::schema::Code;
use crate::service::{Games, Origin};
use crate::text::Message;

/// The server is well.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    status: HealthStatus,
}

/// The one state that is well.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum HealthStatus {
    Ok,
}

pub(in crate::http) static ALIVE: Operation = Operation::new::<__path_alive>("/healthz", || web::to(alive));

/// Is the server alive?
///
/// Says so without asking the database.
#[utoipa::path(
    get,
    operation_id = "getHealth",
    path = ALIVE.path,
    tag = "operation",
    responses((status = 200, description = "It is.", body = Health))
)]
pub(crate) async fn alive(request: RawRequest) -> Reply {
    request.no_query()?;
    reply::json(StatusCode::OK, &Health { status: HealthStatus::Ok })
}

pub(in crate::http) static READY: Operation =
    Operation { refusals: &[&[Code::Unavailable]], ..Operation::new::<__path_ready>("/readyz", || web::to(ready)) };

/// Is the server ready?
///
/// It is when the database answers and has this release's tables.
#[utoipa::path(
    get,
    operation_id = "getReadiness",
    path = READY.path,
    tag = "operation",
    responses((status = 200, description = "It is.", body = Health))
)]
pub(crate) async fn ready(games: Data<Games>, origin: Origin, request: RawRequest) -> Reply {
    request.no_query()?;
    // Whatever it is that keeps the database from answering, nobody should be sent here.
    games.ready(origin).await.map_err(|failure| {
        log::warn!("not ready: {failure}");
        Problem::new(Code::Unavailable, Message::DatabaseIsAway)
    })?;
    reply::json(StatusCode::OK, &Health { status: HealthStatus::Ok })
}
