"""How a game ends by the rules alone, without anybody's claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from boardfw.rules.claim import times_before
from boardfw.rules.dead import is_dead
from boardfw.rules.material import is_insufficient_material
from boardfw.rules.position import Key, Position

WINS = ("1-0", "0-1")
"""Result when a colour has won."""
DRAW = "1/2-1/2"

FIVEFOLD = 5  # times; FIDE Laws 9.6.1
SEVENTYFIVE_MOVES = 150  # plies; FIDE Laws 9.6.2


class Outcome(NamedTuple):
    """A result as PGN writes it, and how it came about (a name of the trace contract)."""

    result: str
    termination: str


def outcome(position: Position, earlier: Sequence[Key] = ()) -> Outcome | None:
    """How the game has ended by itself, or None.

    ``earlier`` holds the keys of all earlier positions of the game, oldest first. Of several
    reasons the strongest is named: mate and stalemate (FIDE Laws 5.1.1, 5.2.1), which hold also
    on the last of 75 moves, then dead positions (5.2.2), then the counts (9.6).
    """
    if not position.legal_moves():
        if position.is_check():
            return Outcome(WINS[1 - position.turn], "checkmate")
        return Outcome(DRAW, "stalemate")
    termination = _draw(position, earlier)
    return None if termination is None else Outcome(DRAW, termination)


def _draw(position: Position, earlier: Sequence[Key]) -> str | None:
    """Why a game that could be played on is drawn."""
    if is_insufficient_material(position.placement):
        return "insufficient_material"
    if is_dead(position):
        return "dead_position"
    if times_before(position, earlier) >= FIVEFOLD - 1:
        return "fivefold_repetition"
    if position.halfmove_clock >= SEVENTYFIVE_MOVES:
        return "seventyfive_moves"
    return None
