use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::stored::OptionColumns;
use super::{Failure, Session, Store};
use engine::Options;

/// A game that its host offers to strangers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// Which game.
    pub game: Uuid,
    /// Since when.
    pub created_at: DateTime<Utc>,
    /// What is played.
    pub options: Options,
    /// The host's name.
    pub host_name: Option<String>,
    /// Until when.
    pub until: Option<DateTime<Utc>>,
}

/// An offer's place in the list: its time, then its id where two have the same.
pub type Place = (DateTime<Utc>, Uuid);

impl Store {
    /// Lists the games that can be joined, newest first: at most so many, and only those behind a
    /// place in the list.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer or a row makes no sense.
    pub async fn list_offers(&self, behind: Option<Place>, limit: u16) -> Result<Vec<Offer>, Failure> {
        let list = move |mut session: Session| async move {
            let offers = session.list_offers(behind, limit).await;
            (session, offers)
        };
        self.read(list).await.map(|(_, offers)| offers)
    }
}

impl Session {
    async fn list_offers(&mut self, behind: Option<Place>, limit: u16) -> Result<Vec<Offer>, Failure> {
        let (at, id) = behind.map_or((None, Uuid::max()), |(at, id)| (Some(at), id));
        let rows = self
            .run(async |connection| {
                sqlx::query!(
                    "select g.game_id, l.created_at, g.turn_seconds, g.grid, g.fleet, g.first_shot, g.mines, g.salvo,
                            g.shoot_again, g.host_name, g.due_at
                       from lobby l join games g on g.game_id = l.game_id
                      where (l.created_at, l.game_id) < (coalesce($1, 'infinity'::timestamptz), $2)
                        and g.due_at > statement_timestamp()
                      order by l.created_at desc, l.game_id desc limit $3",
                    at,
                    id,
                    i64::from(limit)
                )
                .fetch_all(connection)
                .await
            })
            .await?;
        rows.into_iter()
            .map(|row| {
                let columns = OptionColumns {
                    grid: row.grid,
                    fleet: row.fleet,
                    first_shot: row.first_shot,
                    mines: row.mines,
                    salvo: row.salvo,
                    shoot_again: row.shoot_again,
                    turn_seconds: row.turn_seconds,
                };
                Ok(Offer {
                    game: row.game_id,
                    created_at: row.created_at,
                    options: columns.read(row.game_id)?,
                    host_name: row.host_name,
                    until: row.due_at,
                })
            })
            .collect()
    }
}
