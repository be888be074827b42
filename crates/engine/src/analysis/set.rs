use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitOr, Sub};

use super::super::Coordinate;

/// A set of cells of one grid, as bits row by row in so many words: few where the grid is small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Set<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Set<WORDS> {
    pub(super) const EMPTY: Self = Self([0; WORDS]);

    /// These cells, on a grid with this side.
    pub(super) fn of(cells: impl IntoIterator<Item = Coordinate>, side: u8) -> Self {
        cells.into_iter().fold(Self::EMPTY, |mut set, cell| {
            let index = usize::from(cell.row()) * usize::from(side) + usize::from(cell.column());
            if let Some(word) = set.0.get_mut(index / 64) {
                *word |= 1 << (index % 64);
            }
            set
        })
    }

    pub(super) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Whether all cells of the other set are in this one.
    pub(super) fn has(self, other: Self) -> bool {
        (other - self).is_empty()
    }

    pub(super) fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The places of the cells, row by row.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..).step_by(64).zip(self.0).flat_map(|(first, mut word)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                word &= word.checked_sub(1)?;
                Some(first + usize::try_from(bit).unwrap_or_default())
            })
        })
    }

    /// The cells to which these go.
    pub(super) fn map(self, to: &[Self]) -> Self {
        self.iter().filter_map(|cell| to.get(cell)).fold(Self::EMPTY, |all, one| all | *one)
    }

    /// The cells so many further on, row by row; less than 64.
    pub(super) fn up(self, by: u32) -> Self {
        let mut carry = 0;
        Self(self.0.map(|word| {
            let (low, high) = halves(u128::from(word) << by);
            low | std::mem::replace(&mut carry, high)
        }))
    }

    /// The cells so many before, row by row; less than 64.
    pub(super) fn down(self, by: u32) -> Self {
        let mut carry = 0;
        let mut set = self;
        for word in set.0.iter_mut().rev() {
            let (low, high) = halves((u128::from(*word) << 64) >> by);
            *word = high | std::mem::replace(&mut carry, low);
        }
        set
    }

    /// The first cell, alone.
    pub(super) fn first(self) -> Self {
        let mut first = Self::EMPTY;
        if let Some((into, word)) = first.0.iter_mut().zip(self.0).find(|(_, word)| *word != 0) {
            *into = word & word.wrapping_neg();
        }
        first
    }
}

/// The lower and the upper half.
fn halves(bits: u128) -> (u64, u64) {
    let bytes = bits.to_le_bytes();
    let word = |half: Option<&[u8; 8]>| half.map_or(0, |half| u64::from_le_bytes(*half));
    (word(bytes.first_chunk()), word(bytes.last_chunk()))
}

impl<const WORDS: usize> Hash for Set<WORDS> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.iter().for_each(|word| hasher.write_u64(*word));
    }
}

impl<const WORDS: usize> BitOr for Set<WORDS> {
    type Output = Self;

    fn bitor(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
        self
    }
}

impl<const WORDS: usize> BitAnd for Set<WORDS> {
    type Output = Self;

    fn bitand(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        self
    }
}

/// The cells of the first set that are not in the second.
impl<const WORDS: usize> Sub for Set<WORDS> {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= !other);
        self
    }
}
