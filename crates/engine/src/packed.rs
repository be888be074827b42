//! A game in at most 256 bytes, as it lies beside its log.
//!
//! Form 1: the form (1), the phase, the seats of the phase, its number, which boards follow, then
//! per board three planes of grid² bits, row by row, lowest bit first: fired at; ship; and, for
//! a ship cell, given away, for any other, mine.

use std::num::NonZeroU8;

use arrayvec::ArrayVec;

use super::{
    Abort, Battle, Board, BySeat, Cells, Due, Ending, Game, Grid, Layout, MOST_SHOTS, Options, Phase, Seat, Victory,
};

/// The most bytes that a packed game has.
pub const PACKED_BYTES: usize = 256;

/// A packed game.
pub type PackedBytes = ArrayVec<u8, PACKED_BYTES>;

/// The bytes are not a game of these options.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnpackError {
    /// Written by a later release.
    #[error("the packed game has form {0}, which this release does not know")]
    UnknownForm(u8),
    /// Not what any release writes.
    #[error("the packed game contradicts itself")]
    Damaged,
}

const FORM: u8 = 1;
const HEADER: usize = 5;

/// Bytes of the header: what they mean hangs on the phase.
struct Header {
    phase: u8,
    /// Seats in two bits each, 0 none, 1 host, 2 guest: who is awaited, or who shot first and,
    /// above, whose turn it is or who won.
    seats: u8,
    /// Shots or cells due, or the way the game ended.
    number: u8,
}

const WAITING: u8 = 0;
const PLACING: u8 = 1;
const FIRE: u8 = 2;
const REVEAL: u8 = 3;
const WON: u8 = 4;
const ABORTED: u8 = 5;

impl Game {
    /// Packs all but the options.
    pub fn pack(&self) -> PackedBytes {
        let Header { phase, seats, number } = header(self.phase());
        let boards = Seat::BOTH.map(|seat| self.board(seat));
        let [host, guest] = boards.map(|board| u8::from(board.is_some()));
        let mut packed = PackedBytes::from_iter([FORM, phase, seats, number, host | (guest << 1)]);
        let mut bits = Bits::default();
        for board in boards.into_iter().flatten() {
            let marked = board.mines() | board.revealed();
            for plane in [board.shots(), board.ships(), marked] {
                bits.write(plane, self.options().grid, &mut packed);
            }
        }
        bits.flush(&mut packed);
        packed
    }

    /// Unpacks what [`Game::pack`] wrote for the same options.
    ///
    /// # Errors
    ///
    /// [`UnpackError`] for a later form, and for anything that no release writes.
    pub fn unpack(options: Options, bytes: &[u8]) -> Result<Self, UnpackError> {
        let (form, _) = bytes.split_first().ok_or(UnpackError::Damaged)?;
        if *form != FORM {
            return Err(UnpackError::UnknownForm(*form));
        }
        let (&[_, phase, seats, number, presence], mut planes) =
            bytes.split_first_chunk::<HEADER>().ok_or(UnpackError::Damaged)?;
        let mut bits = Bits::default();
        let mut board = |flag: u8| -> Result<Option<Board>, UnpackError> {
            if presence & flag == 0 {
                return Ok(None);
            }
            let [shots, ships, marked] = [(); 3].map(|()| bits.read(options.grid, &mut planes));
            let (shots, ships, marked) = (shots?, ships?, marked?);
            let layout = Layout::restore(&options, ships, marked - ships).ok_or(UnpackError::Damaged)?;
            Board::restore(layout, shots, marked & ships).ok_or(UnpackError::Damaged).map(Some)
        };
        let boards = BySeat { host: board(1)?, guest: board(2)? };
        let header = Header { phase, seats, number };
        let phase = phase_of(&header, &boards, &options).ok_or(UnpackError::Damaged)?;
        if !planes.is_empty() || !bits.is_spent() || presence > 3 {
            return Err(UnpackError::Damaged);
        }
        Ok(Self::restore(options, &phase))
    }
}

fn header(phase: &Phase) -> Header {
    match *phase {
        Phase::Waiting { awaited, .. } => Header { phase: WAITING, seats: two(Some(awaited), None), number: 0 },
        Phase::Placing { first, .. } => Header { phase: PLACING, seats: two(Some(first), None), number: 0 },
        Phase::Battle(Battle { first, turn, due, .. }) => {
            let (phase, number) = match due {
                Due::Fire(shots) => (FIRE, shots.get()),
                Due::Reveal(cells) => (REVEAL, cells.get()),
            };
            Header { phase, seats: two(Some(first), Some(turn)), number }
        }
        Phase::Over { ending: Ending::Won { winner, by }, first, .. } => {
            let number = match by {
                Victory::FleetSunk => 0,
                Victory::Resigned => 1,
                Victory::TimedOut => 2,
            };
            Header { phase: WON, seats: two(first, Some(winner)), number }
        }
        Phase::Over { ending: Ending::Aborted(abort), first, .. } => {
            let number = match abort {
                Abort::Aborted => 0,
                Abort::Expired => 1,
            };
            Header { phase: ABORTED, seats: two(first, None), number }
        }
    }
}

/// The phase that the header tells; `None` where boards and options contradict it.
fn phase_of(header: &Header, boards: &BySeat<Option<Board>>, options: &Options) -> Option<Phase> {
    let boards = *boards;
    let lower = seat_of(header.seats & 3)?;
    let upper = seat_of(header.seats >> 2)?;
    let both = || Some(BySeat { host: boards.host?, guest: boards.guest? });
    match (header.phase, header.number) {
        (WAITING, 0) if upper.is_none() && boards.of(lower?).is_none() => {
            Some(Phase::Waiting { awaited: lower?, board: *boards.of(lower?.other()) })
        }
        (PLACING, 0) if upper.is_none() && both().is_none() => Some(Phase::Placing { first: lower?, boards }),
        (FIRE, shots) => battle_of(lower?, upper?, both()?, Due::Fire(NonZeroU8::new(shots)?), options),
        (REVEAL, cells) => battle_of(lower?, upper?, both()?, Due::Reveal(NonZeroU8::new(cells)?), options),
        (WON, number) => {
            let by = match number {
                0 => Victory::FleetSunk,
                1 => Victory::Resigned,
                2 => Victory::TimedOut,
                _ => return None,
            };
            let winner = upper?;
            let lost = |seat| both().map(|boards| boards.of(seat).is_lost());
            let is_so = !lost(winner)? && lost(winner.other())? == (by == Victory::FleetSunk);
            is_so.then_some(Phase::Over { ending: Ending::Won { winner, by }, first: Some(lower?), boards })
        }
        // Before the joining one seat alone can have placed.
        (ABORTED, number) if upper.is_none() && (lower.is_some() || both().is_none()) => {
            let has_lost = |seat| boards.of(seat).as_ref().is_some_and(Board::is_lost);
            let abort = match number {
                0 if both().is_none() => Abort::Aborted,
                1 if lower.is_none() => Abort::Expired,
                // A battle that nobody went on with, and no clock ended.
                1 if options.turn_seconds.is_none() && !Seat::BOTH.into_iter().any(has_lost) => Abort::Expired,
                _ => return None,
            };
            Some(Phase::Over { ending: Ending::Aborted(abort), first: lower, boards })
        }
        _ => None,
    }
}

/// A battle in which neither fleet is lost, and what is due can be done.
fn battle_of(first: Seat, turn: Seat, boards: BySeat<Board>, due: Due, options: &Options) -> Option<Phase> {
    let (own, target) = (boards.of(turn), boards.of(turn.other()));
    let can_be_done = match due {
        Due::Fire(shots) => {
            let most = if options.salvo { MOST_SHOTS } else { 1 };
            usize::from(shots.get()) <= most && shots.get() <= (options.grid.cells() - target.shots()).len()
        }
        Due::Reveal(cells) => {
            let struck = target.mines() & target.shots();
            cells.get() <= struck.len().min(own.revealable().len())
        }
    };
    let nobody_lost = !own.is_lost() && !target.is_lost();
    (nobody_lost && can_be_done).then_some(Phase::Battle(Battle { first, boards, turn, due }))
}

fn two(lower: Option<Seat>, upper: Option<Seat>) -> u8 {
    let bits = |seat| match seat {
        None => 0,
        Some(Seat::Host) => 1,
        Some(Seat::Guest) => 2,
    };
    bits(lower) | (bits(upper) << 2)
}

/// The outer `None` is damage, the inner one is nobody.
#[expect(clippy::option_option, reason = "damage and nobody are two things here")]
fn seat_of(bits: u8) -> Option<Option<Seat>> {
    match bits {
        0 => Some(None),
        1 => Some(Some(Seat::Host)),
        2 => Some(Some(Seat::Guest)),
        _ => None,
    }
}

/// Bits on their way into or out of bytes, the first ones lowest.
#[derive(Default)]
struct Bits {
    held: u64,
    count: u32,
}

impl Bits {
    fn write(&mut self, plane: Cells, grid: Grid, out: &mut PackedBytes) {
        let side = grid.side();
        for row in plane.rows().take(usize::from(side)) {
            self.held |= u64::from(row) << self.count;
            self.count += u32::from(side);
            while self.count >= u8::BITS {
                self.flush(out);
            }
        }
    }

    fn flush(&mut self, out: &mut PackedBytes) {
        if self.count > 0 {
            let [byte, ..] = self.held.to_le_bytes();
            // Two boards of three planes on the largest grid, and the header, have 174 bytes.
            out.extend([byte]);
            self.held >>= u8::BITS;
            self.count = self.count.saturating_sub(u8::BITS);
        }
    }

    fn read(&mut self, grid: Grid, bytes: &mut &[u8]) -> Result<Cells, UnpackError> {
        let side = u32::from(grid.side());
        let mut rows = [0; 16];
        for row in rows.iter_mut().take(usize::from(grid.side())) {
            while self.count < side {
                if let Some((four, rest)) = bytes.split_first_chunk() {
                    self.take_in(u32::from_le_bytes(*four).into(), u32::BITS);
                    *bytes = rest;
                } else {
                    let (byte, rest) = bytes.split_first().ok_or(UnpackError::Damaged)?;
                    self.take_in((*byte).into(), u8::BITS);
                    *bytes = rest;
                }
            }
            let [columns, more_columns, ..] = (self.held & ((1 << side) - 1)).to_le_bytes();
            *row = u16::from_le_bytes([columns, more_columns]);
            self.held >>= side;
            self.count -= side;
        }
        Ok(Cells::from_rows(rows))
    }

    fn take_in(&mut self, bits: u64, count: u32) {
        self.held |= bits << self.count;
        self.count += count;
    }

    /// Whether nothing but padding is left.
    fn is_spent(&self) -> bool {
        self.count < u8::BITS && self.held == 0
    }
}

impl Layout {
    /// Packs the cells for the layout's own row: the form (1), then the planes of ships and mines.
    pub fn pack(&self, grid: Grid) -> PackedBytes {
        let mut packed = PackedBytes::from_iter([FORM]);
        let mut bits = Bits::default();
        bits.write(self.ships(), grid, &mut packed);
        bits.write(self.mines(), grid, &mut packed);
        bits.flush(&mut packed);
        packed
    }

    /// Unpacks what [`Layout::pack`] wrote for the same options.
    ///
    /// # Errors
    ///
    /// [`UnpackError`] for a later form, and for anything that no release writes.
    pub fn unpack(options: &Options, bytes: &[u8]) -> Result<Self, UnpackError> {
        let (form, mut planes) = bytes.split_first().ok_or(UnpackError::Damaged)?;
        if *form != FORM {
            return Err(UnpackError::UnknownForm(*form));
        }
        let mut bits = Bits::default();
        let (ships, mines) = (bits.read(options.grid, &mut planes)?, bits.read(options.grid, &mut planes)?);
        if !planes.is_empty() || !bits.is_spent() {
            return Err(UnpackError::Damaged);
        }
        Self::restore(options, ships, mines).ok_or(UnpackError::Damaged)
    }
}
