use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{Failure, Session, Snapshot, Store};

/// A game's place in the list of those that can be joined: its time, then its id where two have the same.
pub(crate) type Place = (DateTime<Utc>, Uuid);

impl Store {
    /// Lists the games that can be joined, newest first: at most so many, and only those behind a
    /// place in the list. A game that makes no sense has its place alone.
    pub(crate) async fn list_offers(
        &self,
        behind: Option<Place>,
        limit: u16,
    ) -> Result<Vec<(Place, Option<Snapshot>)>, Failure> {
        let list = move |mut session: Session| async move {
            let offers = session.list_offers(behind, limit).await;
            (session, offers)
        };
        match self.read(list).await {
            Err(Failure::Away) => self.list_reachable_offers(behind, limit).await,
            offers => offers.map(|(_, offers)| offers),
        }
    }
}

impl Session {
    /// Which of these games can be joined still.
    pub(crate) async fn list_open_offers(&mut self, games: &[Uuid]) -> Result<Vec<Uuid>, Failure> {
        self.run(async |connection| {
            sqlx::query_scalar!(
                "select l.game_id from lobby l join games g on g.game_id = l.game_id
                  where l.game_id = any($1) and g.due_at > statement_timestamp()",
                games
            )
            .fetch_all(connection)
            .await
        })
        .await
    }
}
