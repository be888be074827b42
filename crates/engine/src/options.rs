use super::{Fleet, Grid};

/// What the host chooses: 64 combinations of grid, fleet, mines, salvo and `shoot_again`, who
/// shoots first, and the turn clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The square that each side plays on.
    pub grid: Grid,
    /// The ships of each side.
    pub fleet: Fleet,
    /// Whether mines are hidden beside the fleets (R3).
    pub mines: bool,
    /// Whether a turn is a volley of one shot per ship afloat (R9).
    pub salvo: bool,
    /// Whether a success earns another shot (R14).
    pub shoot_again: bool,
    /// Who shoots first (R22).
    pub first: FirstShot,
    /// The time for each action that is due, in seconds; none without a clock (R25).
    pub turn_seconds: Option<u32>,
}

/// Who shoots first (R22).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FirstShot {
    /// Who created the game.
    Host,
    /// Who joined it.
    Guest,
    /// A coin is thrown when the guest joins.
    #[default]
    Random,
}

impl Options {
    /// Shortest turn clock, in seconds.
    pub const SHORTEST_TURN: u32 = 10;
    /// Longest turn clock, in seconds: 14 days.
    pub const LONGEST_TURN: u32 = 1_209_600;

    /// How many mines each side hides (R3).
    pub fn mine_count(&self) -> u8 {
        if self.mines { self.grid.mines() } else { 0 }
    }
}

/// A 10×10 game with the classic fleet and mines, one shot a turn, no clock.
impl Default for Options {
    fn default() -> Self {
        Self {
            grid: Grid::Ten,
            fleet: Fleet::Classic,
            mines: true,
            salvo: false,
            shoot_again: false,
            first: FirstShot::Random,
            turn_seconds: None,
        }
    }
}
