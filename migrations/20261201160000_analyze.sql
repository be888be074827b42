-- Statistics are gathered seldom: no plan hangs on them, since every row is found by its key.
--
-- In a busy minute each of these tables changes many times over. Each look at `events` for its statistics reads a good part of
-- it, and meanwhile no version of a row that others have replaced can be taken away, in whatever table.
alter table games set (autovacuum_analyze_scale_factor = 5);
alter table events set (autovacuum_analyze_scale_factor = 5);
alter table layouts set (autovacuum_analyze_scale_factor = 5);
alter table timers set (autovacuum_analyze_scale_factor = 5);
alter table archives set (autovacuum_analyze_scale_factor = 5);
