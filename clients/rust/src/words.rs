use serde::{Deserialize, Serialize};

/// Words that stand on the wire as they are named here, in snake case.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$attribute:meta])* $variant:ident),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[expect(missing_docs, reason = "the word says it")]
        pub enum $name { $($(#[$attribute])* $variant),+ }
    )+};
}

words! {
    /// One of the two places at the table.
    Seat { Host, Guest }

    /// The ships of each side: `classic` 5, 4, 3, 3, 2 or `russian` 4, 3, 3, 2, 2, 2, 1, 1, 1, 1.
    Fleet { Classic, Russian }

    /// Who shoots first; the coin for `random` is thrown when the guest joins.
    FirstShot { Host, Guest, Random }

    /// Which way a ship lies: `across` to the right of its start, or `down` from it.
    Direction { Across, Down }

    /// What a cell fired at is: water, a ship cell, a cell of a sunk ship, a mine.
    Mark { Miss, Hit, Sunk, Mine }

    /// How far the game has come.
    Status { Waiting, Placing, Battle, Finished, Aborted }

    /// What a seat owes the game.
    Action { Join, Place, Fire, Reveal }

    /// How strong the server plays.
    Bot { Easy, Medium, Hard }

    /// Through whose eyes a game is looked at.
    Eyes { Host, Guest, Spectator, All }

    /// How the game ended.
    Reason { FleetSunk, Resigned, TimedOut, Aborted, Expired }

    /// What happened.
    EventKind {
        Created,
        Joined,
        Placed,
        Fired,
        Revealed,
        Resigned,
        TimedOut,
        Expired,
        Extended,
        /// Something that a later release tells.
        #[serde(other)]
        Unknown,
    }

    /// What became of a commitment: it is sealed until layout and salt are shown.
    Seal { Opened, Sealed }

    /// What is wrong with a ship, a mine or the whole layout.
    FaultCode {
        OutsideGrid,
        WrongFleet,
        Overlap,
        Touch,
        MineOnShip,
        MineTouches,
        WrongMineCount,
        NoRoomForMines,
        /// A word of a later release.
        #[serde(other)]
        Unknown,
    }

    /// The stable word for what is wrong with a request.
    Code {
        Malformed,
        Unauthorized,
        GameNotFound,
        RouteNotFound,
        MethodNotAllowed,
        RequestTimeout,
        BodyTooLarge,
        UnsupportedMediaType,
        GameFull,
        OwnGame,
        AlreadyPlaced,
        NotJoined,
        NotInBattle,
        NotYourTurn,
        RevealDue,
        NoRevealDue,
        AlreadyFired,
        GameOver,
        NotOver,
        InFlight,
        StaleVersion,
        IllegalLayout,
        WrongShotCount,
        WrongRevealCount,
        RepeatedCell,
        OutsideGrid,
        NotRevealable,
        IdempotencyMismatch,
        NothingToProve,
        NothingToAnalyse,
        RecordDamaged,
        RateLimited,
        Internal,
        Unavailable,
        /// A word of a later release.
        #[serde(other)]
        Unknown,
    }
}

impl Seat {
    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Host => Self::Guest,
            Self::Guest => Self::Host,
        }
    }

    /// The word itself.
    pub fn word(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Guest => "guest",
        }
    }
}

impl Eyes {
    /// The word itself.
    pub fn word(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Guest => "guest",
            Self::Spectator => "spectator",
            Self::All => "all",
        }
    }
}
