//! The one word for each value, the same in the log, in the proofs and on the wire.

use super::{Abort, Action, Direction, Ending, FirstShot, Fleet, Level, Mark, Outcome, Seat, Status, Victory, Viewer};

macro_rules! words {
    ($($type:ident { $($variant:ident = $word:literal),+ })+) => {$(
        impl $type {
            /// The word for it.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// What the word says, if it is one of these.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    )+};
}

words! {
    Seat { Host = "host", Guest = "guest" }
    Fleet { Classic = "classic", Russian = "russian" }
    FirstShot { Host = "host", Guest = "guest", Random = "random" }
    Direction { Across = "across", Down = "down" }
    Mark { Miss = "miss", Hit = "hit", Sunk = "sunk", Mine = "mine" }
    Status { Waiting = "waiting", Placing = "placing", Battle = "battle", Finished = "finished", Aborted = "aborted" }
    Action { Join = "join", Place = "place", Fire = "fire", Reveal = "reveal" }
    Victory { FleetSunk = "fleet_sunk", Resigned = "resigned", TimedOut = "timed_out" }
    Level { Easy = "easy", Medium = "medium", Hard = "hard" }
    Abort { Aborted = "aborted", Expired = "expired" }
}

impl Outcome {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Miss => Mark::Miss.word(),
            Self::Hit => Mark::Hit.word(),
            Self::Sunk(_) => Mark::Sunk.word(),
            Self::Mine => Mark::Mine.word(),
        }
    }
}

impl Ending {
    /// Why the game ended.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Won { by, .. } => by.word(),
            Self::Aborted(abort) => abort.word(),
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

impl Viewer {
    /// The eyes of this name.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "spectator" => Some(Self::Spectator),
            "all" => Some(Self::All),
            seat => Seat::from_word(seat).map(Self::Seat),
        }
    }
}
