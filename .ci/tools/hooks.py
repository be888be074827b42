"""Has each call of schemathesis meet a game in which its operation has something to do.

Schemathesis is told of one game and one token. Where it sends these, they are replaced by those of a
game in the right phase: a layout meets a game that waits for one, a shot the turn of who fires. All
else, such as ids and tokens that it made up or found in replies, goes out as it is.
"""

import os

import requests
import schemathesis

BASE = os.environ["HOOK_BASE"]
GAME = os.environ["HOOK_GAME"]
TOKEN = os.environ.get("HOOK_TOKEN")
# Whether TOKEN stands for a seat of whatever game is met, or is a stranger's everywhere.
SEATED = os.environ["HOOK_CALLER"] == "seat"

LAYOUT = {
    "ships": [
        {"start": "B2", "length": 5},
        {"start": "B4", "length": 4},
        {"start": "B6", "length": 3},
        {"start": "F6", "length": 3, "direction": "down"},
        {"start": "B8", "length": 2},
    ],
    "mines": ["J10"],
}
# How far a game has to be for an operation; the others meet one that has ended.
PHASES = {
    "joinGame": "waiting", "placeFleet": "placing", "resignGame": "placing", "fireShots": "firing", "revealCells": "owing",
}

session = requests.Session()
tables = {}


def send(path, body, token=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    reply = session.post(BASE + path, json=body, headers=headers, timeout=10)
    assert reply.ok, f"{path}: {reply.status_code} {reply.text}"
    return reply.json()


def game_in(phase):
    """A new game: its id and the host's token."""
    created = send("/v1/games", {"options": {"first": "host"}})
    path = f"/v1/games/{created['game']['id']}"
    if phase != "waiting":
        guest = send(path + "/join", {})["token"]
    if phase in ("firing", "owing", "ended"):
        for token in (created["token"], guest):
            send(path + "/place", LAYOUT, token)
    if phase == "owing":
        send(path + "/fire", {"shots": ["J10"]}, created["token"])
    if phase == "ended":
        send(path + "/resign", {}, guest)
    return created["game"]["id"], created["token"]


def phase_of(operation):
    return PHASES.get(operation.definition.raw.get("operationId"), "ended")


@schemathesis.hook
def before_call(context, case, kwargs):
    if (case.path_parameters or {}).get("game_id") != GAME:
        return
    phase = phase_of(case.operation)
    if phase not in tables:
        tables[phase] = game_in(phase)
    game, token = tables[phase]
    case.path_parameters["game_id"] = game
    if SEATED and (case.headers or {}).get("Authorization") == f"Bearer {TOKEN}":
        case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.hook
def after_call(context, case, response):
    # What was accepted has moved the game on: the next call meets another one.
    if case.method.upper() == "POST" and 200 <= response.status_code < 300:
        tables.pop(phase_of(case.operation), None)


@schemathesis.hook
def map_query(context, query):
    # A long wait is as good as a short one, and keeps nobody waiting.
    wait = (query or {}).get("wait")
    if isinstance(wait, int) and not isinstance(wait, bool) and 1 < wait <= 25:
        query["wait"] = 1
    return query
