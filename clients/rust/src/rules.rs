use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Fleet, Options};

/// What a "new game" page is built from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rules {
    /// The language of the texts.
    pub language: String,
    /// The grids, smallest first.
    pub grids: Vec<GridRules>,
    /// The fleets.
    pub fleets: Vec<FleetRules>,
    /// What is played where nothing is chosen.
    pub defaults: Options,
    /// The bounds of the turn clock.
    pub turn_seconds: TurnSeconds,
    /// The answers to a shot in words.
    pub answers: Answers,
    /// The letters of the columns from the left, for display.
    pub columns: Vec<String>,
    /// The statuses of a game in words, by the status.
    pub statuses: BTreeMap<String, String>,
    /// What can be awaited of a seat in words, by the action.
    #[serde(default)]
    pub actions: BTreeMap<String, String>,
    /// Why a game ended in words, by the reason.
    pub reasons: BTreeMap<String, String>,
    /// How well bots play in words, by the level.
    #[serde(default)]
    pub levels: BTreeMap<String, String>,
    /// The options in words.
    pub options: Vec<OptionRules>,
    /// The Mines variant in words.
    pub text: RulesText,
}

/// A grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GridRules {
    /// Columns and rows.
    pub grid: u8,
    /// How many mines each side hides where mines are played.
    pub mines: u8,
}

/// A fleet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FleetRules {
    /// Its name in the options.
    pub fleet: Fleet,
    /// The lengths of its ships, longest first.
    pub ships: Vec<u8>,
}

/// The bounds of the turn clock, in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TurnSeconds {
    /// The shortest.
    pub min: u32,
    /// The longest.
    pub max: u32,
}

/// The answers to a shot in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Answers {
    /// Water.
    pub miss: String,
    /// A ship that stays afloat.
    pub hit: String,
    /// A ship's last cell.
    pub sunk: String,
    /// A mine.
    pub mine: String,
}

/// The Mines variant in words. Paragraphs are separated by an empty line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RulesText {
    /// The standard game, in a few sentences.
    #[serde(default)]
    pub standard: String,
    /// What the Mines variant is.
    pub what: String,
    /// What changes against the standard game.
    pub changes: Vec<Change>,
    /// Where it comes from.
    pub history: String,
}

/// An option in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OptionRules {
    /// Its field in the options of a new game.
    pub option: String,
    /// What it is called.
    pub title: String,
    /// What it does.
    pub text: String,
    /// What its words mean, where it is one of several words.
    pub words: Vec<OptionWord>,
}

/// A word that an option may be, in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OptionWord {
    /// The word in the options.
    pub word: String,
    /// What it is called.
    pub title: String,
}

/// One rule that changes against the standard game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Change {
    /// What the rule is about.
    pub rule: String,
    /// The standard game.
    pub standard: String,
    /// With mines.
    pub mines: String,
}
