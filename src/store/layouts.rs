use uuid::Uuid;

use super::game_row::seat_number;
use super::seal::Secret;
use super::{Failure, Session};
use engine::{BySeat, Layout, Options, Seat, UnpackError};
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
            let seat = Seat::BOTH
                .into_iter()
                .find(|seat| seat_number(*seat) == row.seat)
                .ok_or_else(|| inconsistent("seat"))?;
            let open = |secret, written| self.pool.seals().open(game, secret, written);
            let salt = open(Secret::Salt(seat), row.salt)?.try_into().map_err(|_| inconsistent("salt"))?;
            let seed = row.bot_seed.map(|written| open(Secret::Seed, written)).transpose()?;
            let seed = seed.map(|seed| seed.try_into().map(Seed::new).map_err(|_| inconsistent("bot_seed")));
            let cells = open(Secret::Cells(seat), row.cells)?;
            let layout = Layout::unpack(options, &cells).map_err(|unreadable| match unreadable {
                UnpackError::UnknownForm(form) => Failure::LaterForm { table: "layouts", column: "cells", form, game },
                UnpackError::Damaged => inconsistent("cells"),
            })?;
            *layouts.of_mut(seat) = Some(StoredLayout { layout, salt: Salt::new(salt), seed: seed.transpose()? });
        }
        Ok(layouts)
    }
}
