use uuid::Uuid;

use super::stored::seat_number;
use super::{Failure, Session};
use crate::engine::{BySeat, Seat};
use crate::proof::Salt;

impl Session {
    /// Reads the salts of a game's layouts: for eyes that are entitled to them.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer or a row makes no sense.
    pub async fn find_salts(&mut self, game: Uuid) -> Result<BySeat<Option<Salt>>, Failure> {
        let rows = self
            .run(async |connection| {
                sqlx::query!("select seat, salt from layouts where game_id = $1", game).fetch_all(connection).await
            })
            .await?;
        let mut salts = BySeat::default();
        for row in rows {
            let nonsense = |column| Failure::Nonsense { table: "layouts", column, game };
            let seat =
                Seat::BOTH.into_iter().find(|seat| seat_number(*seat) == row.seat).ok_or_else(|| nonsense("seat"))?;
            let salt = row.salt.try_into().map_err(|_| nonsense("salt"))?;
            *salts.of_mut(seat) = Some(Salt::new(salt));
        }
        Ok(salts)
    }
}
