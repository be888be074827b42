#![expect(clippy::as_conversions, reason = "how a statement is told that an array may hold nulls")]

use std::collections::HashSet;
use std::iter::repeat_n;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::Shared;
use crate::store::event_row::EventColumns;
use crate::store::moves::MoveRow;
use crate::store::{Failure, Session};

impl Shared for MoveRow {
    type Answer = ();

    const STEP: &'static str = "write";

    fn game(&self) -> Uuid {
        self.game
    }

    async fn ask(session: &mut Session, all: Vec<Self>) -> Result<Vec<Option<()>>, Failure> {
        let mut columns = Moves::default();
        for written in all {
            columns.push(written);
        }
        let moved = session.append_moves(&columns).await?;
        Ok(columns.games.iter().map(|game| moved.contains(game).then_some(())).collect())
    }
}

/// The columns of the games that are moved in, each with the first event of its move, and those of
/// the events that follow, which few moves have.
#[derive(Default)]
struct Moves {
    games: Vec<Uuid>,
    were: Vec<i32>,
    versions: Vec<i32>,
    dues: Vec<Option<DateTime<Utc>>>,
    heads: Vec<Vec<u8>>,
    states: Vec<Vec<u8>>,
    firsts: EventColumns,
    /// The game of each event that follows.
    of: Vec<Uuid>,
    following: EventColumns,
}

impl Moves {
    fn push(&mut self, written: MoveRow) {
        let mut events = written.events.into_iter();
        self.firsts.extend(events.next());
        self.of.extend(repeat_n(written.game, events.len()));
        self.following.extend(events);
        self.games.push(written.game);
        self.were.push(written.was);
        self.versions.push(written.version);
        self.dues.push(written.due_at);
        self.heads.push(written.head);
        self.states.push(written.state);
    }
}

impl Session {
    /// Writes what time brings to different games, one event to each, and tells to which. A game that
    /// waited to be joined leaves the lobby with its end; the timer of one that has more time is set to
    /// its deadline. Each stands by itself, as in [`Session::append_moves`].
    pub(in crate::store) async fn append_ends(&mut self, ends: Vec<MoveRow>) -> Result<HashSet<Uuid>, Failure> {
        let mut all = Moves::default();
        for end in ends {
            all.push(end);
        }
        if !all.of.is_empty() {
            return Err(Failure::Program("time brings one event to a game at a time"));
        }
        let written = self
            .write(async |connection| {
                sqlx::query_scalar!(
                    "with free as materialized (
                         select w.* from unnest($1::uuid[], $2::int4[], $3::int4[], $4::timestamptz[], $5::bytea[],
                                                $6::bytea[], $7::int4[], $8::int2[], $9::int2[], $10::int2[],
                                                $11::timestamptz[], $12::bytea[], $13::text[])
                                as w (id, was, version, due_at, head, state,
                                      seq, span, status, awaits, event_due_at, event_head, body)
                           join games g on g.game_id = w.id and g.version = w.was
                          order by w.id for no key update of g skip locked),
                     moved as (
                         update games g set version = f.version, due_at = f.due_at, head = f.head, state = f.state
                           from free f where g.game_id = f.id and g.version = f.was returning f.*),
                     unlisted as (
                         delete from lobby where game_id in (
                             select l.game_id from moved m join lobby l on l.game_id = m.id
                              where m.due_at is null for update of l skip locked)),
                     timed as (
                         update timers t set check_at = m.due_at from moved m
                          where t.game_id = m.id and m.due_at is not null
                            and t.game_id in (select x.game_id from moved n join timers x on x.game_id = n.id
                                               for update of x skip locked)),
                     first as (
                         insert into events (game_id, seq, span, status, awaits, due_at, head, body)
                         select id, seq, span, status, awaits, event_due_at, event_head, body from moved)
                     select id as \"id!\" from moved",
                    &all.games,
                    &all.were,
                    &all.versions,
                    &all.dues as &[Option<DateTime<Utc>>],
                    &all.heads,
                    &all.states,
                    &all.firsts.seqs,
                    &all.firsts.spans,
                    &all.firsts.statuses,
                    &all.firsts.awaits,
                    &all.firsts.dues as &[Option<DateTime<Utc>>],
                    &all.firsts.heads,
                    &all.firsts.bodies
                )
                .fetch_all(connection)
                .await
            })
            .await?;
        Ok(written.into_iter().collect())
    }

    /// Writes moves of different games and tells in which. Each stands by itself: a game whose
    /// version was taken, or whose row somebody else holds, is left out.
    async fn append_moves(&mut self, all: &Moves) -> Result<HashSet<Uuid>, Failure> {
        let moved = self
            .write(async |connection| {
                sqlx::query_scalar!(
                    "with free as materialized (
                         select w.* from unnest($1::uuid[], $2::int4[], $3::int4[], $4::timestamptz[], $5::bytea[],
                                                $6::bytea[], $7::int4[], $8::int2[], $9::int2[], $10::int2[],
                                                $11::timestamptz[], $12::bytea[], $13::text[], $14::bytea[],
                                                $15::bytea[])
                                as w (id, was, version, due_at, head, state,
                                      seq, span, status, awaits, event_due_at, event_head, body, request, print)
                           join games g on g.game_id = w.id and g.version = w.was
                          order by w.id for no key update of g skip locked),
                     moved as (
                         update games g set version = f.version, due_at = f.due_at, head = f.head, state = f.state
                           from free f where g.game_id = f.id and g.version = f.was returning f.*),
                     first as (
                         insert into events (game_id, seq, span, status, awaits, due_at, head, body, request, print)
                         select id, seq, span, status, awaits, event_due_at, event_head, body, request, print
                           from moved),
                     following as (
                         insert into events (game_id, seq, span, status, awaits, due_at, head, body, request, print)
                         select e.* from moved
                           join unnest($16::uuid[], $17::int4[], $18::int2[], $19::int2[], $20::int2[],
                                       $21::timestamptz[], $22::bytea[], $23::text[], $24::bytea[], $25::bytea[])
                                as e (game_id, seq, span, status, awaits, due_at, head, body, request, print)
                             on e.game_id = moved.id)
                     select id as \"id!\" from moved",
                    &all.games,
                    &all.were,
                    &all.versions,
                    &all.dues as &[Option<DateTime<Utc>>],
                    &all.heads,
                    &all.states,
                    &all.firsts.seqs,
                    &all.firsts.spans,
                    &all.firsts.statuses,
                    &all.firsts.awaits,
                    &all.firsts.dues as &[Option<DateTime<Utc>>],
                    &all.firsts.heads,
                    &all.firsts.bodies,
                    &all.firsts.requests as &[Option<Vec<u8>>],
                    &all.firsts.fingerprints as &[Option<Vec<u8>>],
                    &all.of,
                    &all.following.seqs,
                    &all.following.spans,
                    &all.following.statuses,
                    &all.following.awaits,
                    &all.following.dues as &[Option<DateTime<Utc>>],
                    &all.following.heads,
                    &all.following.bodies,
                    &all.following.requests as &[Option<Vec<u8>>],
                    &all.following.fingerprints as &[Option<Vec<u8>>]
                )
                .fetch_all(connection)
                .await
            })
            .await?;
        Ok(moved.into_iter().collect())
    }
}
