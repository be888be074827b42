"""Plays two games through the client that openapi-python-client makes."""

import sys
from typing import TypeVar, cast
from uuid import UUID

from naval_battle import AuthenticatedClient, Client
from naval_battle.api.games import (
    create_game,
    fire_shots,
    join_game,
    list_events,
    place_fleet,
    resign_game,
    reveal_cells,
    verify_game,
)
from naval_battle.models import (
    CreateRequest,
    Direction,
    EmptyRequest,
    FiredEvent,
    FireRequest,
    FirstShot,
    GameLog,
    JoinRequest,
    MoveReply,
    OptionsRequest,
    PlaceRequest,
    Problem,
    RevealedEvent,
    RevealRequest,
    Seating,
    ShipRequest,
    Verification,
)
from naval_battle.types import Unset

BASE = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8080"
LAYOUT = PlaceRequest(
    ships=[
        ShipRequest(start="B2", length=5),
        ShipRequest(start="B4", length=4),
        ShipRequest(start="B6", length=3),
        ShipRequest(start="F6", length=3, direction=Direction.DOWN),
        ShipRequest(start="B8", length=2),
    ],
    mines=["J10"],
)
FLEET = "D4 B4 C4 E4 B2 C2 D2 E2 F2 B6 C6 D6 F6 F7 F8 B8 C8".split()

Wanted = TypeVar("Wanted")


def good(kind: type[Wanted], answer: object) -> Wanted:
    """What came of a request that must go well."""
    assert isinstance(answer, kind), answer
    return answer


def what(event: object) -> str:
    if isinstance(event, FiredEvent):
        return "+".join(shot.outcome for shot in event.shots)
    if isinstance(event, RevealedEvent):
        return "+".join(event.cells)
    return str(getattr(event, "type_").value)


class Table:
    def __init__(self) -> None:
        anybody = Client(base_url=BASE)
        options = OptionsRequest(first=FirstShot.HOST, shoot_again=True)
        created = create_game.sync(client=anybody, body=CreateRequest(name="Anna", options=options))
        host = good(Seating, created)
        self.id: UUID = host.game.id
        # The generated code takes a token to be needed where it may be left out.
        stranger = cast(AuthenticatedClient, anybody)
        guest = good(Seating, join_game.sync(self.id, client=stranger, body=JoinRequest(name="Boris")))
        self.host, self.guest = (AuthenticatedClient(base_url=BASE, token=seat.token) for seat in (host, guest))
        for seat in (self.host, self.guest):
            good(MoveReply, place_fleet.sync(self.id, client=seat, body=LAYOUT))

    def fire(self, seat: AuthenticatedClient, cell: str) -> object:
        return fire_shots.sync(self.id, client=seat, body=FireRequest(shots=[cell]))


table = Table()
struck = good(MoveReply, table.fire(table.host, "J10"))
print("struck", *map(what, struck.events), "owes", struck.awaiting[0].count)
revealed = reveal_cells.sync(table.id, client=table.host, body=RevealRequest(cells=["D4"]))
print("gave", *map(what, good(MoveReply, revealed).events))
for cell in FLEET:
    good(MoveReply, table.fire(table.guest, cell))
log = good(GameLog, list_events.sync(table.id, client=table.guest))
result = log.events[-1].result
assert not isinstance(result, Unset)
print(len(log.events), "events,", result.winner, "won by", result.reason.value)
verified = good(Verification, verify_game.sync(table.id, client=table.guest))
print("verified", str(verified.ok and verified.complete).lower())

other = Table()
resigned = good(MoveReply, resign_game.sync(other.id, client=other.guest, body=EmptyRequest()))
result = resigned.events[0].result
assert not isinstance(result, Unset)
print(*map(what, resigned.events), "so", result.winner, "won")
print("refused", good(Problem, other.fire(other.host, "A1")).code.value)
