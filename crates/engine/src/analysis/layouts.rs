use std::num::NonZeroU16;

use super::super::Dice;
use super::known::{Known, Lengths, Place, singles, ways_of_mines};
use super::set::Set;

/// Layouts that agree with what is known: one way to lay the ships of several cells, and with it many to lay what takes
/// one cell.
///
/// A mine lies as a ship of one cell would (R4), so mines and ships of one cell not found yet are alike, and each is as
/// likely to lie where another does: they are *pieces*. All of them but one lie on certain cells; the last lies on any
/// cell of the room.
#[derive(Clone, Copy)]
pub(super) struct Layouts<const WORDS: usize> {
    /// The ships of several cells, and those of one cell that are found.
    pub ships: Set<WORDS>,
    /// All pieces but one.
    pub pieces: Set<WORDS>,
    /// Where the last piece may lie; no cell where there are no pieces.
    pub room: Set<WORDS>,
    /// How many of the pieces are ships.
    pub singles: u8,
    /// How many layouts they stand for, up to a factor that is the same for all.
    pub weight: f64,
}

/// What lies already, and what is left.
#[derive(Clone)]
struct Laid<const WORDS: usize> {
    lengths: Lengths,
    ships: Set<WORDS>,
    /// The cells found through which no ship is laid yet.
    found: Set<WORDS>,
    free: Set<WORDS>,
}

impl<const WORDS: usize> Laid<WORDS> {
    fn nothing(known: &Known<WORDS>) -> Self {
        Self { lengths: known.lengths.clone(), ships: Set::EMPTY, found: known.found, free: known.free }
    }

    fn lay(&mut self, place: &Place<WORDS>) {
        if let Some(index) = self.lengths.iter().position(|left| *left == place.length) {
            self.lengths.remove(index);
        }
        self.ships = self.ships | place.cells;
        self.found = self.found - place.cells;
        self.free = self.free - place.taken;
    }

    /// The ship left that is the longest, if it has several cells.
    fn longest(&self) -> Option<u8> {
        self.lengths.first().copied().filter(|length| *length > 1)
    }

    /// How many ships of one cell are left to lay, and how many pieces with the mines.
    fn pieces(&self, mines: u8) -> (u8, u8) {
        let singles = singles(&self.lengths);
        (singles, singles + mines)
    }

    /// What is laid, with the last piece anywhere in the room that is left. It stands for so many `ways`, by the chance with
    /// which it was drawn. Each set of pieces comes up once for every piece that may be the last, and any of them may be
    /// the mines.
    fn layouts(&self, mines: u8, pieces: Set<WORDS>, ways: f64) -> Option<Layouts<WORDS>> {
        let (singles, count) = self.pieces(mines);
        let ships = self.ships;
        if count == 0 {
            return Some(Layouts { ships, pieces, room: Set::EMPTY, singles, weight: ways });
        }
        let weight = ways * ways_of_mines(singles, mines) * f64::from(self.free.len()) / f64::from(count);
        (weight > 0.0).then_some(Layouts { ships, pieces, room: self.free, singles, weight })
    }
}

/// How good it is that so many cells stay free, by how many ships and pieces are left to lay: some guess at how many
/// ways there are to lay them.
struct Prospects(Vec<Vec<f64>>);

/// How many cells that another could have taken are taken by one more.
const TAKES: f64 = 1.5;

/// The prospects of what seems impossible: it may be possible all the same.
const SLIGHT: f64 = 0.25;

impl Prospects {
    fn new(most_left: u8) -> Self {
        let ways = |left: u8, free: u8| {
            (0..left).fold(1.0, |ways, laid| ways * (f64::from(free) - TAKES * f64::from(laid)).max(SLIGHT))
        };
        Self((0..=most_left).map(|left| (0..=225).map(|free| ways(left, free)).collect()).collect())
    }

    fn of(&self, left: usize) -> &[f64] {
        self.0.get(left).map_or(&[], Vec::as_slice)
    }
}

/// Draws layouts that agree with what is known.
pub(super) struct Drawer<'a, const WORDS: usize> {
    known: &'a Known<WORDS>,
    prospects: Prospects,
    /// The places that a ship or piece can still take, by their number, and what they and those before them are worth.
    fitting: Vec<(u16, f64)>,
    /// Those of the last ship, for the next of its length.
    before: Vec<(u16, f64)>,
}

impl<'a, const WORDS: usize> Drawer<'a, WORDS> {
    pub(super) fn new(known: &'a Known<WORDS>) -> Self {
        let count = u8::try_from(known.lengths.len()).unwrap_or(u8::MAX).saturating_add(known.mines);
        Self { known, prospects: Prospects::new(count), fitting: Vec::new(), before: Vec::new() }
    }

    /// A bold try, which does not look for room: each ship and piece is laid on any place, and whatever does not fit ends
    /// it. So all that come of it weigh the same, but for the ships through cells found, and it takes next to no time.
    pub(super) fn bold(&self, dice: &mut impl Dice) -> Option<Layouts<WORDS>> {
        let known = self.known;
        let mut laid = Laid::nothing(known);
        let mut ways = 1.0;
        while !laid.found.is_empty() {
            let cell = laid.found.first();
            let through = known.through.iter().filter(|place| place.cells.has(cell));
            let count = NonZeroU16::new(u16::try_from(through.clone().count()).ok()?)?;
            let place = through.clone().nth(dice.below(count).into())?;
            if !laid.free.has(place.cells) || !laid.lengths.contains(&place.length) {
                return None;
            }
            ways *= f64::from(count.get());
            laid.lay(place);
        }
        let (mut last, mut alike) = (0, 0.0);
        while let Some(length) = laid.longest() {
            alike = if length == last { alike + 1.0 } else { 1.0 };
            last = length;
            let (place, count) = any(known.away.get(usize::from(length) - 1)?, dice)?;
            if !laid.free.has(place.cells) {
                return None;
            }
            ways *= count / alike;
            laid.lay(place);
        }
        let (_, count) = laid.pieces(known.mines);
        let mut pieces = Set::EMPTY;
        for nth in 1..count {
            let (place, count) = any(known.away.first()?, dice)?;
            if !laid.free.has(place.cells) {
                return None;
            }
            ways *= count / f64::from(nth);
            pieces = pieces | place.cells;
            laid.free = laid.free - place.taken;
        }
        laid.layouts(known.mines, pieces, ways)
    }

    /// One try at random; `None` where something finds no place.
    ///
    /// A ship is laid through each cell found, then the other ships longest first, then the pieces, each on one of its
    /// places: rather on one that leaves much room. What that favours is weighed out.
    pub(super) fn one(&mut self, dice: &mut impl Dice) -> Option<Layouts<WORDS>> {
        let known = self.known;
        let mut laid = Laid::nothing(known);
        let mut weight = 1.0;
        while !laid.found.is_empty() {
            let cell = laid.found.first();
            let fits = |place: &Place<WORDS>| place.cells.has(cell) && laid.lengths.contains(&place.length);
            let left = laid.lengths.len();
            let place = self.choose(&known.through, All, fits, &laid, left, &mut weight, dice)?;
            laid.lay(&place);
        }
        let (mut last, mut alike) = (0, 0);
        while let Some(length) = laid.longest() {
            alike = if length == last { alike + 1 } else { 1 };
            let among = if length == last { Fitting } else { All };
            let places = known.away.get(usize::from(length) - 1)?;
            let left = laid.lengths.len();
            let place = self.choose(places, among, |_| true, &laid, left, &mut weight, dice)?;
            weight /= f64::from(alike);
            last = length;
            laid.lay(&place);
        }
        let (_, count) = laid.pieces(known.mines);
        let mut pieces = Set::EMPTY;
        for nth in 1..count {
            let left = usize::from(count - nth) + 1;
            let among = if nth > 1 { Fitting } else { All };
            let left = left.saturating_sub(known.mines.into());
            let piece = self.choose(known.away.first()?, among, |_| true, &laid, left, &mut weight, dice)?;
            weight /= f64::from(nth);
            pieces = pieces | piece.cells;
            laid.free = laid.free - piece.taken;
        }
        laid.layouts(known.mines, pieces, weight)
    }

    /// One of the places that fit, as often as its prospects deserve it.
    #[expect(clippy::too_many_arguments, reason = "it is asked for in three places")]
    fn choose(
        &mut self,
        places: &[Place<WORDS>],
        among: Among,
        fits: impl Fn(&Place<WORDS>) -> bool,
        laid: &Laid<WORDS>,
        left: usize,
        weight: &mut f64,
        dice: &mut impl Dice,
    ) -> Option<Place<WORDS>> {
        let prospects = self.prospects.of((left + usize::from(self.known.mines)).saturating_sub(1));
        let mut sum = 0.0;
        std::mem::swap(&mut self.fitting, &mut self.before);
        self.fitting.clear();
        let fitting = &mut self.fitting;
        let mut look_at = |number: u16, place: &Place<WORDS>| {
            if laid.free.has(place.cells) && fits(place) {
                let free = usize::try_from((laid.free - place.taken).len()).unwrap_or_default();
                sum += prospects.get(free).copied().unwrap_or(1.0);
                fitting.push((number, sum));
            }
        };
        match among {
            All => (0..).zip(places).for_each(|(number, place)| look_at(number, place)),
            Fitting => {
                for (number, _) in &self.before {
                    look_at(*number, places.get(usize::from(*number))?);
                }
            }
        }
        let point = share(dice) * sum;
        let index = self.fitting.partition_point(|(_, until)| *until <= point).min(self.fitting.len().checked_sub(1)?);
        let (number, until) = *self.fitting.get(index)?;
        let before = index.checked_sub(1).and_then(|before| self.fitting.get(before)).map_or(0.0, |(_, until)| *until);
        *weight *= sum / (until - before);
        places.get(usize::from(number)).copied()
    }
}

/// Among which places one is chosen.
#[derive(Clone, Copy)]
enum Among {
    All,
    /// Those that fitted the ship or piece before.
    Fitting,
}

use Among::{All, Fitting};

/// Any of the places, and how many there are.
fn any<'a, const WORDS: usize>(places: &'a [Place<WORDS>], dice: &mut impl Dice) -> Option<(&'a Place<WORDS>, f64)> {
    let count = NonZeroU16::new(u16::try_from(places.len()).ok()?)?;
    Some((places.get(usize::from(dice.below(count)))?, f64::from(count.get())))
}

/// A number from 0 to below 1.
fn share(dice: &mut impl Dice) -> f64 {
    let bits = u32::try_from(dice.next() >> 32).unwrap_or_default();
    f64::from(bits) / (f64::from(u32::MAX) + 1.0)
}
