use serde::{Deserialize, Serialize};

use crate::{Cell, Seat};

/// A proof that the cells of one answer hold what it says, and no word about any other cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// The event that it is of.
    pub seq: u32,
    /// Whose board it is.
    pub seat: Seat,
    /// The root of the tree over that board: 64 hex digits.
    pub root: String,
    /// The cells of the answer.
    pub cells: Vec<ProvenCell>,
}

/// What one cell holds, and the way from it to the root.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProvenCell {
    /// Which cell.
    pub cell: Cell,
    /// What it holds.
    pub content: Content,
    /// The salt of this cell alone: 64 hex digits.
    pub salt: String,
    /// What stands beside the way from the leaf up to the root, 64 hex digits each.
    pub path: Vec<String>,
}

/// What a cell holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Neither ship nor mine.
    Water,
    /// A cell of a ship.
    Ship,
    /// A mine.
    Mine,
}

#[cfg(feature = "verify")]
mod verify {
    use record::proof::hash;

    use super::{Content, Proof, ProvenCell};
    use crate::{Event, EventKind, Mark, Options};

    impl Proof {
        /// Whether it is true: each cell's way leads to the root, and the root to the commitment of that seat, which
        /// stands in its `placed`, in the game with this id and these options.
        ///
        /// That it proves the answer of an event, [`Proof::is_of`] tells.
        pub fn is_true(&self, commitment: &str, game: &str, options: &Options) -> bool {
            let Some(root) = bytes(&self.root) else { return false };
            let leads = |cell: &ProvenCell| cell.root(options.grid) == Some(root);
            !self.cells.is_empty()
                && committed(game, options, self).is_some_and(|made| made == commitment)
                && self.cells.iter().all(leads)
        }

        /// Whether it is of this event, and its cells are those of the event's answers and hold what they say.
        pub fn is_of(&self, event: &Event) -> bool {
            let told: Vec<_> = match (event.kind, event.seat) {
                (EventKind::Fired, Some(seat)) if seat.other() == self.seat => {
                    event.shots.iter().map(|shot| (shot.cell, content(shot.outcome))).collect()
                }
                (EventKind::Revealed, Some(seat)) if seat == self.seat => {
                    event.cells.iter().map(|cell| (*cell, Content::Ship)).collect()
                }
                (_, _) => return false,
            };
            let proven: Vec<_> = self.cells.iter().map(|cell| (cell.cell, cell.content)).collect();
            self.seq == event.seq
                && proven.len() == told.len()
                && told.iter().all(|told| proven.contains(told))
                && proven.iter().all(|proven| told.contains(proven))
        }
    }

    impl ProvenCell {
        /// Where the way of this cell leads on a grid; none where it is no way.
        fn root(&self, grid: u8) -> Option<[u8; 32]> {
            let on_grid = self.cell.column() < grid && self.cell.row() < grid;
            let index = self.cell.row().checked_mul(grid)?.checked_add(self.cell.column()).filter(|_| on_grid)?;
            let leaves = u32::from(grid).pow(2).next_power_of_two();
            if u32::try_from(self.path.len()) != Ok(leaves.ilog2()) {
                return None;
            }
            let content = match self.content {
                Content::Water => 0,
                Content::Ship => 1,
                Content::Mine => 2,
            };
            let mut node = hash(&[&[0, index, content], &bytes(&self.salt)?]);
            for (level, beside) in self.path.iter().enumerate() {
                let beside = bytes(beside)?;
                let is_right = usize::from(index) >> level & 1 == 1;
                let (left, right) = if is_right { (beside, node) } else { (node, beside) };
                node = hash(&[&[1], &left, &right]);
            }
            Some(node)
        }
    }

    fn content(outcome: Mark) -> Content {
        match outcome {
            Mark::Miss => Content::Water,
            Mark::Hit | Mark::Sunk => Content::Ship,
            Mark::Mine => Content::Mine,
        }
    }

    /// The commitment to a root: SHA-256 over the canonical JSON (RFC 8785) of game, options, root and seat.
    fn committed(game: &str, options: &Options, proof: &Proof) -> Option<String> {
        let word = |value: serde_json::Result<String>| value.ok();
        let Options { grid, fleet, mines, salvo, shoot_again, first, turn_seconds } = options;
        let (game, fleet, first, turn_seconds) = (
            word(serde_json::to_string(game))?,
            word(serde_json::to_string(fleet))?,
            word(serde_json::to_string(first))?,
            word(serde_json::to_string(turn_seconds))?,
        );
        let (root, seat) = (&proof.root, proof.seat.word());
        let text = format!(
            "{{\"game\":{game},\"options\":{{\"first\":{first},\"fleet\":{fleet},\"grid\":{grid},\"mines\":{mines},\
             \"salvo\":{salvo},\"shoot_again\":{shoot_again},\"turn_seconds\":{turn_seconds}}},\"root\":\"{root}\",\
             \"seat\":\"{seat}\"}}"
        );
        Some(hex::encode(hash(&[text.as_bytes()])))
    }

    /// The 32 bytes of 64 lower-case hex digits.
    fn bytes(text: &str) -> Option<[u8; 32]> {
        let is_lower = text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        hex::decode(text).ok().filter(|_| is_lower)?.try_into().ok()
    }
}
