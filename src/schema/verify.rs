use serde::Serialize;
use utoipa::ToSchema;

/// What was found in a game's log.
#[derive(Serialize, ToSchema, PartialEq, Debug)]
#[schema(as = Verification)]
pub struct VerifyBody {
    /// Whether no fault was found.
    pub ok: bool,
    /// Whether the game is opened, so that everything could be checked; else the chain alone was.
    pub complete: bool,
    /// How many events were checked.
    #[schema(minimum = 0, maximum = 2_147_483_647)]
    pub events: usize,
    /// How many answers to shots were checked against the layouts.
    #[schema(minimum = 0, maximum = 450)]
    pub answers: usize,
    /// What became of each seat's commitment.
    pub commitments: SealsBody,
    /// What is wrong, in the order of the log.
    #[schema(max_items = 2_147_483_647)]
    pub faults: Vec<FlawBody>,
}

/// What became of each seat's commitment.
#[derive(Serialize, ToSchema, PartialEq, Debug)]
#[schema(as = Seals)]
pub struct SealsBody {
    /// The host's; `null` before they have placed.
    #[schema(required)]
    pub host: Option<Seal>,
    /// The guest's; `null` before they have placed.
    #[schema(required)]
    pub guest: Option<Seal>,
}

/// A commitment is sealed until layout and salt are shown.
#[derive(Clone, Copy, Serialize, ToSchema, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the word says it")]
pub enum Seal {
    Opened,
    Sealed,
}

/// One thing that is wrong with a log or with the game that it is said to be of.
#[derive(Serialize, ToSchema, PartialEq, Debug)]
#[schema(as = Flaw)]
pub struct FlawBody {
    /// The event that it is about; `null` where it is about the game as a whole.
    #[schema(required, minimum = 1, maximum = 2_147_483_647)]
    pub seq: Option<usize>,
    /// The stable word for it.
    pub code: FlawCode,
    /// What is wrong, in a sentence and in your language.
    pub message: String,
}

/// What can be wrong with a log.
#[derive(Clone, Copy, Serialize, ToSchema, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum FlawCode {
    /// The event is not in the form of this version.
    Unreadable,
    /// The event's `seq` is not its place in the log.
    WrongSeq,
    /// The event's `head` is not the hash over what came before and the event.
    WrongHead,
    /// The event is about another game, or the log does not begin with the game's creation.
    WrongGame,
    /// The layout breaks the rules.
    IllegalLayout,
    /// The layout and salt shown are not those committed to.
    WrongCommitment,
    /// The event cannot happen at this point of the game.
    ImpossibleEvent,
    /// Somebody acted who was not to act.
    WrongTurn,
    /// Too many or too few shots or cells.
    WrongCount,
    /// A cell could not be fired at or given away.
    WrongCell,
    /// An answer to a shot, or what is owed, is not what the layouts say.
    WrongAnswer,
    /// The event came when its time had passed, or before it had.
    WrongTime,
    /// `status`, `awaiting` or `result` is not what follows from the log.
    WrongDerived,
    /// The game shown is not the game of this log.
    WrongView,
    /// The log has not the head that was kept.
    WrongKeptHead,
}
