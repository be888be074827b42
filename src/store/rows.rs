use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::event_row::game_status;
use super::game_row::seat_of;
use super::layouts::LayoutRow;
use super::{Failure, Session, Snapshot, Store, StoredLayout};
use engine::{BySeat, Seat};
use record::GameStatus;

/// All that is kept of a game, read at one moment as it lies, to be checked: what makes no sense is
/// named instead of stopping the reading.
pub(crate) struct Rows {
    /// Its row, with something harmless for what cannot be read.
    pub game: Snapshot,
    /// The columns of the row that cannot be read.
    pub unreadable: Vec<&'static str>,
    /// The version of the rules that the row names.
    pub rules: i16,
    /// Whether its host had it listed.
    pub listed: bool,
    /// When the list of games to join says that it was created; none where it is not in it.
    pub offered_at: Option<DateTime<Utc>>,
    /// Whether it leads to a game that is not its rematch.
    pub has_foreign_next: bool,
    /// Every row of its log, in order.
    pub log: Vec<LogRow>,
    /// What is kept of each seat's layout.
    pub layouts: BySeat<Option<LayoutRow>>,
    /// Whether there are layouts of no seat.
    pub has_more_layouts: bool,
}

/// A row of a log.
pub(crate) struct LogRow {
    /// Its place, as its column has it.
    pub seq: Option<i32>,
    /// How many events its request appended.
    pub span: Option<i16>,
    /// Where the game stood after it; none where that cannot be read.
    pub standing: Option<GameStatus>,
    /// The chain's head after it.
    pub head: Vec<u8>,
    /// What should be the bytes that were hashed.
    pub body: String,
}

/// How many rows of one log are read: far more than any game has.
const MOST_ROWS: i64 = 20_000;

impl Store {
    /// Reads all that is kept of a game, at one moment.
    pub(crate) async fn load_rows(&self, id: Uuid) -> Result<(Session, Option<Rows>), Failure> {
        let find = move |mut session: Session| async move {
            let found = session.find_rows(id).await;
            (session, found)
        };
        self.read(find).await
    }
}

impl Session {
    /// The row of the game is read first, then the layouts, and both again until the rest is of the same
    /// version: whatever a move changes, it raises the version.
    async fn find_rows(&mut self, id: Uuid) -> Result<Option<Rows>, Failure> {
        loop {
            let Some((game, unreadable)) = self.find_game_as_it_lies(id).await? else { return Ok(None) };
            let layouts = self.find_layouts_as_they_lie(id, game.game.options()).await?;
            let Some((version, mut rows)) = self.find_rest(game, unreadable).await? else { return Ok(None) };
            for (seat, row) in layouts {
                match seat_of(seat) {
                    Some(seat) => *rows.layouts.of_mut(seat) = Some(row),
                    None => rows.has_more_layouts = true,
                }
            }
            if u32::try_from(version).is_ok_and(|version| version == rows.game.version) || version <= 0 {
                return Ok(Some(rows));
            }
        }
    }

    /// Whether there is a game that is not the rematch of this one.
    async fn is_foreign(&mut self, next: Uuid, game: Uuid) -> Result<bool, Failure> {
        self.run(async |connection| {
            sqlx::query_scalar!(
                r#"select exists (select from games where game_id = $1 and rematch_of is distinct from $2) as "foreign!""#,
                next,
                game
            )
            .fetch_one(connection)
            .await
        })
        .await
    }

    async fn find_rest(
        &mut self,
        mut game: Snapshot,
        unreadable: Vec<&'static str>,
    ) -> Result<Option<(i32, Rows)>, Failure> {
        let found = self
            .run(async |connection| {
                sqlx::query!(
                    r#"select g.version, g.rules, g.listed, g.next_game_id,
                              (select case when isfinite(o.created_at) then o.created_at else 'epoch' end
                                 from lobby o where o.game_id = $1) as offered_at,
                              e.seqs as "seqs?: Vec<Option<i32>>", e.spans as "spans?: Vec<Option<i16>>",
                              e.statuses as "statuses?: Vec<Option<i16>>", e.awaits as "awaits?: Vec<Option<i16>>",
                              e.dues as "dues?: Vec<Option<DateTime<Utc>>>", e.heads as "heads?: Vec<Option<Vec<u8>>>",
                              e.bodies as "bodies?: Vec<Option<String>>"
                         from games g
                         cross join lateral (
                              select array_agg(seq order by place) as seqs, array_agg(span order by place) as spans,
                                     array_agg(status order by place) as statuses,
                                     array_agg(awaits order by place) as awaits,
                                     array_agg(case when due_at < '3000-01-01' and due_at > '2000-01-01' then due_at
                                                    when due_at is not null then 'epoch' end order by place) as dues,
                                     array_agg(head order by place) as heads, array_agg(body order by place) as bodies
                                from (select *, row_number() over (order by seq, head) as place
                                        from logs where game_id = $1 limit $2) numbered) e
                        where g.game_id = $1"#,
                    game.id,
                    MOST_ROWS
                )
                .fetch_optional(connection)
                .await
            })
            .await?;
        let Some(row) = found else { return Ok(None) };
        game.next = row.next_game_id;
        let mut rows = Rows {
            unreadable,
            rules: row.rules,
            listed: row.listed,
            offered_at: row.offered_at,
            has_foreign_next: match row.next_game_id {
                Some(next) => self.is_foreign(next, game.id).await?,
                None => false,
            },
            log: Vec::new(),
            layouts: BySeat::default(),
            has_more_layouts: false,
            game,
        };
        let states = row.statuses.unwrap_or_default().into_iter().zip(row.awaits.unwrap_or_default());
        let standings = states.zip(row.dues.unwrap_or_default());
        let places = row.seqs.unwrap_or_default().into_iter().zip(row.spans.unwrap_or_default());
        let bytes = row.heads.unwrap_or_default().into_iter().zip(row.bodies.unwrap_or_default());
        let log = places.zip(standings).zip(bytes);
        rows.log = log
            .map(|(((seq, span), ((status, awaits), due_at)), (head, body))| LogRow {
                seq,
                span,
                standing: status.zip(awaits).and_then(|(status, awaits)| game_status(status, awaits, due_at)),
                head: head.unwrap_or_default(),
                body: body.unwrap_or_default(),
            })
            .collect();
        Ok(Some((row.version, rows)))
    }
}

impl Rows {
    /// What can be read of a seat's layout.
    pub(crate) fn layout(&self, seat: Seat) -> Option<StoredLayout> {
        self.layouts.of(seat).as_ref().and_then(|row| row.stored.ok())
    }
}
