use serde::Serialize;
use utoipa::ToSchema;

use crate::text::{Language, Message};
use engine::Impossible;
use record::verify::{Findings, Flaw};
use record::{FalseProof, FlawWord, SealWord, time};

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
    pub host: Option<SealWord>,
    /// The guest's; `null` before they have placed.
    #[schema(required)]
    pub guest: Option<SealWord>,
}

/// One thing that is wrong with a log or with the game that it is said to be of.
#[derive(Serialize, ToSchema, PartialEq, Debug)]
#[schema(as = Flaw)]
pub struct FlawBody {
    /// The event that it is about; `null` where it is about the game as a whole.
    #[schema(required, minimum = 1, maximum = 2_147_483_647)]
    pub seq: Option<usize>,
    /// The stable word for it.
    pub code: FlawWord,
    /// What is wrong, in a sentence and in your language.
    pub message: String,
}

impl VerifyBody {
    /// What was found, in a language.
    pub fn new(findings: &Findings, language: Language) -> Self {
        let commitments = findings.commitments;
        Self {
            ok: findings.found.is_empty(),
            complete: findings.complete,
            events: findings.lines.len(),
            answers: findings.answers,
            commitments: SealsBody {
                host: commitments.host.map(SealWord::from),
                guest: commitments.guest.map(SealWord::from),
            },
            faults: findings
                .found
                .iter()
                .map(|found| FlawBody {
                    seq: found.seq,
                    code: found.flaw.code().into(),
                    message: language.say(&message(&found.flaw)),
                })
                .collect(),
        }
    }
}

fn message(flaw: &Flaw) -> Message {
    match *flaw {
        Flaw::NoObject => Message::FlawNoObject,
        Flaw::NotCanonical => Message::FlawNotCanonical,
        Flaw::Unreadable => Message::FlawUnreadable,
        Flaw::OtherForm => Message::FlawOtherForm,
        Flaw::Seq { seq, place } => Message::FlawSeq { seq, place },
        Flaw::Head => Message::FlawHead,
        Flaw::KeptHead => Message::FlawKeptHead,
        Flaw::CreatedTwice => Message::FlawCreatedTwice,
        Flaw::OtherGame => Message::FlawOtherGame,
        Flaw::Beginning => Message::FlawBeginning,
        Flaw::First => Message::FlawFirst,
        Flaw::Time { at, due } => Message::FlawTime { at: time(at), due: time(due) },
        Flaw::Layout(seat) => Message::FlawLayout { seat: seat.word().to_owned() },
        Flaw::Commitment(seat) => Message::FlawCommitment { seat: seat.word().to_owned() },
        Flaw::Derived(field) => Message::FlawDerived { field: field.to_owned() },
        Flaw::View(field) => Message::FlawView { field: field.to_owned() },
        Flaw::Impossible(Impossible::WrongPhase) => Message::FlawPhase,
        Flaw::Impossible(Impossible::WrongSeat) => Message::FlawSeat,
        Flaw::Impossible(Impossible::WrongCount) => Message::FlawCount,
        Flaw::Impossible(Impossible::WrongCell) => Message::FlawCell,
        Flaw::Impossible(Impossible::WrongAnswer) => Message::FlawAnswer,
        Flaw::Row { table, column } => Message::FlawRow { table: table.to_owned(), column: column.to_owned() },
        Flaw::RowMissing(table) => Message::FlawRowMissing { table: table.to_owned() },
        Flaw::RowSurplus(table) => Message::FlawRowSurplus { table: table.to_owned() },
        Flaw::Proof(FalseProof::NothingToProve) => Message::FlawProofOfNothing,
        Flaw::Proof(FalseProof::OtherSeat) => Message::FlawProofSeat,
        Flaw::Proof(FalseProof::OtherCells) => Message::FlawProofCells,
        Flaw::Proof(FalseProof::OtherContent(cell)) => Message::FlawProofContent { cell: cell.to_string() },
        Flaw::Proof(FalseProof::Astray(cell)) => Message::FlawProofAstray { cell: cell.to_string() },
        Flaw::Proof(FalseProof::OtherRoot) => Message::FlawProofRoot,
    }
}
