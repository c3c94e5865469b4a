"""How a game ends by the rules alone, and what may be claimed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from boardfw.rules.board import BISHOP, KNIGHT, PAWN, QUEEN, ROOK, Placement
from boardfw.rules.position import Key, Position
from boardfw.squares import LIGHT

WINS = ("1-0", "0-1")
"""Result when a colour has won."""
DRAW = "1/2-1/2"

FIFTY_MOVES = 100  # plies; FIDE Laws 9.3
SEVENTYFIVE_MOVES = 150  # plies; FIDE Laws 9.6.2


class Outcome(NamedTuple):
    """A result as PGN writes it, and how it came about (a name of the trace contract)."""

    result: str
    termination: str


def outcome(position: Position, earlier: Sequence[Key] = ()) -> Outcome | None:
    """How the game has ended by itself, or None.

    ``earlier`` holds the keys of all earlier positions of the game, oldest first. Of several
    reasons the strongest is named: mate and stalemate, then material, then the counts.
    """
    if not position.legal_moves():
        if position.is_check():
            return Outcome(WINS[1 - position.turn], "checkmate")
        return Outcome(DRAW, "stalemate")
    if is_insufficient_material(position.placement):
        return Outcome(DRAW, "insufficient_material")
    if _times_before(position, earlier) >= 4:
        return Outcome(DRAW, "fivefold_repetition")
    if position.halfmove_clock >= SEVENTYFIVE_MOVES:
        return Outcome(DRAW, "seventyfive_moves")
    return None


def claims(position: Position, earlier: Sequence[Key] = ()) -> tuple[str, ...]:
    """What the side to move may claim now: threefold_repetition, fifty_moves, both or nothing.

    ``earlier`` as in ``outcome``. Nothing can be claimed once the game has ended on the board.
    """
    if not position.legal_moves():
        return ()
    found = []
    if _times_before(position, earlier) >= 2:
        found.append("threefold_repetition")
    if position.halfmove_clock >= FIFTY_MOVES:
        found.append("fifty_moves")
    return tuple(found)


def is_insufficient_material(placement: Placement) -> bool:
    """Whether no sequence of moves can mate: bare kings, one minor, bishops of one colour."""
    if placement[PAWN] | placement[ROOK] | placement[QUEEN]:
        return False
    knights, bishops = placement[KNIGHT], placement[BISHOP]
    if knights:
        return not bishops and knights.bit_count() == 1
    return not bishops & LIGHT or not bishops & ~LIGHT


def _times_before(position: Position, earlier: Sequence[Key]) -> int:
    """How often this position stood before. Only reversible plies can lead back to it."""
    reversible = position.halfmove_clock
    if reversible < 4:
        return 0
    return list(earlier[-reversible:]).count(position.key)
