/// What is left to lay, as numbers from 0, where nothing is left, with a digit for each kind.
pub(super) struct Left {
    /// For each kind and number the number after one of the kind is laid, or one more than all where none is left; last
    /// for laying nothing.
    after: [Vec<u16>; Self::NOTHING + 1],
    /// How many cells what is left takes, with those to the right and below, and a bit for each kind.
    needs: Vec<(u32, u8)>,
    /// The shortest of each set of kinds.
    shortest: Vec<u32>,
}

impl Left {
    /// Laying nothing, as a kind.
    pub(super) const NOTHING: usize = 6;

    /// So many of each length, of up to six kinds.
    pub(super) fn new(kinds: &[(u8, u8)]) -> Self {
        let count = kinds.iter().fold(1, |count, (_, many)| count * (u16::from(*many) + 1));
        let mut after = [const { Vec::new() }; Self::NOTHING + 1];
        let mut needs = vec![(0, 0); count.into()];
        let mut weight = 1;
        for (nth, ((length, many), after)) in kinds.iter().zip(&mut after).enumerate() {
            for (number, needs) in (0..count).zip(&mut needs) {
                let left = number / weight % (u16::from(*many) + 1);
                after.push(if left > 0 { number - weight } else { count });
                needs.0 += u32::from(left) * 2 * (u32::from(*length) + 1);
                needs.1 |= u8::from(left > 0) << nth;
            }
            weight *= u16::from(*many) + 1;
        }
        if let Some(nothing) = after.last_mut() {
            nothing.extend(0..count);
        }
        let shortest = |set: usize| {
            let of_set = kinds.iter().enumerate().filter(|(nth, _)| set >> nth & 1 == 1);
            of_set.map(|(_, (length, _))| u32::from(*length)).min().unwrap_or(1)
        };
        Self { after, needs, shortest: (0..1 << kinds.len()).map(shortest).collect() }
    }

    /// Everything.
    pub(super) fn all(&self) -> u16 {
        u16::try_from(self.needs.len() - 1).unwrap_or(u16::MAX)
    }

    /// For each number the one after one of this kind is laid.
    pub(super) fn after(&self, kind: usize) -> &[u16] {
        self.after.get(kind).map_or(&[], Vec::as_slice)
    }

    /// How many cells it takes, with those to the right and below.
    pub(super) fn room(&self, left: u16) -> u32 {
        self.needs.get(usize::from(left)).map_or(u32::MAX, |needs| needs.0)
    }

    /// A bit for each kind of which some is left.
    pub(super) fn kinds(&self, left: u16) -> u8 {
        self.needs.get(usize::from(left)).map_or(0, |needs| needs.1)
    }

    /// The length of the shortest of these kinds, 1 where there is none.
    pub(super) fn shortest(&self, kinds: u8) -> u32 {
        self.shortest.get(usize::from(kinds)).copied().unwrap_or(1)
    }

    /// Nothing, for each number and the one that says that none is left.
    pub(super) fn sums(&self) -> Sums {
        let count = self.needs.len() + 1;
        Sums { values: vec![0.0; count], marks: vec![0; count / 64 + 1] }
    }
}

/// A sum for each number, most of them 0.
pub(super) struct Sums {
    values: Vec<f64>,
    /// A bit for each that was added to.
    marks: Vec<u64>,
}

#[expect(clippy::indexing_slicing, reason = "all numbers are of one Left")]
impl Sums {
    pub(super) fn add(&mut self, left: u16, value: f64) {
        self.values[usize::from(left)] += value;
        self.marks[usize::from(left / 64)] |= 1 << (left % 64);
    }

    /// Goes through those added to, from the lowest, and forgets them.
    pub(super) fn take(&mut self, mut each: impl FnMut(u16, f64)) {
        let none = self.values.len() - 1;
        for (first, marks) in (0..).step_by(64).zip(&mut self.marks) {
            let mut word = std::mem::take(marks);
            while word != 0 {
                let left = first + usize::try_from(word.trailing_zeros()).unwrap_or_default();
                word &= word - 1;
                let value = std::mem::take(&mut self.values[left]);
                if left < none {
                    each(u16::try_from(left).unwrap_or(u16::MAX), value);
                }
            }
        }
    }

    pub(super) fn put(&mut self, left: &[u16], values: &[f64]) {
        for (left, value) in left.iter().zip(values) {
            self.values[usize::from(*left)] = *value;
        }
    }

    pub(super) fn at(&self, left: u16) -> f64 {
        self.values[usize::from(left)]
    }

    pub(super) fn clear(&mut self, left: &[u16]) {
        for left in left {
            self.values[usize::from(*left)] = 0.0;
        }
    }
}
