-- Requests for a rematch that came with a key, each by the ended game whose seat asked.
--
-- A rematch was found again by the key that lay in its own log: one key for each seat. Who asks again
-- with another key gets the same seat, and that key has to be kept too. And where a rematch was called
-- off or ran out before a shot, the players may ask anew: each key leads to the game that it was
-- answered with.
create table rematch_requests (
    game_id uuid not null,
    -- The request's Idempotency-Key and path and body, blinded by the token of the seat in the ended game.
    request bytea not null,
    print bytea not null,
    next_game_id uuid not null,
    primary key (game_id, request)
);
-- They go with either game.
create index rematch_requests_next on rematch_requests (next_game_id);

insert into rematch_requests (game_id, request, print, next_game_id)
select g.rematch_of, e.request, e.print, g.game_id
  from games g join logs e on e.game_id = g.game_id and e.seq <= 2
 where g.rematch_of is not null and e.request is not null and e.print is not null
   and (e.seq = 1 or e.body like '%"type":"joined"%')
    on conflict do nothing;

-- How many rematches a game has had: next_game_id is the last of them. Games of before have 0 or one.
alter table games add column rematches int2 not null default 0;
