-- Games, their logs and their secrets.
--
-- Why it looks like this:
--  * A move is one statement that raises games.version from n to n + 1 and adds event n + 1, so
--    whoever lost a race sees no row come back. No transaction block is ever open.
--  * games.state is a snapshot of the fold of the log; the log is the truth.
--  * What a move changes has no index, CHECK or foreign key: updates stay within the page (HOT),
--    and no failing constraint ever prints a row that holds hidden ships.
--  * Every key begins with game_id, so that a distributed Postgres can shard by it.

create table games (
    game_id uuid primary key,
    created_at timestamptz not null,
    turn_seconds int4,
    rules int2 not null,
    grid int2 not null,
    fleet int2 not null,
    first_shot int2 not null,
    bot int2,
    mines boolean not null,
    salvo boolean not null,
    shoot_again boolean not null,
    listed boolean not null,
    rematch_of uuid,
    next_game_id uuid,
    -- SHA-256 of the seats' tokens; null where the seat is free or a bot's.
    token_salt bytea not null,
    host_token bytea,
    guest_token bytea,
    host_name text,
    guest_name text,
    host_commitment bytea,
    guest_commitment bytea,
    -- From here on: what every move changes.
    version int4 not null,
    due_at timestamptz,
    head bytea not null,
    state bytea not null
) with (fillfactor = 80);

create table events (
    game_id uuid not null,
    seq int4 not null,
    -- On the event that a request made, how many it appended, a bot's answers included; 0 on those.
    span int2 not null,
    -- Derived from the game after the event, outside the hash: status; seats (2 bits), action
    -- (2 bits) and count (8 bits) of what is awaited; until when.
    status int2 not null,
    awaits int2 not null,
    due_at timestamptz,
    -- The request's Idempotency-Key and body, blinded by the seat's token; null without a key.
    request bytea,
    print bytea,
    head bytea not null,
    -- The very bytes that were hashed: text keeps them through dump, restore and time zones.
    body text not null,
    primary key (game_id, seq)
);
create unique index events_request on events (game_id, request) where request is not null;

-- The secrets, in a table of their own that no event, feed or list ever reads.
create table layouts (
    game_id uuid not null,
    seat int2 not null,
    salt bytea not null,
    cells bytea not null,
    primary key (game_id, seat)
);

-- Create requests that came with an Idempotency-Key, by the hash of the key.
create table creations (
    key bytea primary key,
    game_id uuid not null,
    salt bytea not null,
    request bytea not null,
    created_at timestamptz not null
);

-- Games open to join that their hosts had listed.
create table lobby (
    game_id uuid primary key,
    created_at timestamptz not null
);
create index lobby_newest on lobby (created_at desc, game_id desc);

-- When to look at a game's clock; a move never touches it, since a deadline only moves later.
create table timers (
    game_id uuid primary key,
    check_at timestamptz not null
);
create index timers_due on timers (check_at);
