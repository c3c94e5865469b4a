"""How a state of the board and a delta make the next state; ``pages/state.js`` has it again.

A state is the snapshot that ``GET /api/v1/state`` answers. Both folds are held to one table of
examples, ``tests/services/web/fold_vectors.json``,
which ``python -m tests.services.web.fold_vectors`` makes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

State: TypeAlias = Mapping[str, Any]
"""A snapshot as JSON has it; never changed, only replaced."""
Delta: TypeAlias = Mapping[str, Any]
"""``seq``; ``e``: events of the trace contract; ``set``: the top-level keys that are replaced."""

PROVISIONAL, FINAL = "p", "f"
"""Of a ply in a state: it may be amended, or only a take-back undoes it."""


def fold(state: State, delta: Delta) -> dict[str, Any]:
    """The state after a delta: first its events change the game, then its keys replace others."""
    game = state["game"]
    for event in delta["e"]:
        game = _told(game, event)
    return {**state, "game": game, **delta["set"], "seq": delta["seq"]}


def _told(game: State, event: Mapping[str, Any]) -> State:
    """The game after an event; most events say nothing of it."""
    plies = game["plies"]
    match event["event"]:
        case "move":
            ply = [event["uci"], event["san"], PROVISIONAL, event.get("clk")]
            return {**game, "plies": [*plies[: event["ply"] - 1], ply]}
        case "amend" if event["ply"] <= len(plies):
            at = event["ply"] - 1
            ply = [event["uci"], event["san"], *plies[at][2:]]
            return {**game, "plies": [*plies[:at], ply, *plies[at + 1 :]]}
        case "take_back":
            return {**game, "plies": plies[: max(len(plies) - event["plies"], 0)]}
        case "final" if event["ply"] <= len(plies):
            at = event["ply"] - 1
            ply = [*plies[at][:2], FINAL, plies[at][3]]
            return {**game, "plies": [*plies[:at], ply, *plies[at + 1 :]]}
        case "result":
            return {**game, "result": event["result"], "termination": event["termination"]}
        case "new_game":
            return {**game, "plies": [], "result": "*", "termination": ""}
    return game
