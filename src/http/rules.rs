use actix_web::HttpResponse;
use actix_web::http::StatusCode;

use super::problem::Problem;
use super::reply;
use super::unread::Unread;
use crate::engine::{Fleet, Grid, Options};
use crate::text;
use crate::wire::{
    Answers, Change, FleetRules, GridRules, GridSize, Length, OptionsBody, RulesBody, RulesText, TurnSeconds,
};

/// What stands between two paragraphs.
const PARAGRAPH: &str = "\n\n";

/// Read the rules
///
/// What a "new game" page is built from: grids, fleets, mine counts, defaults and limits, and the
/// Mines variant in words.
#[utoipa::path(
    get,
    path = "/v1/rules",
    operation_id = "rules",
    tag = "rules",
    responses((status = 200, description = "The rules.", body = RulesBody))
)]
pub(crate) async fn rules(request: Unread) -> Result<HttpResponse, Problem> {
    request.no_query()?;
    let body = RulesBody {
        language: text::LANGUAGE,
        grids: Grid::ALL.map(|grid| GridRules { grid: GridSize(grid), mines: grid.mines() }).into(),
        fleets: Fleet::ALL.map(|fleet| FleetRules { fleet: fleet.into(), ships: Length::of_fleet(fleet) }).into(),
        defaults: OptionsBody::from(&Options::default()),
        turn_seconds: TurnSeconds { min: Options::SHORTEST_TURN, max: Options::LONGEST_TURN },
        answers: Answers::from(&text::ANSWERS),
        columns: text::COLUMNS.map(str::to_owned).into(),
        text: RulesText {
            what: text::WHAT.join(PARAGRAPH),
            changes: text::CHANGES.iter().map(Change::from).collect(),
            history: text::HISTORY.join(PARAGRAPH),
        },
    };
    reply::json(StatusCode::OK, &body)
}
