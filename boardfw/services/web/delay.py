"""A state of the board as it was some plies ago, for those who look on from elsewhere.

It is made of the newest state alone: what is played, lifted or asked since is not in it. A game
that has ended is shown as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boardfw.errors import NotationError
from boardfw.notation.fen import format_pieces, parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.notation.unlawful import parse_unlawful
from boardfw.rules import Position
from boardfw.services.web.fold import FINAL, State
from boardfw.squares import NAMES

SIDES = ("w", "b")


def delayed(state: State, plies: int) -> State:
    """The state as it was so many plies ago; 0: as it is."""
    game = state["game"]
    if plies == 0 or game["result"] != "*":
        return state
    kept = [[uci, san, FINAL, left] for uci, san, _, left in game["plies"][:-plies]]
    position = _played(game["start_fen"], kept)
    placement = format_pieces(position.placement)
    in_check = NAMES[position.king(position.turn)] if position.checkers() else None
    return {
        **state,
        "phase": "play" if game["plies"] else state["phase"],
        "turn": SIDES[position.turn],
        "game": {**game, "id": None, "plies": kept},
        "history": [],
        "occ": f"{position.occupied:016x}",
        "placement": placement,
        "shown": None if state["shown"] is None else placement,
        "hand": [],
        "box": "",
        "cues": _last_move(kept),
        "lights": None,
        "clock": _clock(state, kept, position.turn),
        "check": in_check,
        **dict.fromkeys(("ask", "choosing", "mismatch", "setup", "doubt", "also", "lesson")),
        "stuck": [],
        "blind": [],
        "late": [],
        "to_go": 0,
        "demo": False,
        "unwritten": "",
        "opponent": _opponent(state),
        "health": "ok",
    }


def told(before: State, after: State) -> list[dict[str, Any]]:
    """The moves that a delayed state shows and the one before it does not, as events."""
    old, new = before["game"], after["game"]
    count = len(old["plies"])
    is_same = old["start_fen"] == new["start_fen"]
    if not is_same or [ply[0] for ply in new["plies"][:count]] != [ply[0] for ply in old["plies"]]:
        return []
    return [
        {"event": "move", "t": 0, "ply": number, "uci": uci, "san": san, "clk": left}
        for number, (uci, san, _, left) in enumerate(new["plies"][count:], count + 1)
    ]


def _played(start_fen: str, plies: Sequence[Sequence[Any]]) -> Position:
    position = parse_fen(start_fen)
    for uci, *_ in plies:
        try:
            move = parse_uci(position, uci)
        except NotationError:  # against the rules, as an arbiter has let it stand
            move = parse_unlawful(position, uci)
        position = position.play_unchecked(move)
    return position


def _last_move(plies: Sequence[Sequence[Any]]) -> dict[str, list[str]]:
    return {"last_move": [plies[-1][0][:2], plies[-1][0][2:4]]} if plies else {}


def _opponent(state: State) -> dict[str, Any] | None:
    """Who plays from afar, and nothing of what that player thinks or has answered."""
    if state["opponent"] is None:
        return None
    known = {key: state["opponent"][key] for key in ("name", "side")}
    return {**dict.fromkeys(state["opponent"]), "thinking": False, **known}


def _clock(state: State, plies: Sequence[Sequence[Any]], turn: int) -> dict[str, Any] | None:
    """What both clocks showed after the last of these plies; None where that is not known."""
    shown: dict[str, int | None] = dict.fromkeys(SIDES)
    for back, ply in enumerate(reversed(plies[-2:])):
        shown[SIDES[(turn + 1 + back) % 2]] = ply[3]
    if state["clock"] is None or None in shown.values():
        return None
    return {**shown, "runs": None, "at": 0}
