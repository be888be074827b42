-- What changes one game, as functions.
--
-- A statement that changes several tables is one on a single Postgres. On a distributed one it takes as many
-- steps as it has tables, and a commit in two phases, although all rows of a game lie on one node. A call of a
-- function goes to that node as it is, and is one step and one commit there. So these are the one form of such
-- changes on both; each is still one autocommitted statement for whoever calls it.
--
--  * Each statement in them finds its rows by game_id = the first argument, which is what they are distributed
--    by, and by nothing else that is told of another game.
--  * Names of tables are whole: nothing hangs on the search_path of whoever calls, which nodes do not pass on.
--  * What a statement is given is a plain variable, worked out before: Citus takes no element of an array there,
--    and in an update neither a clock within a CASE nor one beside a column.
--  * They raise nothing themselves, and no CHECK or foreign key stands on what they write: a failing one would
--    print the row.
--  * A later release changes one by a new migration, with `create or replace` where what is given and what comes
--    back stay the same, and under a new name where not: the release before still calls the old one meanwhile.

-- On a distributed Postgres each node has a part of the games, and is out of reach by itself: so beats and gaps are of
-- a place. On a single one there is one place.
alter table heartbeat add column place uuid not null default '00000000-0000-0000-0000-000000000000';
alter table heartbeat drop constraint heartbeat_pkey;
alter table heartbeat add primary key (place);
alter table gaps add column place uuid not null default '00000000-0000-0000-0000-000000000000';

do $migration$
declare
    functions constant text := $functions$

-- A move of one event, as most are; false where somebody else has moved first.
create function own.append_event(
    game uuid, was int4, new_due_at timestamptz, new_head bytea, new_state bytea, new_span int2, new_status int2,
    new_awaits int2, event_due_at timestamptz, new_body text, new_request bytea, new_print bytea)
returns boolean language plpgsql as $$
begin
    update own.games set version = was + 1, due_at = new_due_at, head = new_head, state = new_state
     where game_id = game and version = was;
    if not found then
        return false;
    end if;
    insert into own.events (game_id, seq, span, status, awaits, due_at, request, print, head, body)
    values (game, was + 1, new_span, new_status, new_awaits, event_due_at, new_request, new_print, new_head, new_body);
    return true;
end $$;

-- Events after `was`, in order.
create function own.insert_events(
    game uuid, was int4, spans int2[], statuses int2[], all_awaits int2[], dues timestamptz[], heads bytea[],
    bodies text[], requests bytea[], prints bytea[])
returns void language plpgsql as $$
declare
    event record;
begin
    for event in
        select * from unnest(spans, statuses, all_awaits, dues, heads, bodies, requests, prints) with ordinality
                      as e (span, status, awaits, due_at, head, body, request, print, place)
    loop
        insert into own.events (game_id, seq, span, status, awaits, due_at, request, print, head, body)
        values (game, was + event.place::int4, event.span, event.status, event.awaits, event.due_at, event.request,
                event.print, event.head, event.body);
    end loop;
end $$;

-- A move of several events, or one by which the game leaves the lobby; false where somebody else has moved first.
create function own.append_events(
    game uuid, was int4, new_due_at timestamptz, new_state bytea, spans int2[], statuses int2[], all_awaits int2[],
    dues timestamptz[], heads bytea[], bodies text[], requests bytea[], prints bytea[], unlists boolean)
returns boolean language plpgsql as $$
declare
    count constant int4 := cardinality(heads);
    last_head constant bytea := heads[count];
begin
    update own.games
       set version = was + count, due_at = new_due_at, head = last_head, state = new_state
     where game_id = game and version = was;
    if not found then
        return false;
    end if;
    if unlists then
        delete from own.lobby where game_id = game;
    end if;
    perform own.insert_events(game, was, spans, statuses, all_awaits, dues, heads, bodies, requests, prints);
    return true;
end $$;

-- A move by which a seat hides its ships; false where somebody else has moved first.
create function own.append_layout(
    game uuid, was int4, new_due_at timestamptz, new_state bytea, spans int2[], statuses int2[], all_awaits int2[],
    dues timestamptz[], heads bytea[], bodies text[], requests bytea[], prints bytea[],
    placed_by int2, new_salt bytea, new_cells bytea, commitment bytea)
returns boolean language plpgsql as $$
declare
    count constant int4 := cardinality(heads);
    last_head constant bytea := heads[count];
begin
    update own.games
       set version = was + count, due_at = new_due_at, head = last_head, state = new_state,
           host_commitment = case when placed_by = 0 then commitment else host_commitment end,
           guest_commitment = case when placed_by = 1 then commitment else guest_commitment end
     where game_id = game and version = was;
    if not found then
        return false;
    end if;
    insert into own.layouts (game_id, seat, salt, cells) values (game, placed_by, new_salt, new_cells);
    perform own.insert_events(game, was, spans, statuses, all_awaits, dues, heads, bodies, requests, prints);
    return true;
end $$;

-- Has a game be looked at at a time: for its clock where it has a deadline, to be packed where not.
create function own.set_timer(game uuid, due timestamptz, look_at timestamptz) returns void language plpgsql as $$
declare
    new_kind constant int2 := case when due is null then 1 else 0 end;
begin
    update own.timers set kind = new_kind, failures = 0, check_at = look_at where game_id = game;
end $$;

-- Puts off the timer of a game that failed, for twice as long each time, from so many seconds to a day.
create function own.put_off(game uuid, first float8) returns void language plpgsql as $$
declare
    before int2;
    look_at timestamptz;
begin
    select t.failures into before from own.timers t where t.game_id = game;
    look_at := statement_timestamp() + make_interval(secs => least(first * power(2, before), 86400));
    before := least(before + 1, 30);
    update own.timers set check_at = look_at, failures = before where game_id = game;
end $$;

-- The move by which the free seat is taken; false where somebody else has moved first. The timer leads to the
-- end of the clock that begins with it, or without one to a look whether the game is over.
create function own.append_player(
    game uuid, was int4, new_due_at timestamptz, new_state bytea, spans int2[], statuses int2[], all_awaits int2[],
    dues timestamptz[], heads bytea[], bodies text[], requests bytea[], prints bytea[],
    joined_as int2, token bytea, name text, look_after float8)
returns boolean language plpgsql as $$
declare
    count constant int4 := cardinality(heads);
    last_head constant bytea := heads[count];
begin
    update own.games
       set version = was + count, due_at = new_due_at, head = last_head, state = new_state,
           host_token = case when joined_as = 0 then token else host_token end,
           host_name = case when joined_as = 0 then name else host_name end,
           guest_token = case when joined_as = 1 then token else guest_token end,
           guest_name = case when joined_as = 1 then name else guest_name end
     where game_id = game and version = was and case when joined_as = 0 then host_token else guest_token end is null;
    if not found then
        return false;
    end if;
    delete from own.lobby where game_id = game;
    perform own.set_timer(
        game, new_due_at, coalesce(new_due_at, statement_timestamp() + make_interval(secs => look_after)));
    perform own.insert_events(game, was, spans, statuses, all_awaits, dues, heads, bodies, requests, prints);
    return true;
end $$;

-- A new game with its first events, its timer and, where listed, its place in the lobby; with a bot also what it
-- placed. False where a game of this id is there.
create function own.insert_game(
    game uuid, new_created_at timestamptz, new_turn_seconds int4, new_rules int2, new_grid int2, new_fleet int2,
    new_first_shot int2, new_mines boolean, new_salvo boolean, new_shoot_again boolean, new_listed boolean,
    new_rematch_of uuid, new_token_salt bytea, new_host_token bytea, new_guest_token bytea, new_host_name text,
    new_guest_name text, new_due_at timestamptz, new_state bytea, new_bot int2, bots_commitment bytea,
    bots_salt bytea, bots_cells bytea, bots_seed bytea, spans int2[], statuses int2[], all_awaits int2[],
    dues timestamptz[], heads bytea[], bodies text[], requests bytea[], prints bytea[], look_after float8)
returns boolean language plpgsql as $$
declare
    count constant int4 := cardinality(heads);
    last_head constant bytea := heads[count];
    first_kind constant int2 := case when new_due_at is null then 1 else 0 end;
    first_look constant timestamptz := least(new_due_at, new_created_at + make_interval(secs => look_after));
begin
    insert into own.games (game_id, created_at, turn_seconds, rules, grid, fleet, first_shot, mines, salvo, shoot_again,
                           listed, rematch_of, token_salt, host_token, guest_token, host_name, guest_name, version,
                           due_at, head, state, bot, guest_commitment)
    values (game, new_created_at, new_turn_seconds, new_rules, new_grid, new_fleet, new_first_shot, new_mines, new_salvo,
            new_shoot_again, new_listed, new_rematch_of, new_token_salt, new_host_token, new_guest_token, new_host_name,
            new_guest_name, count, new_due_at, last_head, new_state, new_bot, bots_commitment)
        on conflict (game_id) do nothing;
    if not found then
        return false;
    end if;
    if new_listed then
        insert into own.lobby (game_id, created_at) values (game, new_created_at);
    end if;
    insert into own.timers (game_id, kind, check_at)
    values (game, first_kind, first_look);
    if new_bot is not null then
        insert into own.layouts (game_id, seat, salt, cells, bot_seed)
        values (game, 1, bots_salt, bots_cells, bots_seed);
    end if;
    perform own.insert_events(game, 0, spans, statuses, all_awaits, dues, heads, bodies, requests, prints);
    return true;
end $$;

-- Packs the log of a game that is over into one row, or says when to look at it again: when it is twice as old, or
-- when nothing will have happened in it for as long as `idle_after`. Nothing is deleted unless the whole log is
-- archived; one that is not whole is put off, for longer each time. All is null where somebody else holds the timer.
create function own.pack(
    game uuid, idle_after float8, out version int4, out packed boolean, out not_whole boolean, out idle boolean,
    out failures int2)
language plpgsql as $$
declare
    created timestamptz;
    due timestamptz;
    last_seq int4;
    last_status int2;
    last_at timestamptz;
    has_last boolean;
    is_whole boolean := false;
    log record;
    removed int8;
begin
    select t.failures into pack.failures from own.timers t where t.game_id = game and t.kind = 1
       for update skip locked;
    if not found then
        return;
    end if;
    select false, false, false into packed, not_whole, idle;
    select g.version, g.created_at, g.due_at into pack.version, created, due from own.games g where g.game_id = game;
    if not found then
        delete from own.timers t where t.game_id = game;
        return;
    end if;
    select e.seq, e.status, (e.body::jsonb ->> 'at')::timestamptz into last_seq, last_status, last_at
      from own.events e where e.game_id = game order by e.seq desc limit 1;
    has_last := last_seq is not distinct from pack.version;
    if last_status in (3, 4) and has_last then
        select count(*) as count, min(e.seq) as first,
               array_agg(e.span order by e.seq) as spans, array_agg(e.status order by e.seq) as statuses,
               array_agg(e.awaits order by e.seq) as awaits, array_agg(e.due_at order by e.seq) as dues,
               array_agg(e.request order by e.seq) as requests, array_agg(e.print order by e.seq) as prints,
               array_agg(e.head order by e.seq) as heads, array_agg(e.body order by e.seq) as bodies
          into log from own.events e where e.game_id = game;
        is_whole := log.count = pack.version and log.first = 1
                    and not exists (select from own.archives a where a.game_id = game);
    end if;
    if is_whole then
        insert into own.archives (game_id, spans, statuses, awaits, dues, requests, prints, heads, bodies, aborted,
                                  kept_since)
        values (game, log.spans, log.statuses, log.awaits, log.dues, log.requests, log.prints, log.heads, log.bodies,
                last_status = 4, last_at);
        delete from own.events e where e.game_id = game;
        get diagnostics removed = row_count;
        if removed <> log.count then
            raise exception 'a log grew while it was packed';
        end if;
        delete from own.timers t where t.game_id = game;
        packed := true;
        return;
    end if;
    not_whole := due is null and (not has_last or last_status in (3, 4));
    idle := due is null and has_last and last_status in (0, 1, 2)
            and last_at <= statement_timestamp() - make_interval(secs => idle_after);
    perform own.set_timer(game, due, case
        when due is not null then due
        when idle then statement_timestamp() + interval '1 minute'
        else least(statement_timestamp() + greatest(statement_timestamp() - created, interval '1 second'),
                   last_at + make_interval(secs => idle_after)) end);
    if not_whole then
        -- It is put off for as often as it was before.
        update own.timers t set failures = pack.failures where t.game_id = game;
        perform own.put_off(game, 60);
    end if;
end $$;

-- Deletes all rows of a game but those that lie with another one: the game whose rematch it is points to it.
create function own.delete_game(game uuid) returns void language plpgsql as $$
begin
    delete from own.archives where game_id = game;
    delete from own.events where game_id = game;
    delete from own.layouts where game_id = game;
    delete from own.timers where game_id = game;
    delete from own.lobby where game_id = game;
    delete from own.rematch_requests where game_id = game;
    delete from own.games where game_id = game;
end $$;

-- Says that a server reaches this part of the database, and keeps the gap that has just ended where there is one:
-- `longest` is how many seconds may lie between two beats, `reached` when this server last did so. `lost` is how many
-- seconds since then lay in gaps, `ahead` the last beat where the clock has been set back behind it.
create function own.beat(
    here uuid, reached timestamptz, longest float8, out now timestamptz, out lost float8, out ahead timestamptz,
    out others timestamptz)
language plpgsql as $$
declare
    began timestamptz;
    so_far float8;
begin
    now := statement_timestamp();
    lost := 0;
    select h.beaten_at into others from own.heartbeat h where h.place = here for no key update skip locked;
    if found then
        update own.heartbeat h set beaten_at = beat.now where h.place = here;
        began := greatest(others, reached);
        if others > beat.now then
            ahead := others;
        end if;
        if began < beat.now - make_interval(secs => longest) then
            lost := extract(epoch from beat.now - began);
        end if;
    else
        insert into own.heartbeat (place, beaten_at) values (here, beat.now) on conflict do nothing;
    end if;
    select coalesce(sum(extract(epoch from least(g.ended_at, beat.now) - greatest(g.started_at, reached))), 0)
      into so_far from own.gaps g where g.place = here and g.ended_at > reached;
    if lost > 0 then
        update own.gaps g set ended_at = beat.now where g.place = here and g.ended_at = began;
        if not found then
            insert into own.gaps (place, started_at, ended_at) values (here, began, beat.now);
        end if;
        delete from own.gaps g where g.place = here and g.ended_at < beat.now - interval '400 days';
    end if;
    lost := lost + so_far;
    -- Of a time that is still to come nobody can say that it was a gap.
    update own.gaps g set ended_at = greatest(g.started_at, beat.now) where g.place = here and g.ended_at > beat.now;
end $$;

$functions$;
begin
    execute replace(functions, 'own.', quote_ident(current_schema()) || '.');
end
$migration$;
