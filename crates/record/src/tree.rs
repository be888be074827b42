use hmac::{Hmac, Mac as _};
use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::canonical::InOrder;
use crate::proof::{CELL_SALT, Hash, NO_HEAD, Salt, keyed};
use crate::{Hex, RecordedOptions, SeatWord};
use engine::{Coordinate, Layout, Options, Seat};

/// What a cell holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// Neither ship nor mine.
    Water,
    /// A cell of a ship.
    Ship,
    /// A mine.
    Mine,
}

engine::words! { Content { Water = "water", Ship = "ship", Mine = "mine" } }

impl Content {
    /// What a cell of this layout holds.
    pub fn of(layout: &Layout, cell: Coordinate) -> Self {
        if layout.ships().contains(cell) {
            Self::Ship
        } else if layout.mines().contains(cell) {
            Self::Mine
        } else {
            Self::Water
        }
    }

    /// The byte that is hashed.
    fn byte(self) -> u8 {
        match self {
            Self::Water => 0,
            Self::Ship => 1,
            Self::Mine => 2,
        }
    }
}

/// The Merkle tree over all cells of a layout.
///
/// Cell i = row · side + column. Its leaf = SHA-256(0 ‖ i ‖ content ‖ cell salt), with content
/// 0 water, 1 ship, 2 mine; from side² to the next power of two the leaves are 32 zero bytes.
/// A node = SHA-256(1 ‖ left ‖ right).
pub(crate) struct Tree {
    side: u8,
    salted: Hmac<Sha256>,
    /// The leaves, the nodes above them, and so on to the root.
    levels: Vec<Vec<Hash>>,
}

impl Tree {
    /// The tree of a layout that this salt blinds.
    pub(crate) fn new(side: u8, layout: &Layout, salt: &Salt) -> Self {
        let salted = keyed(salt.bytes()).chain_update(CELL_SALT);
        let cells = (0..side).flat_map(|row| (0..side).filter_map(move |column| Coordinate::new(column, row)));
        let mut leaves: Vec<Hash> = (0..=u8::MAX)
            .zip(cells)
            .map(|(index, cell)| leaf(index, Content::of(layout, cell), &cell_salt(&salted, index)))
            .collect();
        leaves.resize(leaves.len().next_power_of_two(), NO_HEAD);
        let above = |level: &Vec<Hash>| {
            let pairs = level.as_chunks::<2>().0;
            (!pairs.is_empty()).then(|| pairs.iter().map(|[left, right]| node(left, right)).collect())
        };
        Self { side, salted, levels: std::iter::successors(Some(leaves), above).collect() }
    }

    /// Its root.
    #[expect(clippy::expect_used, reason = "a grid has cells, so that its tree has a root")]
    pub(crate) fn root(&self) -> Hash {
        *self.levels.last().and_then(|level| level.first()).expect("a tree has a root")
    }

    /// The salt of a cell of the grid, and the nodes beside those on its way to the root, from the leaf upwards.
    ///
    /// `None` for a cell outside the grid.
    pub(crate) fn way_of(&self, cell: Coordinate) -> Option<(Hash, Vec<Hash>)> {
        let index = index_of(self.side, cell)?;
        let below_the_root = self.levels.split_last()?.1;
        let path =
            (0..).zip(below_the_root).map(|(height, level)| level.get(usize::from(index) >> height ^ 1).copied());
        Some((cell_salt(&self.salted, index), path.collect::<Option<_>>()?))
    }
}

/// The place of a cell in the tree; `None` outside the grid.
fn index_of(side: u8, cell: Coordinate) -> Option<u8> {
    let is_inside = cell.column() < side && cell.row() < side;
    is_inside.then(|| cell.row().checked_mul(side)?.checked_add(cell.column())).flatten()
}

/// The root that a cell's content, salt and path lead to; `None` where the path has another length than every path on
/// this grid, or the cell lies outside.
pub(crate) fn root_from(side: u8, cell: Coordinate, content: Content, salt: &Hash, path: &[Hash]) -> Option<Hash> {
    let index = index_of(side, cell)?;
    let leaves = (u32::from(side) * u32::from(side)).next_power_of_two();
    if u32::try_from(path.len()) != Ok(leaves.trailing_zeros()) {
        return None;
    }
    let reached = (0..).zip(path).fold(leaf(index, content, salt), |reached, (height, beside): (u32, _)| {
        if u32::from(index) >> height & 1 == 0 { node(&reached, beside) } else { node(beside, &reached) }
    });
    Some(reached)
}

/// What a commitment hashes, keys in the order of RFC 8785.
#[derive(Serialize)]
struct Committed {
    game: Uuid,
    options: InOrder<RecordedOptions>,
    root: Hex,
    seat: SeatWord,
}

/// The commitment to a root: SHA-256 over the game, its options, the seat and the root.
#[expect(clippy::expect_used, reason = "it has texts for keys and is written into memory")]
pub(crate) fn commitment_to(game: Uuid, options: &Options, seat: Seat, root: Hash) -> Hash {
    let committed = Committed { game, options: InOrder(options.into()), root: Hex(root), seat: seat.into() };
    Sha256::digest(serde_json::to_vec(&committed).expect("what is committed to can be written")).into()
}

fn leaf(index: u8, content: Content, salt: &Hash) -> Hash {
    Sha256::new().chain_update([0, index, content.byte()]).chain_update(salt).finalize().into()
}

fn node(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// HMAC-SHA-256(salt, "naval-battle/cell/1" ‖ i), with all but i hashed already.
fn cell_salt(salted: &Hmac<Sha256>, index: u8) -> Hash {
    salted.clone().chain_update([index]).finalize().into_bytes().into()
}
