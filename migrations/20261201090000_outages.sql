-- When the database was out of reach, so that nobody loses to an outage.
--
-- Whichever server runs beats several times a second: it sets one row to the database's clock. Where more time lies
-- between two beats than there should, nobody could act in between, or the clock jumped; that is a gap. A deadline that
-- passes moves on by what gaps took of the time that it gave.

create table heartbeat (
    -- There is one row.
    one boolean primary key default true check (one),
    beaten_at timestamptz not null
);

create table gaps (
    started_at timestamptz not null,
    ended_at timestamptz not null
);
create index gaps_ended on gaps (ended_at);
