use uuid::Uuid;

use super::game_row::{seat_number, seat_of, unpacked};
use super::seal::{Seals, Secret};
use super::{Failure, Session};
use engine::{BySeat, Layout, Options, Seat};
use record::proof::{Salt, Seed};

/// A layout as it is kept: the owner's secret until somebody has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StoredLayout {
    /// Where the ships and mines lie.
    pub layout: Layout,
    /// What blinds the commitment.
    pub salt: Salt,
    /// Where the choices of a bot come from; none for a person.
    pub seed: Option<Seed>,
}

/// A layout's row as it lies.
pub(crate) struct LayoutRow {
    /// What it holds, where it can be read but for the seed; else the column that cannot.
    pub stored: Result<StoredLayout, &'static str>,
    /// Whether the seed of a bot cannot be read.
    pub has_odd_seed: bool,
}

impl Session {
    /// Reads where the choices of a game's bot come from.
    pub(crate) async fn find_seed(&mut self, game: Uuid) -> Result<Option<Seed>, Failure> {
        let found = self
            .run(async |connection| {
                sqlx::query_scalar!(
                    "select bot_seed from layouts where game_id = $1 and seat = $2",
                    game,
                    seat_number(Seat::Guest)
                )
                .fetch_optional(connection)
                .await
            })
            .await?;
        let inconsistent = |_| Failure::Inconsistent { table: "layouts", column: "bot_seed", game };
        let Some(written) = found.flatten() else { return Ok(None) };
        let seed = self.pool.seals().open(game, Secret::Seed, written)?;
        seed.try_into().map(|seed| Some(Seed::new(seed))).map_err(inconsistent)
    }

    /// Reads a game's layouts as they lie, each with its seat's number.
    pub(super) async fn find_layouts_as_they_lie(
        &mut self,
        game: Uuid,
        options: &Options,
    ) -> Result<Vec<(i16, LayoutRow)>, Failure> {
        let rows = self
            .run(async |connection| {
                sqlx::query!("select seat, salt, cells, bot_seed from layouts where game_id = $1 order by seat", game)
                    .fetch_all(connection)
                    .await
            })
            .await?;
        Ok(rows
            .into_iter()
            .map(|row| {
                let place = (game, seat_of(row.seat).unwrap_or(Seat::Guest));
                (row.seat, LayoutRow::new(self.pool.seals(), place, options, row.salt, row.cells, row.bot_seed))
            })
            .collect())
    }

    /// Reads a game's layouts: for eyes that are entitled to them, and for replaying.
    pub(crate) async fn find_layouts(
        &mut self,
        game: Uuid,
        options: &Options,
    ) -> Result<BySeat<Option<StoredLayout>>, Failure> {
        let rows = self
            .run(async |connection| {
                sqlx::query!("select seat, salt, cells, bot_seed from layouts where game_id = $1", game)
                    .fetch_all(connection)
                    .await
            })
            .await?;
        let mut layouts = BySeat::default();
        for row in rows {
            let inconsistent = |column| Failure::Inconsistent { table: "layouts", column, game };
            let seat = seat_of(row.seat).ok_or_else(|| inconsistent("seat"))?;
            let open = |secret, written| self.pool.seals().open(game, secret, written);
            let salt = open(Secret::Salt(seat), row.salt)?.try_into().map_err(|_| inconsistent("salt"))?;
            let seed = row.bot_seed.map(|written| open(Secret::Seed, written)).transpose()?;
            let seed = seed.map(|seed| seed.try_into().map(Seed::new).map_err(|_| inconsistent("bot_seed")));
            let layout = unpacked(game, options, &open(Secret::Cells(seat), row.cells)?)?;
            *layouts.of_mut(seat) = Some(StoredLayout { layout, salt: Salt::new(salt), seed: seed.transpose()? });
        }
        Ok(layouts)
    }
}

impl LayoutRow {
    fn new(
        seals: &Seals,
        (game, seat): (Uuid, Seat),
        options: &Options,
        salt: Vec<u8>,
        cells: Vec<u8>,
        seed: Option<Vec<u8>>,
    ) -> Self {
        let opened = |secret, written| seals.open(game, secret, written).ok();
        let has_seed = seed.is_some();
        let seed: Option<[u8; 32]> = seed.and_then(|seed| opened(Secret::Seed, seed)?.try_into().ok());
        let has_odd_seed = has_seed && seed.is_none();
        let salt: Option<[u8; 32]> = opened(Secret::Salt(seat), salt).and_then(|salt| salt.try_into().ok());
        let layout = opened(Secret::Cells(seat), cells).and_then(|cells| unpacked(game, options, &cells).ok());
        let stored = match (salt, layout) {
            (None, _) => Err("salt"),
            (Some(_), None) => Err("cells"),
            (Some(salt), Some(layout)) => Ok(StoredLayout { layout, salt: Salt::new(salt), seed: seed.map(Seed::new) }),
        };
        Self { stored, has_odd_seed }
    }
}
