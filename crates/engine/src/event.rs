use arrayvec::ArrayVec;

use super::{Coordinate, Layout, Outcome, Seat};

/// The most shots that a volley can have: the Russian fleet has ten ships (R9).
pub const MOST_SHOTS: usize = 10;

/// The most cells that can be owed: there are three mines on 15×15 (R16).
pub const MOST_GIVEN: usize = 3;

/// The shots of one turn with what each found, in the order sent (R11).
pub type Volley = ArrayVec<Shot, MOST_SHOTS>;

/// The cells that one reveal gives away, in the order sent (R19).
pub type Given = ArrayVec<Coordinate, MOST_GIVEN>;

/// A cell fired at and what was there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shot {
    /// The cell fired at.
    pub cell: Coordinate,
    /// What was at that cell.
    pub outcome: Outcome,
}

/// Something that happened in a game.
///
/// All of it is public but the layout of [`Event::Placed`], which the log does not hold: whoever
/// replays a log puts it back from where layouts are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Somebody took the free seat, and it is settled who shoots first (R22).
    Joined {
        /// The seat that was taken.
        seat: Seat,
        /// Who shoots first.
        first: Seat,
    },
    /// A seat hid its ships and mines (R5, R6).
    Placed {
        /// The seat whose ships and mines they are.
        seat: Seat,
        /// Where they lie: the owner's secret.
        layout: Layout,
    },
    /// A seat fired a shot or a volley (R8 to R12).
    Fired {
        /// The seat that fired.
        seat: Seat,
        /// The cells fired at, each with what was there.
        shots: Volley,
        /// How many cells the shooter now owes; present whenever a mine was struck (R17, R18).
        owed: Option<u8>,
    },
    /// A seat gave cells of its ships away (R16, R19).
    Revealed {
        /// The seat that gave cells away.
        seat: Seat,
        /// The cells given away, in the order sent.
        cells: Given,
    },
    /// A seat gave up (R24).
    Resigned {
        /// The seat that gave up.
        seat: Seat,
    },
    /// The turn clock ran out (R25).
    TimedOut {
        /// Who let it run out; none where both owed a layout.
        seat: Option<Seat>,
    },
    /// Nobody took the free seat in time, or in a game without a clock nothing happened for too long (R25).
    Expired,
    /// The time for what is due goes on, since nobody could use a part of it (R30).
    Extended {
        /// By how many seconds.
        seconds: u32,
    },
}
