use serde::Serialize;
use utoipa::ToSchema;

use super::options::OptionTexts;
use crate::text::{Language, Message};
use engine::{Fleet, Grid, Options};
use record::{FleetWord, GridSize, Length, RecordedOptions};

/// What a "new game" page is built from.
#[derive(Serialize, ToSchema)]
#[schema(as = Rules)]
pub struct RulesBody {
    /// The language of the texts (RFC 5646).
    #[schema(examples("en"))]
    pub language: &'static str,
    /// The grids, smallest first.
    #[schema(max_items = 4)]
    pub grids: Vec<GridRules>,
    /// The fleets.
    #[schema(max_items = 2)]
    pub fleets: Vec<FleetRules>,
    /// What is played where nothing is chosen.
    pub defaults: RecordedOptions,
    /// The bounds of the turn clock.
    pub turn_seconds: TurnSeconds,
    #[expect(missing_docs, reason = "its schema says what it is")]
    #[schema(inline)]
    pub options: OptionTexts,
    /// The answers to a shot in words.
    pub answers: Answers,
    /// The statuses of a game in words.
    pub statuses: Statuses,
    /// What can be awaited of a seat, in words.
    pub actions: Actions,
    /// How a game ended, in words.
    pub reasons: Reasons,
    /// How well bots play, in words.
    pub levels: Levels,
    /// The letters of the columns from the left, for display: requests and replies have A to O.
    #[schema(min_items = 15, max_items = 15)]
    pub columns: Vec<String>,
    /// The standard game and the Mines variant in words.
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
    pub fleet: FleetWord,
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
    pub miss: String,
    /// A ship that stays afloat.
    pub hit: String,
    /// A ship's last cell.
    pub sunk: String,
    /// A mine.
    pub mine: String,
}

/// The statuses of a game in words.
#[derive(Serialize, ToSchema)]
pub struct Statuses {
    /// Nobody has joined.
    pub waiting: String,
    /// The fleets are being placed.
    pub placing: String,
    /// Shots are fired.
    pub battle: String,
    /// Somebody has won.
    pub finished: String,
    /// It ended without a winner.
    pub aborted: String,
}

/// What can be awaited of a seat, in words.
#[derive(Serialize, ToSchema)]
pub struct Actions {
    /// The free seat is to be taken.
    pub join: String,
    /// Ships and mines are to be placed.
    pub place: String,
    /// Shots are due.
    pub fire: String,
    /// Cells are owed.
    pub reveal: String,
}

/// How well bots play, in words.
#[derive(Serialize, ToSchema)]
pub struct Levels {
    /// At random.
    pub easy: String,
    /// It follows up what it has hit.
    pub medium: String,
    /// It reckons where ships may lie.
    pub hard: String,
}

/// How a game ended, in words.
#[derive(Serialize, ToSchema)]
pub struct Reasons {
    /// The last ship was sunk.
    pub fleet_sunk: String,
    /// Somebody resigned in battle.
    pub resigned: String,
    /// Somebody let the clock run out in battle.
    pub timed_out: String,
    /// It was broken off before the battle.
    pub aborted: String,
    /// Nobody joined in time.
    pub expired: String,
}

/// The standard game and the Mines variant in words. Paragraphs are separated by an empty line.
#[derive(Serialize, ToSchema)]
pub struct RulesText {
    /// The standard game, in a few sentences.
    pub standard: String,
    /// What the Mines variant is.
    pub what: String,
    /// What changes against the standard game.
    #[schema(min_items = 6, max_items = 6)]
    pub changes: Vec<RuleChange>,
    /// Where it comes from.
    pub history: String,
}

/// One rule that changes against the standard game.
#[derive(Serialize, ToSchema)]
pub struct RuleChange {
    /// What the rule is about.
    pub rule: String,
    /// The standard game.
    pub standard: String,
    /// With mines.
    pub mines: String,
}

/// What stands between two paragraphs.
const PARAGRAPH: &str = "\n\n";

impl RulesBody {
    /// The rules in a language.
    pub fn new(language: Language) -> Self {
        Self {
            language: language.tag(),
            grids: Grid::ALL.map(|grid| GridRules { grid: GridSize(grid), mines: grid.mines() }).into(),
            fleets: Fleet::ALL.map(FleetRules::new).into(),
            defaults: RecordedOptions::from(&Options::default()),
            turn_seconds: TurnSeconds { min: Options::SHORTEST_TURN, max: Options::LONGEST_TURN },
            options: OptionTexts::new(language),
            answers: Answers::new(language),
            statuses: Statuses::new(language),
            actions: Actions::new(language),
            reasons: Reasons::new(language),
            levels: Levels::new(language),
            columns: language.say(&Message::Columns).split(' ').map(str::to_owned).collect(),
            text: RulesText::new(language),
        }
    }
}

impl FleetRules {
    fn new(fleet: Fleet) -> Self {
        Self { fleet: fleet.into(), ships: Length::of_fleet(fleet) }
    }
}

impl Answers {
    fn new(language: Language) -> Self {
        Self {
            miss: language.say(&Message::AnswerMiss),
            hit: language.say(&Message::AnswerHit),
            sunk: language.say(&Message::AnswerSunk),
            mine: language.say(&Message::AnswerMine),
        }
    }
}

impl Statuses {
    fn new(language: Language) -> Self {
        Self {
            waiting: language.say(&Message::StatusWaiting),
            placing: language.say(&Message::StatusPlacing),
            battle: language.say(&Message::StatusBattle),
            finished: language.say(&Message::StatusFinished),
            aborted: language.say(&Message::StatusAborted),
        }
    }
}

impl Actions {
    fn new(language: Language) -> Self {
        Self {
            join: language.say(&Message::ActionJoin),
            place: language.say(&Message::ActionPlace),
            fire: language.say(&Message::ActionFire),
            reveal: language.say(&Message::ActionReveal),
        }
    }
}

impl Levels {
    fn new(language: Language) -> Self {
        Self {
            easy: language.say(&Message::LevelEasy),
            medium: language.say(&Message::LevelMedium),
            hard: language.say(&Message::LevelHard),
        }
    }
}

impl Reasons {
    fn new(language: Language) -> Self {
        Self {
            fleet_sunk: language.say(&Message::ReasonFleetSunk),
            resigned: language.say(&Message::ReasonResigned),
            timed_out: language.say(&Message::ReasonTimedOut),
            aborted: language.say(&Message::ReasonAborted),
            expired: language.say(&Message::ReasonExpired),
        }
    }
}

impl RulesText {
    fn new(language: Language) -> Self {
        let paragraphs = |messages: &[Message]| {
            let paragraphs: Vec<_> = messages.iter().map(|message| language.say(message)).collect();
            paragraphs.join(PARAGRAPH)
        };
        let changes = [
            [Message::SetupRule, Message::SetupStandard, Message::SetupMines],
            [Message::PlaceRule, Message::PlaceStandard, Message::PlaceMines],
            [Message::StrikeRule, Message::StrikeStandard, Message::StrikeMines],
            [Message::TurnRule, Message::TurnStandard, Message::TurnMines],
            [Message::EndRule, Message::EndStandard, Message::EndMines],
            [Message::OtherRule, Message::OtherStandard, Message::OtherMines],
        ];
        Self {
            standard: language.say(&Message::Standard),
            what: paragraphs(&[Message::What1, Message::What2, Message::What3]),
            changes: changes.iter().map(|change| RuleChange::new(language, change)).collect(),
            history: paragraphs(&[Message::History1, Message::History2]),
        }
    }
}

impl RuleChange {
    fn new(language: Language, [rule, standard, mines]: &[Message; 3]) -> Self {
        Self { rule: language.say(rule), standard: language.say(standard), mines: language.say(mines) }
    }
}
