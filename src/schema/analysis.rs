use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, ObjectBuilder, Type};

use engine::Seat;
use engine::analysis::{Analysis, Chance, Fortune, Turn};
use record::{Cell, MarkWord, SeatWord};

/// How lucky and how good the shots of a finished game were.
///
/// The chances are those of the legal layouts that agree with all that a seat knew before it fired, each as likely as any
/// other, with four decimals. They are the same in every reply.
#[derive(Serialize, ToSchema)]
#[schema(as = Analysis)]
pub struct AnalysisBody {
    /// How many boards were gone through for it.
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    pub boards_drawn: u64,
    /// How each seat fared.
    pub seats: FortunesBody,
    /// Every shot, in the order of the log. Those of a volley are reckoned before it.
    #[schema(max_items = 450)]
    pub shots: Vec<AnalysedShotBody>,
}

/// How each seat fared.
#[derive(Serialize, ToSchema)]
#[schema(as = Fortunes)]
pub struct FortunesBody {
    /// The host.
    pub host: FortuneBody,
    /// The guest.
    pub guest: FortuneBody,
}

/// How a seat fared with its shots.
#[derive(Serialize, ToSchema)]
#[schema(as = Fortune)]
pub struct FortuneBody {
    /// How many it fired.
    #[schema(minimum = 0, maximum = 225)]
    pub shots: u32,
    /// How many found a ship.
    #[schema(minimum = 0, maximum = 20)]
    pub hits: u32,
    /// How many were to be expected to: the sum of their chances.
    #[schema(minimum = 0, maximum = 225)]
    pub expected_hits: f64,
    /// `hits` less `expected_hits`.
    #[schema(minimum = -225, maximum = 20)]
    pub luck: f64,
    /// How many found a mine.
    #[schema(minimum = 0, maximum = 3)]
    pub mines: u32,
    /// How many were to be expected to.
    #[schema(minimum = 0, maximum = 225)]
    pub expected_mines: f64,
    /// The share of the shots whose chance of a ship was within 0.01 of the best; `null` without shots.
    #[schema(required, minimum = 0, maximum = 1)]
    pub choices_as_good: Option<f64>,
}

/// A shot, and what could be reckoned before it.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysedShot)]
pub struct AnalysedShotBody {
    /// The event that it is of.
    #[schema(minimum = 1, maximum = 2_147_483_647)]
    pub seq: u32,
    /// Who fired.
    pub seat: SeatWord,
    /// The cell fired at.
    pub cell: Cell,
    /// What was there.
    pub outcome: MarkWord,
    /// The chance of a ship there.
    #[schema(minimum = 0, maximum = 1)]
    pub ship_chance: f64,
    /// The chance of a mine there.
    #[schema(minimum = 0, maximum = 1)]
    pub mine_chance: f64,
    /// Where a ship was most likely.
    pub best: BestCellBody,
}

/// The cell not fired at where a ship was most likely; the first of them, row by row, where there were several.
#[derive(Serialize, ToSchema)]
#[schema(as = BestCell)]
pub struct BestCellBody {
    /// Which cell.
    pub cell: Cell,
    /// The chance of a ship there.
    #[schema(minimum = 0, maximum = 1)]
    pub ship_chance: f64,
}

/// What a seat could reckon before a shot or volley.
#[derive(Serialize, ToSchema)]
#[schema(as = TurnAnalysis)]
pub struct TurnAnalysisBody {
    /// The event with the shots.
    #[schema(minimum = 1, maximum = 2_147_483_647)]
    pub seq: u32,
    /// Who fired.
    pub seat: SeatWord,
    /// The chance of a ship for each cell, row by row: 0 or 1 where it was fired at before.
    #[schema(schema_with = ship_chances)]
    pub ship_chances: Vec<Vec<f64>>,
    /// The chance of a mine for each cell, row by row.
    #[schema(schema_with = mine_chances)]
    pub mine_chances: Vec<Vec<f64>>,
}

fn ship_chances() -> Array {
    chances("The chance of a ship for each cell, row by row: 0 or 1 where it was fired at before.")
}

fn mine_chances() -> Array {
    chances("The chance of a mine for each cell, row by row.")
}

/// A list of rows of chances, of which the derive says no more than that they are lists.
fn chances(description: &str) -> Array {
    let chance = ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0)).maximum(Some(1));
    let row = ArrayBuilder::new().items(chance).min_items(Some(8)).max_items(Some(15));
    ArrayBuilder::new().items(row).min_items(Some(8)).max_items(Some(15)).description(Some(description)).build()
}

/// A number of ten-thousandths, with four decimals.
fn decimal(parts: u32) -> f64 {
    f64::from(parts) / f64::from(Chance::ONE)
}

fn share(chance: Chance) -> f64 {
    decimal(chance.parts().into())
}

fn rows<'a>(rows: impl Iterator<Item = &'a [Chance]>) -> Vec<Vec<f64>> {
    rows.map(|row| row.iter().copied().map(share).collect()).collect()
}

impl From<&Analysis> for AnalysisBody {
    fn from(analysis: &Analysis) -> Self {
        let seats =
            FortunesBody { host: analysis.fortune(Seat::Host).into(), guest: analysis.fortune(Seat::Guest).into() };
        let shots = analysis.turns.iter().flat_map(|turn| {
            turn.shots.iter().map(|shot| AnalysedShotBody {
                seq: turn.seq,
                seat: turn.seat.into(),
                cell: Cell(shot.cell),
                outcome: shot.outcome.mark().into(),
                ship_chance: share(turn.ship(shot.cell)),
                mine_chance: share(turn.mine(shot.cell)),
                best: BestCellBody { cell: Cell(turn.best), ship_chance: share(turn.ship(turn.best)) },
            })
        });
        Self { boards_drawn: analysis.boards_drawn, seats, shots: shots.collect() }
    }
}

impl From<Fortune> for FortuneBody {
    fn from(fortune: Fortune) -> Self {
        let Fortune { shots, hits, expected_hits, mines, expected_mines, as_good } = fortune;
        let one = i64::from(Chance::ONE);
        // A game has no more than 225 shots, so that the difference fits.
        let luck = i32::try_from(i64::from(hits) * one - i64::from(expected_hits)).unwrap_or_default();
        let share = |of: u32| decimal((as_good * u32::from(Chance::ONE) + of / 2) / of);
        Self {
            shots,
            hits,
            expected_hits: decimal(expected_hits),
            luck: f64::from(luck) / f64::from(Chance::ONE),
            mines,
            expected_mines: decimal(expected_mines),
            choices_as_good: (shots > 0).then(|| share(shots)),
        }
    }
}

impl From<&Turn> for TurnAnalysisBody {
    fn from(turn: &Turn) -> Self {
        let (ship_chances, mine_chances) = (rows(turn.ships()), rows(turn.mines()));
        Self { seq: turn.seq, seat: turn.seat.into(), ship_chances, mine_chances }
    }
}
