//! The one word for each value, the same in the log, in the proofs and in requests and replies.

use super::{Abort, Action, Direction, Ending, FirstShot, Fleet, Level, Mark, Outcome, Seat, Status, Victory, Viewer};

/// A type of which each value has one word.
pub trait Words: Copy + Eq + std::fmt::Debug + 'static {
    /// Every value, in the order in which they are declared.
    const ALL: &'static [Self];

    /// Their words, in the same order.
    const WORDS: &'static [&'static str];

    /// The word for it.
    fn word(self) -> &'static str;

    /// What the word says, if it is one of these.
    fn from_word(word: &str) -> Option<Self>;
}

/// Gives each value of some types its word.
#[macro_export]
macro_rules! words {
    ($($type:ident { $($variant:ident $(($of:path))? = $word:literal),+ $(,)? })+) => {$(
        impl $crate::Words for $type {
            const ALL: &'static [Self] = &[$(Self::$variant $(($of))?),+];
            const WORDS: &'static [&'static str] = &[$($word),+];

            fn word(self) -> &'static str {
                match self { $(Self::$variant $(($of))? => $word),+ }
            }

            fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant $(($of))?),)+ _ => None }
            }
        }

        impl $type {
            /// The word for it.
            pub fn word(self) -> &'static str {
                $crate::Words::word(self)
            }

            /// What the word says, if it is one of these.
            pub fn from_word(word: &str) -> Option<Self> {
                $crate::Words::from_word(word)
            }
        }
    )+};
}

crate::words! {
    Seat { Host = "host", Guest = "guest" }
    Fleet { Classic = "classic", Russian = "russian" }
    FirstShot { Host = "host", Guest = "guest", Random = "random" }
    Direction { Across = "across", Down = "down" }
    Mark { Miss = "miss", Hit = "hit", Sunk = "sunk", Mine = "mine" }
    Status { Waiting = "waiting", Placing = "placing", Battle = "battle", Finished = "finished", Aborted = "aborted" }
    Action { Join = "join", Place = "place", Fire = "fire", Reveal = "reveal" }
    Level { Easy = "easy", Medium = "medium", Hard = "hard" }
    Reason {
        FleetSunk = "fleet_sunk", Resigned = "resigned", TimedOut = "timed_out", Aborted = "aborted", Expired = "expired"
    }
    Viewer { Seat(Seat::Host) = "host", Seat(Seat::Guest) = "guest", Spectator = "spectator", All = "all" }
}

impl Outcome {
    /// What it marks the cell as.
    pub fn mark(self) -> Mark {
        match self {
            Self::Miss => Mark::Miss,
            Self::Hit => Mark::Hit,
            Self::Sunk(_) => Mark::Sunk,
            Self::Mine => Mark::Mine,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        self.mark().word()
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The last ship of a side was sunk.
    FleetSunk,
    /// Somebody gave up in battle.
    Resigned,
    /// Somebody let the clock run out in battle.
    TimedOut,
    /// It was broken off before the battle.
    Aborted,
    /// Nobody joined in time.
    Expired,
}

impl Ending {
    /// The ending of this reason with this winner, if there is such a one.
    pub fn of(reason: Reason, winner: Option<Seat>) -> Option<Self> {
        let by = |by| winner.map(|winner| Self::Won { winner, by });
        let aborted = |abort| winner.is_none().then_some(Self::Aborted(abort));
        match reason {
            Reason::FleetSunk => by(Victory::FleetSunk),
            Reason::Resigned => by(Victory::Resigned),
            Reason::TimedOut => by(Victory::TimedOut),
            Reason::Aborted => aborted(Abort::Aborted),
            Reason::Expired => aborted(Abort::Expired),
        }
    }

    /// Why the game ended.
    pub fn reason(self) -> Reason {
        match self {
            Self::Won { by: Victory::FleetSunk, .. } => Reason::FleetSunk,
            Self::Won { by: Victory::Resigned, .. } => Reason::Resigned,
            Self::Won { by: Victory::TimedOut, .. } => Reason::TimedOut,
            Self::Aborted(Abort::Aborted) => Reason::Aborted,
            Self::Aborted(Abort::Expired) => Reason::Expired,
        }
    }

    /// Who won, if anybody.
    pub fn winner(self) -> Option<Seat> {
        match self {
            Self::Won { winner, .. } => Some(winner),
            Self::Aborted(_) => None,
        }
    }
}
