"""Makes the examples of the fold that Python and JavaScript share.

python -m tests.services.web.fold_vectors
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from boardfw.services.web.feed import Feed
from boardfw.services.web.fold import fold
from boardfw.services.web.roles import Role
from tests.services.web.watched import game

FILE = Path(__file__).with_name("fold_vectors.json")
E4, E5 = ["e2e4", "e4", "f", 1000], ["e7e5", "e5", "p", None]

EDGES: list[tuple[list[list[Any]], dict[str, Any]]] = [
    ([], {"event": "move", "ply": 1, "uci": "e2e4", "san": "e4", "provisional": True}),
    ([E4], {"event": "move", "ply": 2, "uci": "e7e5", "san": "e5", "clk": 300000}),
    ([E4, E5], {"event": "move", "ply": 2, "uci": "c7c5", "san": "c5", "clk": None}),
    ([E4, E5], {"event": "amend", "ply": 1, "uci": "e2e3", "san": "e3", "clk": None}),
    ([E4], {"event": "amend", "ply": 2, "uci": "e7e6", "san": "e6"}),
    ([E4, E5], {"event": "take_back", "plies": 1}),
    ([E4, E5], {"event": "take_back", "plies": 0}),
    ([E4, E5], {"event": "take_back", "plies": 3}),
    ([E4, E5], {"event": "final", "ply": 2, "uci": "e7e5"}),
    ([E4], {"event": "final", "ply": 2, "uci": "e7e5"}),
    ([E4], {"event": "result", "result": "1-0", "termination": "resignation"}),
    ([E4, E5], {"event": "new_game"}),
    ([E4], {"event": "a kind of event that comes one day"}),
]
"""Plies before, and an event."""


def vectors() -> list[dict[str, Any]]:
    """Examples: a state, the deltas that follow, and the state after them."""
    told = [_edge(plies, event) for plies, event in EDGES]
    set_only = _edge([E4], {"event": "lift", "square": "e7"})
    set_only["deltas"][0]["set"] = {"hand": [["p", "e7"]], "game": {"plies": [], "result": "*"}}
    told.append({**set_only, "after": fold(set_only["before"], set_only["deltas"][0])})
    return [*told, _real()]


def _edge(plies: list[list[Any]], event: dict[str, Any]) -> dict[str, Any]:
    before = {"seq": 1, "hand": [], "game": {"plies": plies, "result": "*", "termination": ""}}
    delta = {"seq": 2, "e": [event], "set": {}}
    return {"before": before, "deltas": [delta], "after": fold(before, delta)}


def _real() -> dict[str, Any]:
    """A game by a child's hands, as a spectator of a rated game sees it: without its lights."""
    (first, _), *steps = game(5, "child", 12, rated=True, clock="5+3")
    feed = Feed("vector", first)
    channel = feed.channel(Role.SPECTATOR)
    before = json.loads(channel.snapshot)
    for state, events in steps:
        feed.publish(state, events)
    deltas = channel.since(before["seq"]) or []
    after = json.loads(channel.snapshot)
    return {"before": before, "deltas": [json.loads(delta) for delta in deltas], "after": after}


if __name__ == "__main__":
    lines = (json.dumps(vector, separators=(",", ":")) for vector in vectors())
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
