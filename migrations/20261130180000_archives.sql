-- The logs of ended games, packed: one row a game instead of one an event.
--
-- An event of a running game is a row with two index entries, so that a move writes little. Once the
-- game is over nothing is added any more, and one row that Postgres compresses takes a third of that.
-- Whoever reads a log reads the view, and sees no difference; moves are written to events alone.
create table archives (
    game_id uuid primary key,
    -- The columns of events, in the order of seq, which counts from 1.
    spans int2[] not null,
    statuses int2[] not null,
    awaits int2[] not null,
    dues timestamptz[] not null,
    requests bytea[] not null,
    prints bytea[] not null,
    heads bytea[] not null,
    bodies text[] not null
);

create view logs as
    select game_id, seq, span, status, awaits, due_at, request, print, head, body from events
     union all
    select a.game_id, e.seq::int4, e.span, e.status, e.awaits, e.due_at, e.request, e.print, e.head, e.body
      from archives a,
           unnest(a.spans, a.statuses, a.awaits, a.dues, a.requests, a.prints, a.heads, a.bodies) with ordinality
               as e (span, status, awaits, due_at, request, print, head, body, seq);

-- Timers now lead to the games to pack as well, so every game has one until it is packed. Those
-- without are spread over a week, lest the clocks wait for all of them at once.
insert into timers (game_id, check_at)
select game_id, now() + random() * interval '7 days' from games on conflict do nothing;
