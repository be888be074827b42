use uuid::Uuid;

use super::{Failure, Session};

/// A request for a rematch that was accepted.
pub(crate) struct KeptRematch {
    /// The game that it was answered with.
    pub next: Uuid,
    /// What a repeat must be equal in.
    pub fingerprint: Vec<u8>,
}

impl Session {
    /// Points an ended game to its rematch, in place of the one to which it pointed when it was read, and tells how many
    /// it has had; none where somebody did so before.
    ///
    /// Rematches that were deleted count, so that no two states of the game have one tag.
    pub(crate) async fn set_next(
        &mut self,
        game: Uuid,
        before: Option<Uuid>,
        next: Uuid,
    ) -> Result<Option<u16>, Failure> {
        let rematches = self
            .write(async |connection| {
                sqlx::query_scalar!(
                    "update games
                        set next_game_id = $3,
                            rematches = greatest(rematches, case when next_game_id is null then 0 else 1 end) + 1
                      where game_id = $1 and next_game_id is not distinct from $2 returning rematches",
                    game,
                    before,
                    next
                )
                .fetch_optional(connection)
                .await
            })
            .await?;
        let inconsistent = |_| Failure::Inconsistent { table: "games", column: "rematches", game };
        rematches.map(|rematches| u16::try_from(rematches).map_err(inconsistent)).transpose()
    }

    /// Finds a request for a rematch that was accepted under a name; the game that it was answered with may be gone.
    pub(crate) async fn find_rematch_request(
        &mut self,
        game: Uuid,
        request: &[u8],
    ) -> Result<Option<KeptRematch>, Failure> {
        self.run(async |connection| {
            sqlx::query_as!(
                KeptRematch,
                "select next_game_id as next, print as fingerprint from rematch_requests
                  where game_id = $1 and request = $2",
                game,
                request
            )
            .fetch_optional(connection)
            .await
        })
        .await
    }

    /// Keeps a request for a rematch that was accepted; `false` where another one of this name is kept. `outdated` is the
    /// game that it was answered with before, which is gone: it makes room for this one.
    pub(crate) async fn keep_rematch_request(
        &mut self,
        game: Uuid,
        request: &[u8],
        kept: &KeptRematch,
        outdated: Option<Uuid>,
    ) -> Result<bool, Failure> {
        let answer = self
            .write(async |connection| {
                sqlx::query!(
                    "insert into rematch_requests as r (game_id, request, print, next_game_id) values ($1, $2, $3, $4)
                         on conflict (game_id, request)
                         do update set print = excluded.print, next_game_id = excluded.next_game_id
                             where r.next_game_id = $5 or r.next_game_id = excluded.next_game_id and r.print = excluded.print",
                    game,
                    request,
                    kept.fingerprint,
                    kept.next,
                    outdated
                )
                .execute(connection)
                .await
            })
            .await?;
        Ok(answer.rows_affected() > 0)
    }
}
