use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::options::read_grid;
use super::{FaultBody, Misread, OptionsRequest, PlaceRequest};
use crate::text::{Language, Message};
use engine::{Options, Placement};
use record::{Cell, FleetWord, GridSize, RecordedShip};

/// For which game a layout is to be drawn. What is left out or `null` has its default, as in
/// `create`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({"grid": 8, "fleet": "russian"}), json!({"seed": 7})))]
pub struct RandomLayoutRequest {
    /// Columns and rows. Default 10.
    #[schema(value_type = Option<GridSize>)]
    pub grid: Option<u8>,
    /// The ships. Default `classic`.
    pub fleet: Option<FleetWord>,
    /// Whether mines are hidden. Default `true`.
    pub mines: Option<bool>,
    /// What the layout hangs on, for tests and puzzles; `null` for one that nobody can foretell.
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    pub seed: Option<u64>,
}

/// A layout that is asked for.
pub struct Wanted {
    /// For these options.
    pub options: Options,
    /// From this seed, if any.
    pub seed: Option<u64>,
}

/// The largest seed: a number that every client can write.
const LARGEST_SEED: u64 = (1 << 53) - 1;

impl RandomLayoutRequest {
    /// What is asked for.
    ///
    /// # Errors
    ///
    /// [`Misread`] for a value that is out of its bounds.
    pub fn read(self) -> Result<Wanted, Misread> {
        if self.seed.is_some_and(|seed| seed > LARGEST_SEED) {
            return Err(Misread::at("seed", Message::IsNullOrBetween { min: 0, max: LARGEST_SEED }));
        }
        let default = Options::default();
        Ok(Wanted {
            options: Options {
                grid: read_grid(self.grid)?,
                fleet: self.fleet.map_or(default.fleet, |fleet| fleet.0),
                mines: self.mines.unwrap_or(default.mines),
                ..default
            },
            seed: self.seed,
        })
    }
}

/// A layout that was drawn.
#[derive(Serialize, ToSchema)]
#[schema(as = RandomLayout)]
pub struct RandomLayoutBody {
    /// The layout: send it to `place` as it is.
    pub layout: LayoutBody,
    /// The seed that was sent, if any.
    #[schema(required, minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    pub seed: Option<u64>,
}

/// Ships and mines.
#[derive(Serialize, ToSchema)]
#[schema(as = FleetLayout)]
pub struct LayoutBody {
    /// The ships, longest first.
    #[schema(max_items = 10)]
    pub ships: Vec<RecordedShip>,
    /// The mines.
    #[schema(max_items = 3)]
    pub mines: Vec<Cell>,
}

impl RandomLayoutBody {
    /// The reply to a request for a layout.
    pub fn new(placement: &Placement, seed: Option<u64>) -> Self {
        let layout = LayoutBody {
            ships: placement.ships.iter().copied().map(RecordedShip::from).collect(),
            mines: placement.mines.iter().copied().map(Cell).collect(),
        };
        Self { layout, seed }
    }
}

/// A layout to check.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({
    "options": {"grid": 8},
    "layout": {"ships": [{"start": "A1", "length": 5}, {"start": "A3", "length": 4}], "mines": ["H8"]}
})))]
pub struct CheckLayoutRequest {
    /// For which game, as in `create`.
    pub options: Option<OptionsRequest>,
    /// The ships and mines, perhaps illegal.
    pub layout: PlaceRequest,
}

/// A layout, perhaps illegal, and what it is for.
pub struct ToCheck {
    /// For these options.
    pub options: Options,
    /// The ships and mines as they were sent.
    pub placement: Placement,
}

impl CheckLayoutRequest {
    /// What is to be checked.
    ///
    /// # Errors
    ///
    /// [`Misread`] for a value that is out of its bounds.
    pub fn read(self) -> Result<ToCheck, Misread> {
        let options = self.options.unwrap_or_default().read().map_err(|misread| misread.below("options"))?;
        let placement = self.layout.read().map_err(|misread| misread.below("layout"))?;
        Ok(ToCheck { options, placement })
    }
}

/// What is wrong with a layout, and what is still free.
#[derive(Serialize, ToSchema)]
#[schema(as = CheckedLayout)]
pub struct CheckedLayoutBody {
    /// Whether `place` would take it.
    pub legal: bool,
    /// What is wrong with it, as `illegal_layout` tells it.
    #[schema(max_items = 1000)]
    pub faults: Vec<FaultBody>,
    /// The cells where one more mine could lie beside these ships and mines; empty without mines.
    #[schema(max_items = 225)]
    pub free_mine_cells: Vec<Cell>,
}

impl CheckedLayoutBody {
    /// Checks a layout.
    pub fn new(language: Language, options: &Options, placement: &Placement) -> Self {
        let faults = placement.check(options).err().unwrap_or_default();
        Self {
            legal: faults.is_empty(),
            faults: faults.iter().map(|fault| FaultBody::new(language, fault)).collect(),
            free_mine_cells: Cell::list(placement.free_mine_cells(options)),
        }
    }
}
