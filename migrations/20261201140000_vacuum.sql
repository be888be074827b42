-- Rows that have come to nothing are taken away while they are few.
--
-- Each move changes its game's row, and packing deletes the events of a game once it is over: in a busy minute that is as
-- many rows as the tables hold. Postgres looks after them once a fifth of a table is dead; these are looked after once a
-- twentieth is, each time that Postgres looks (autovacuum_naptime).
alter table games set (autovacuum_vacuum_scale_factor = 0.05);
alter table events set (autovacuum_vacuum_scale_factor = 0.05);
alter table timers set (autovacuum_vacuum_scale_factor = 0.05);
alter table archives set (autovacuum_vacuum_scale_factor = 0.05);
