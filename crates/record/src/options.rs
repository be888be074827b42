use serde::{Deserialize, Serialize};

use crate::canonical::canonical;
use crate::{FirstShotWord, FleetWord, GridSize};
use engine::Options;

/// The options of a game, every default filled in.
#[derive(Clone, Copy, Serialize, Deserialize, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = GameOptions))]
pub struct RecordedOptions {
    /// Columns and rows.
    pub grid: GridSize,
    /// The ships of each side.
    pub fleet: FleetWord,
    /// Whether each side hides mines.
    pub mines: bool,
    /// Whether a turn has one shot per own ship afloat.
    pub salvo: bool,
    /// Whether a hit earns another shot.
    pub shoot_again: bool,
    /// Who shoots first.
    pub first: FirstShotWord,
    /// Seconds for each placing, firing and revealing; `null` without a clock.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 10, maximum = 1_209_600))]
    pub turn_seconds: Option<u32>,
}

canonical!(RecordedOptions { first, fleet, grid, mines, salvo, shoot_again, turn_seconds });

impl From<&Options> for RecordedOptions {
    fn from(options: &Options) -> Self {
        let Options { grid, fleet, mines, salvo, shoot_again, first, turn_seconds } = *options;
        let (grid, fleet, first) = (GridSize(grid), fleet.into(), first.into());
        Self { grid, fleet, mines, salvo, shoot_again, first, turn_seconds }
    }
}

impl From<&RecordedOptions> for Options {
    fn from(recorded: &RecordedOptions) -> Self {
        let RecordedOptions { grid, fleet, mines, salvo, shoot_again, first, turn_seconds } = *recorded;
        Self { grid: grid.0, fleet: fleet.0, mines, salvo, shoot_again, first: first.0, turn_seconds }
    }
}
