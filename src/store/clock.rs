use chrono::{DateTime, Utc};

use uuid::Uuid;

use super::{Failure, Session, Store};

/// When to look at a game's clock.
pub(crate) struct Timer {
    /// The game whose clock it is.
    pub game: Uuid,
    pub(super) check_at: DateTime<Utc>,
}

impl Store {
    /// Checks a connection out and reads the database's clock with it.
    pub(crate) async fn now(&self) -> Result<(Session, DateTime<Utc>), Failure> {
        let ask = |mut session: Session| async move {
            let now = session.now().await;
            (session, now)
        };
        self.read(ask).await
    }

    /// Lists the timers that went off more than a second ago, oldest first: by then every action
    /// that was in time has been written.
    pub(crate) async fn list_timers(&self) -> Result<Vec<Timer>, Failure> {
        let list = |mut session: Session| async move {
            let timers = session.list_timers().await;
            (session, timers)
        };
        self.read(list).await.map(|(_, timers)| timers)
    }
}

impl Session {
    async fn now(&mut self) -> Result<DateTime<Utc>, Failure> {
        self.run(async |connection| {
            sqlx::query_scalar!(r#"select statement_timestamp() as "now!""#).fetch_one(connection).await
        })
        .await
    }

    async fn list_timers(&mut self) -> Result<Vec<Timer>, Failure> {
        self.run(async |connection| {
            sqlx::query_as!(
                Timer,
                "select game_id as game, check_at from timers
                  where check_at <= statement_timestamp() - interval '1 second' order by check_at limit 500"
            )
            .fetch_all(connection)
            .await
        })
        .await
    }

    /// Sets a timer that went off to when the game is to be looked at again, or takes it away where
    /// it is not; unless another server did so before.
    pub(crate) async fn set_timer(&mut self, timer: &Timer, check_at: Option<DateTime<Utc>>) -> Result<(), Failure> {
        self.run(async |connection| match check_at {
            Some(check_at) => {
                sqlx::query!(
                    "update timers set check_at = $3 where game_id = $1 and check_at = $2",
                    timer.game,
                    timer.check_at,
                    check_at
                )
                .execute(connection)
                .await
            }
            None => {
                sqlx::query!("delete from timers where game_id = $1 and check_at = $2", timer.game, timer.check_at)
                    .execute(connection)
                    .await
            }
        })
        .await?;
        Ok(())
    }
}
