-- The keys with which servers have sealed what players hide, by their names: a server that lacks one
-- does not start, since it could not read the games. The keys themselves are nowhere in the database.
create table seals (
    key bytea primary key,
    since timestamptz not null
);
