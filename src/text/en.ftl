# English. Players are addressed as you.

## What each code is called.

title-malformed = Malformed request
title-unauthorized = Unauthorized
title-game-not-found = Game not found
title-route-not-found = Route not found
title-method-not-allowed = Method not allowed
title-request-timeout = Request timeout
title-body-too-large = Body too large
title-unsupported-media-type = Unsupported media type
title-game-full = Game full
title-own-game = Own game
title-already-placed = Already placed
title-not-joined = Not joined
title-not-in-battle = Not in battle
title-not-your-turn = Not your turn
title-reveal-due = Reveal due
title-no-reveal-due = No reveal due
title-already-fired = Already fired
title-game-over = Game over
title-not-over = Not over
title-nothing-to-prove = Nothing to prove
title-nothing-to-analyse = Nothing to analyse
title-in-flight = In flight
title-stale-version = Stale version
title-illegal-layout = Illegal layout
title-wrong-shot-count = Wrong number of shots
title-wrong-reveal-count = Wrong number of cells
title-repeated-cell = Repeated cell
title-outside-grid = Outside the grid
title-not-revealable = Not revealable
title-idempotency-mismatch = Idempotency mismatch
title-rate-limited = Rate limited
title-internal = Internal error
title-record-damaged = The game's record is damaged
title-unavailable = Unavailable

## What each code means and what to do about it.

meaning-malformed = The JSON, a field, a type, the spelling of a cell, the query or a header is not what the operation takes. `detail` says where.
meaning-unauthorized = The operation needs the token of a seat of this game, as `Authorization: Bearer …`. A token of another game does not open it.
meaning-game-not-found = There is no game with this id. An id has one spelling: lower case with dashes.
meaning-route-not-found = There is nothing at this path. The document at /openapi.json lists what there is.
meaning-method-not-allowed = The path exists and does not take this method. `Allow` lists those that it takes.
meaning-request-timeout = The body that the headers promised did not come within 10 seconds. Send the request again.
meaning-body-too-large = A body may have 16 KiB. No legal request is larger.
meaning-unsupported-media-type = A body is JSON, comes with `Content-Type: application/json` and without `Content-Encoding`.
meaning-game-full = Both seats are taken. Without a token you may watch.
meaning-own-game = You have a seat in this game already. Send the link to somebody else.
meaning-already-placed = An accepted layout is final.
meaning-not-joined = Nobody ever took the second seat, so there is nobody to play again.
meaning-not-in-battle = Shots are fired once both sides have placed. `awaiting` says who owes what.
meaning-not-your-turn = The other side is to act. `awaiting` says what is due.
meaning-reveal-due = You struck a mine and owe cells of your own ships. `revealable` lists those that you can give.
meaning-no-reveal-due = It is your turn to fire, and you owe no cell.
meaning-already-fired = Nobody fires at the same cell twice. `cells` lists those fired at before.
meaning-game-over = The game has ended. `result` in the game says how.
meaning-not-over = This is shown when the game is finished, and never after an abort.
meaning-nothing-to-prove = Proofs are of shots and of cells given away: events of the type fired or revealed.
meaning-nothing-to-analyse = An analysis is of shots: events of the type fired.
meaning-in-flight = Another request for this game is being carried out. Look at the game, then decide.
meaning-stale-version = The game has moved on since the version in `If-Match`. `version` is the current one.
meaning-illegal-layout = The ships and mines break the rules. `faults` lists every fault with the ship or mine it is about. Nothing was placed.
meaning-wrong-shot-count = A turn has one shot, with Salvo one for each of your ships afloat. `expected` says how many.
meaning-wrong-reveal-count = All cells owed are given in one request. `expected` says how many.
meaning-repeated-cell = A cell may stand only once in a request. `cells` lists those that stand twice.
meaning-outside-grid = The grid of this game ends before these `cells`.
meaning-not-revealable = Only a cell of your own ships, neither hit nor given away yet, can be given away. `revealable` in the game lists them.
meaning-idempotency-mismatch = This key was sent before with another path or body. A key belongs to one request: choose a new one.
meaning-rate-limited = You ask for too much at once. Wait for `Retry-After` seconds.
meaning-internal = Something is wrong with the server, not with your request.
meaning-record-damaged = What is kept of this game contradicts itself or cannot be read. Its verification says where; whoever runs the server can repair it.
meaning-unavailable = The server cannot answer at the moment. Look at the game and try again after `Retry-After` seconds.

## The game and its rules say no.

no-such-game = there is no game with this id
no-such-games = one of these games is not there: `games` lists those
needs-token = this needs a token of this game, as `Authorization: Bearer …`
moved-on = the game has moved on: its version is { $version }
shown-at-the-end = this is shown when the game is finished
event-answers-nothing = no event with this number answers a shot or gives cells away
event-is-no-shot = no event with this number is a shot
another-is-carried-out = another request for this game is being carried out: look at the game and try again
key-sent-before = this Idempotency-Key was sent before with another path or body
seats-taken = both seats of this game are taken
seat-is-yours = you already have a seat in this game
layout-is-final = your ships and mines are placed, and a layout is final
seat-is-free = nobody ever took the second seat of this game
battle-has-not-begun = the battle begins once both sides have placed their ships
others-turn = it is the other side's turn
cells-owed = { $expected ->
    [one] you struck a mine: reveal { $expected } cell of your ships before anybody fires again
   *[other] you struck mines: reveal { $expected } cells of your ships before anybody fires again
}
nothing-owed = you owe no cell: it is your turn to fire
game-has-ended = this game has ended
shots-due = { $expected ->
    [one] this turn has exactly { $expected } shot
   *[other] this turn has exactly { $expected } shots
}, and { $sent ->
    [one] { $sent } was sent
   *[other] { $sent } were sent
}
cells-due = { $expected ->
    [one] exactly { $expected } cell is owed
   *[other] exactly { $expected } cells are owed
}, and { $sent ->
    [one] { $sent } was sent
   *[other] { $sent } were sent
}
cell-stands-twice = a cell may stand only once in a request
beyond-the-grid = the grid of this game ends before that
fired-at-before = nobody fires at the same cell twice
cannot-be-given-away = only a cell of your own ships, neither hit nor given away yet, can be given away
layout-has-faults = { $count ->
    [one] the layout breaks the rules in { $count } way
   *[other] the layout breaks the rules in { $count } ways
}
layout-has-more-faults = the layout breaks the rules in at least { $count } ways

## What is wrong with a layout. Ships go by where they lie and their lengths, mines by where they lie.

ship-outside = the ship of { $length } at { $at } reaches beyond the grid
mine-outside = the mine at { $mine } lies beyond the grid
ship-surplus = the ship of { $length } at { $at }: the fleet has no further ship of that length
ship-missing = a ship of length { $length } is missing
ships-overlap = the ship of { $length } at { $at } lies on the ship of { $other_length } at { $other_at }
ships-touch = the ship of { $length } at { $at } touches the ship of { $other_length } at { $other_at }
mine-on-ship = the mine at { $mine } lies on the ship of { $length } at { $at }
mine-touches-ship = the mine at { $mine } touches the ship of { $length } at { $at }
mines-touch = the mine at { $mine } touches the mine at { $other_mine }
mines-due = { $expected ->
    [one] exactly { $expected } mine is needed
   *[other] exactly { $expected } mines are needed
}
no-room-for-mines = the ships leave no cell for a mine

## How a body is read.

not-json = the body is not JSON: line { $line }, column { $column }
json-ends-early = the body is not JSON: it ends too early, in line { $line }, column { $column }
key-twice = a key stands twice in one object, the one that ends in line { $line }, column { $column }
number-too-large = a number is too large: line { $line }, column { $column }
unknown-field = this field is not known here: the fields are { $known }
no-fields = no field is known here
missing-field = the field { $field } is missing
one-of-words = one of these words is expected: { $words }
null-alone = nothing but null is taken here
is-object = an object is expected
is-list = a list is expected
is-text = a text is expected
is-whole-number = a whole number is expected
is-true-or-false = true or false is expected
number-out-of-range = the number is out of range
something-else-expected = something else is expected here
is-cell = a cell is a column A to O and a row 1 to 15, such as B7, in capitals and without spaces or leading zeros
is-grid = a grid is 8, 10, 12 or 15
is-name = a name has 1 to { $most } characters, none of them a control character
is-between = a number from { $min } to { $max }
is-null-or-between = null, or a number from { $min } to { $max }
list-too-long = at most { $most ->
    [one] { $most } entry
   *[other] { $most } entries
}
list-has = a list of { $min } to { $max } is expected here
body-broke-off = the body broke off
body-is-late = the body that was promised did not come within { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
}
body-has-limit = a body may have { $limit ->
    [one] { $limit } byte
   *[other] { $limit } bytes
}
body-without-encoding = a body comes without Content-Encoding
body-is-json = a body comes with Content-Type: application/json
body-needs-type = a body needs a Content-Type: application/json

## How query and headers are read.

parameter-twice = the query parameter { $name } stands twice
no-parameters = this operation has no query parameters
unknown-parameter = the query parameters are { $known }
whole-number-between = { $name } is a whole number from { $min } to { $max }
parameter-words = { $name } is one of { $words }
parameter-is = { $name } is { $word }
games-are-listed = { $name } names 1 to { $most } games, each once, separated by commas
is-positions = { $name } has a number for each of the { $count } games, in their order, joined by dots
after-is-next = after is the next of a page
header-twice = { $name } stands twice
header-is-no-text = { $name } is not a text
key-form = Idempotency-Key has 1 to { $most } visible ASCII characters
key-is-secret = here the Idempotency-Key is as secret as a token: it is random and has at least { $least ->
    [one] { $least } character
   *[other] { $least } characters
}
is-entity-tags = { $name } is * or a list of entity tags, such as "9-host"

## What the server says.

nothing-here = there is nothing at this path; see /docs/
no-such-file = Swagger UI has no file of this name
no-such-problem = there is no problem of this name
path-takes = this path takes { $methods }
budget-spent = your address has used its budget for now: try again in { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
}
address-asks-enough = your address has as many requests under way as it may
address-follows-enough = your address follows as many logs as it may
address-lists-enough = your address has { $most } listed games that nobody has joined: a new one can be listed once one of them is joined or over
game-followed-enough = the audience of this game follows as many logs as it may
server-is-broken = something is wrong with the server, not with your request
record-is-damaged = what is kept of this game contradicts itself; its verification says where
server-is-busy = the server cannot answer at the moment
database-is-away = the database does not answer, or has not this release's tables

## What is wrong with a log.

flaw-no-object = an event is an object
flaw-not-canonical = the event has no canonical form
flaw-unreadable = this is no event in the form of version 1
flaw-other-form = the event has more than version 1 writes, or has it in another way
flaw-seq = seq is { $seq }, its place is { $place }
flaw-head = head is not the hash over the head before and this event
flaw-kept-head = no event of the log has the head that was kept
flaw-created-twice = a game is created once
flaw-other-game = the log is that of another game
flaw-beginning = a log begins with the game's creation
flaw-first = it is not who the options say that shoots first
flaw-time = it came at { $at }, due at { $due }
flaw-layout = the { $seat }'s layout breaks the rules
flaw-commitment = the { $seat }'s layout and salt are not those committed to
flaw-derived = { $field } does not follow from the log
flaw-view = the game's { $field } is not what its log says
flaw-phase = such an event cannot happen in this phase of the game
flaw-seat = another seat is to act
flaw-count = the number of cells is not the number that was due
flaw-cell = a cell cannot be used at this point
flaw-answer = an answer is not what the boards say
flaw-row = { $column } in { $table } is not what the log says, or cannot be read
flaw-row-missing = a row of { $table } is missing
flaw-row-surplus = { $table } has a row too many
flaw-proof-of-nothing = a proof is of no event that tells of a board
flaw-proof-seat = the proof is about the other board
flaw-proof-cells = the proof is of other cells than the event
flaw-proof-content = the proof says something else of { $cell } than the event
flaw-proof-astray = { $cell } does not lead to the root of the proof
flaw-proof-root = the root of the proof is not the one committed to

## The words of the game.

columns = A B C D E F G H I J K L M N O
answer-miss = miss
answer-hit = hit
answer-sunk = sunk
answer-mine = mine
status-waiting = waiting for an opponent
status-placing = the fleets are being placed
status-battle = battle
status-finished = finished
status-aborted = ended without a winner
action-join = take the free seat
action-place = place ships and mines
action-fire = fire
action-reveal = give cells of one's own ships away
reason-fleet-sunk = the whole fleet is sunk
reason-resigned = resigned
reason-timed-out = the time ran out
reason-aborted = broken off before the battle
reason-expired = nobody joined in time, or nothing happened for too long
level-easy = easy
level-medium = medium
level-hard = hard

## The options, each with its name and what it does.

option-grid = Grid
option-grid-text = How many columns each side's grid has, and as many rows.
option-fleet = Fleet
option-fleet-text = Which ships each side has, the same on every grid.
option-mines = Mines
option-mines-text = Each side hides mines beside its fleet: one on 8×8 and 10×10, two on 12×12, three on 15×15.
option-salvo = Salvo
option-salvo-text = A turn is a volley with one shot for each of your ships afloat.
option-shoot-again = Shoot again on a hit
option-shoot-again-text = A hit or a sinking earns another shot, in Salvo each of them one. A mine never does.
option-first = First shot
option-first-text = Who fires first.
option-turn-seconds = Turn clock
option-turn-seconds-text = The time for each placing, firing and revealing: from { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
} to { $days ->
    [one] { $days } day
   *[other] { $days } days
}, or none. Whoever lets it run out in battle has lost. Time lost to an outage is given back.
fleet-classic = Classic
fleet-russian = Russian
first-host = whoever creates the game
first-guest = whoever joins it
first-random = a coin decides

## The standard game.

standard = Each side hides a fleet on a grid of its own, and no ship touches another, not even at a corner. Then the sides take turns to fire at a cell of the other's grid. Each shot is answered: a miss is water, a hit has found a ship, and a ship of which every cell is hit is sunk, which shows the whole ship. Nobody fires at the same cell twice. After each shot it is the other's turn, unless the options say otherwise. Whoever sinks the whole enemy fleet first has won at once.

## The Mines variant.

what-1 = Beside the ships, each side hides mines: one on 8×8 and 10×10, two on 12×12, three on 15×15. A mine lies in a single cell and keeps clear of every ship and every other mine, corners included.
what-2 = Nobody sees an enemy mine before striking it. Whoever fires at one hears "mine" and has to give away a cell of their own ships: one that was neither hit nor given away before, and which one is theirs to choose. The owner of the mine finds that cell marked on the target grid and may fire at it on any later turn, or never. A mine is not a success, so the turn goes to its owner, even where a hit would earn another shot.
what-3 = A mine is no ship. Nobody has to find one, and sinking the last ship of the fleet still ends the game.
setup-rule = Setting up
setup-standard = Both sides place their ships and nothing else.
setup-mines = With the ships go the mines: one on 8×8 and 10×10, two on 12×12, three on 15×15.
place-rule = Where a mine may lie
place-standard = There are no mines.
place-mines = In any free cell that touches neither a ship nor another mine, corners included.
strike-rule = Firing at a mine
strike-standard = There are no mines: a shot misses, hits or sinks.
strike-mines = The shooter gives away a cell of their own ships that was not hit, and the mine's owner may fire at it. A Salvo volley costs one cell for each mine that it strikes.
turn-rule = The turn after a mine
turn-standard = There are no mines.
turn-mines = It is the mine owner's, even where a hit earns another shot.
end-rule = The end
end-standard = Whoever sinks the whole enemy fleet first has won.
end-mines = The same. Mines are no ships and need not be found.
other-rule = Other options
other-standard = A 10×10 grid, the classic fleet, one shot a turn.
other-mines = Every grid, either fleet, Salvo, and another shot after a hit: mines go with all of them.
history-1 = Mines come from Morskoy boy, the sea battle that people in Russia and other countries of the former Soviet Union play on squared paper. Russian descriptions of the game add one mine or several to the usual 10×10 field and fleet: a circle in one cell that may not touch a ship or another mine. Whoever hits it tells its owner a cell of an own ship that is still undamaged, to be fired at whenever the owner likes; and as a mine is no success, the turn is the owner's.
history-2 = The same descriptions allow up to three mines a side on larger fields, and minesweepers, which are not played here. Here the number follows the grid: one on 8×8 and 10×10, two on 12×12, three on 15×15.
