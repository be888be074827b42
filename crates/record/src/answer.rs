use serde::{Deserialize, Serialize};
use serde_json::{Deserializer, Value};
use uuid::Uuid;

use crate::proof::{Hash, Salt};
use crate::tree::{Content, Tree, commitment_to, root_from};
use crate::verify::{Flaw, Found, body_of};
use crate::{Cell, ContentWord, GameBody, Happened, Hex, SeatWord, read};
use engine::{Coordinate, Layout, Options, Outcome, Seat};

/// What proves an answer in the moment in which it is given.
///
/// Each cell's content, salt and path lead to the root, and the root to the commitment of the seat whose board it is. It
/// tells of no other cell: what stands beside the way is salted and hashed.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Proof {
    /// The event whose answer it proves.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 2_147_483_647))]
    pub seq: u32,
    /// Whose board it is: of shots the other side's, of cells given away the giver's own.
    pub seat: SeatWord,
    /// The root of the tree over that board.
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
    pub root: Hex,
    /// The cells of the event, in its order.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 10))]
    pub cells: Vec<CellProof>,
}

/// What proves the content of one cell.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CellProof {
    /// Which cell.
    pub cell: Cell,
    /// What it holds.
    pub content: ContentWord,
    /// The salt of this cell.
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
    pub salt: Hex,
    /// The hashes beside the way from its leaf up to the root.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>, min_items = 6, max_items = 8))]
    pub path: Vec<Hex>,
}

/// Why a proof does not prove what it is said to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum FalseProof {
    /// The event answers nothing, or there is none.
    NothingToProve,
    /// It is about the other board.
    OtherSeat,
    /// Its cells are not those of the event, in the event's order.
    OtherCells,
    /// The cell holds something else than was answered.
    OtherContent(Coordinate),
    /// The cell does not lead to the root.
    Astray(Coordinate),
    /// The root is not the one committed to.
    OtherRoot,
}

impl Happened<'_> {
    /// Whose board this tells of, and what of each cell; `None` where it tells of no board.
    pub fn answers(&self) -> Option<(Seat, Vec<(Coordinate, Content)>)> {
        match self {
            Happened::Fired { seat, shots, .. } => {
                let content = |outcome| match outcome {
                    Outcome::Miss => Content::Water,
                    Outcome::Hit | Outcome::Sunk(_) => Content::Ship,
                    Outcome::Mine => Content::Mine,
                };
                Some((seat.other(), shots.iter().map(|shot| (shot.cell, content(shot.outcome))).collect()))
            }
            Happened::Revealed { seat, cells } => {
                Some((*seat, cells.iter().map(|cell| (*cell, Content::Ship)).collect()))
            }
            Happened::Created { .. }
            | Happened::Joined { .. }
            | Happened::Placed { .. }
            | Happened::Resigned { .. }
            | Happened::TimedOut { .. }
            | Happened::Expired
            | Happened::Extended { .. } => None,
        }
    }
}

impl Proof {
    /// What proves these cells of a seat's board, as its owner hid it; `None` where one lies outside the grid.
    pub fn new(
        seq: u32,
        seat: Seat,
        side: u8,
        layout: &Layout,
        salt: &Salt,
        cells: impl IntoIterator<Item = Coordinate>,
    ) -> Option<Self> {
        let tree = Tree::new(side, layout, salt);
        let prove = |cell| {
            let (salt, path) = tree.way_of(cell)?;
            let content = Content::of(layout, cell).into();
            Some(CellProof { cell: Cell(cell), content, salt: Hex(salt), path: path.into_iter().map(Hex).collect() })
        };
        let cells = cells.into_iter().map(prove).collect::<Option<_>>()?;
        Some(Self { seq, seat: seat.into(), root: Hex(tree.root()), cells })
    }

    /// Checks that it proves what an event answered, about a board that this is the commitment to.
    ///
    /// # Errors
    ///
    /// The first [`FalseProof`].
    pub fn check(
        &self,
        game: Uuid,
        options: &Options,
        commitment: &Hash,
        seq: u32,
        happened: &Happened<'_>,
    ) -> Result<(), FalseProof> {
        let (seat, answers) = happened.answers().filter(|_| seq == self.seq).ok_or(FalseProof::NothingToProve)?;
        if self.seat.0 != seat {
            return Err(FalseProof::OtherSeat);
        }
        if !self.cells.iter().map(|proven| proven.cell.0).eq(answers.iter().map(|(cell, _)| *cell)) {
            return Err(FalseProof::OtherCells);
        }
        if let Some((_, (cell, _))) =
            self.cells.iter().zip(&answers).find(|(proven, (_, content))| proven.content.0 != *content)
        {
            return Err(FalseProof::OtherContent(*cell));
        }
        self.check_cells(game, options, commitment)
    }

    /// Checks that its cells are those of the board that this is the commitment to, whatever was answered.
    ///
    /// # Errors
    ///
    /// [`FalseProof::Astray`] or [`FalseProof::OtherRoot`].
    pub fn check_cells(&self, game: Uuid, options: &Options, commitment: &Hash) -> Result<(), FalseProof> {
        for CellProof { cell, content, salt, path } in &self.cells {
            let path: Vec<Hash> = path.iter().map(|hash| hash.0).collect();
            if root_from(options.grid.side(), cell.0, content.0, &salt.0, &path) != Some(self.root.0) {
                return Err(FalseProof::Astray(cell.0));
            }
        }
        let leads_to = commitment_to(game, options, self.seat.0, self.root.0);
        if leads_to == *commitment { Ok(()) } else { Err(FalseProof::OtherRoot) }
    }
}

/// Holds proofs against a game and its log: what is wrong, in the order of the log.
///
/// That the log itself is as it should be is for [`verify::check`](crate::verify::check) to say.
pub fn check_proofs(game: &GameBody, events: &[Value], proofs: &[Proof]) -> Vec<Found> {
    let options = Options::from(&game.options);
    let texts: Vec<String> =
        events.iter().map(|event| event.as_object().and_then(body_of).unwrap_or_default()).collect();
    let log: Vec<_> = texts.iter().map(|text| read(text).ok()).collect();
    let commitment_of = |of: Seat| {
        log.iter().flatten().find_map(|event| match event.happened {
            Happened::Placed { seat, commitment } if seat == of => Some(commitment),
            Happened::Created { .. }
            | Happened::Joined { .. }
            | Happened::Placed { .. }
            | Happened::Fired { .. }
            | Happened::Revealed { .. }
            | Happened::Resigned { .. }
            | Happened::TimedOut { .. }
            | Happened::Expired
            | Happened::Extended { .. } => None,
        })
    };
    let mut found: Vec<Found> = proofs
        .iter()
        .filter_map(|proof| {
            let about = log.iter().zip(1..).find_map(|(event, place)| {
                event.as_ref().filter(|event| event.seq == proof.seq).map(|event| (event, place))
            });
            let Some((event, place)) = about else {
                return Some(Found { seq: None, flaw: Flaw::Proof(FalseProof::NothingToProve) });
            };
            let committed = commitment_of(proof.seat.0).ok_or(FalseProof::OtherRoot);
            let checked = committed.and_then(|hash| proof.check(game.id, &options, &hash, event.seq, &event.happened));
            checked.err().map(|is_false| Found { seq: Some(place), flaw: Flaw::Proof(is_false) })
        })
        .collect();
    found.sort_by_key(|found| found.seq.unwrap_or(usize::MAX));
    found
}

/// The proofs in a text: an array of them, or several one after the other.
pub(crate) fn proofs_in(text: &str) -> Result<Vec<Proof>, serde_json::Error> {
    let mut all = Vec::new();
    for some in Deserializer::from_str(text).into_iter::<OneOrMore>() {
        match some? {
            OneOrMore::More(list) => all.extend(list),
            OneOrMore::One(proof) => all.push(proof),
        }
    }
    Ok(all)
}

/// What stands in a file of proofs.
#[derive(Deserialize)]
#[serde(untagged, expecting = "it is neither a proof nor a list of proofs")]
enum OneOrMore {
    More(Vec<Proof>),
    One(Proof),
}
