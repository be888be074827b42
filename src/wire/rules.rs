use serde::Serialize;
use utoipa::ToSchema;

use super::game::Length;
use super::{Fleet, GridSize, OptionsBody};
use crate::text;

/// What a "new game" page is built from.
#[derive(Serialize, ToSchema)]
#[schema(as = Rules)]
pub struct RulesBody {
    /// The language of the texts.
    #[schema(examples("en"))]
    pub language: &'static str,
    /// The grids, smallest first.
    #[schema(max_items = 4)]
    pub grids: Vec<GridRules>,
    /// The fleets.
    #[schema(max_items = 2)]
    pub fleets: Vec<FleetRules>,
    /// What is played where nothing is chosen.
    pub defaults: OptionsBody,
    /// The bounds of the turn clock.
    pub turn_seconds: TurnSeconds,
    /// The answers to a shot in words.
    pub answers: Answers,
    /// The letters of the columns from the left, for display.
    #[schema(min_items = 15, max_items = 15)]
    pub columns: Vec<String>,
    /// The Mines variant in words.
    pub text: RulesText,
}

/// A grid.
#[derive(Serialize, ToSchema)]
pub struct GridRules {
    /// Columns and rows.
    pub grid: GridSize,
    /// How many mines each side hides where mines are played.
    #[schema(minimum = 1, maximum = 3)]
    pub mines: u8,
}

/// A fleet.
#[derive(Serialize, ToSchema)]
pub struct FleetRules {
    /// Its name in the options.
    pub fleet: Fleet,
    /// The lengths of its ships, longest first.
    #[schema(max_items = 10)]
    pub ships: Vec<Length>,
}

/// The bounds of the turn clock, in seconds.
#[derive(Serialize, ToSchema)]
pub struct TurnSeconds {
    /// The shortest.
    #[schema(minimum = 10, maximum = 10)]
    pub min: u32,
    /// The longest.
    #[schema(minimum = 1_209_600, maximum = 1_209_600)]
    pub max: u32,
}

/// The answers to a shot in words.
#[derive(Serialize, ToSchema)]
pub struct Answers {
    /// Water.
    pub miss: &'static str,
    /// A ship that stays afloat.
    pub hit: &'static str,
    /// A ship's last cell.
    pub sunk: &'static str,
    /// A mine.
    pub mine: &'static str,
}

/// The Mines variant in words. Paragraphs are separated by an empty line.
#[derive(Serialize, ToSchema)]
pub struct RulesText {
    /// What it is.
    pub what: String,
    /// What changes against the standard game.
    #[schema(max_items = 20)]
    pub changes: Vec<Change>,
    /// Where it comes from.
    pub history: String,
}

/// One rule that changes against the standard game.
#[derive(Serialize, ToSchema)]
pub struct Change {
    /// What the rule is about.
    pub rule: &'static str,
    /// The standard game.
    pub standard: &'static str,
    /// With mines.
    pub mines: &'static str,
}

impl From<&text::Answers> for Answers {
    fn from(answers: &text::Answers) -> Self {
        Self { miss: answers.miss, hit: answers.hit, sunk: answers.sunk, mine: answers.mine }
    }
}

impl From<&text::Change> for Change {
    fn from(change: &text::Change) -> Self {
        Self { rule: change.rule, standard: change.standard, mines: change.mines }
    }
}
