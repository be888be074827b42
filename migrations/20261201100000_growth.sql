-- Clocks apart from packing, and the end of what nobody needs any more.
--
-- Timers had one order for all that is to be looked at, so a night's worth of logs to be packed stood
-- before the clocks of the games that are played. Each kind now has an order of its own, and what
-- fails is put off, longer each time. Every timer that there is counts as a clock: the first look at it
-- says what it is, many at a time.
--
-- Nothing here reads or writes games or events; archives are read once for their new index, without
-- the logs that lie beside them. A new server can stand beside one of the release before.
alter table timers
    -- 0: a clock, which ends the game; 1: a game without one, to be looked at whether it is over, and
    -- then packed.
    add column kind int2 not null default 0,
    add column failures int2 not null default 0;
create index timers_of_kind on timers (kind, check_at);
drop index timers_due;

-- An ended game is kept for some time, counted from its end. Both are null in what an earlier release
-- packed, until a server has looked at it. Where deleting failed, the time begins later.
alter table archives
    add column aborted boolean,
    add column kept_since timestamptz,
    add column failures int2 not null default 0;
create index archives_kept on archives (aborted, kept_since);

-- Keys of creations go with their game, and after a day; ids of games are in the order of time.
create index creations_game on creations (game_id);
