"""What the rules say to the questions of a lesson: where to, whether, and how it stands."""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.learning.task import State
from boardfw.rules import QUEEN, Move, Position
from boardfw.rules.claim import claims
from boardfw.rules.exchange import exchange
from boardfw.rules.outcome import outcome
from boardfw.rules.position import Key
from boardfw.squares import Occupancy, Square, occupancy_of


def reach(position: Position, origin: Square, *, castling: bool = False) -> Occupancy:
    """Where the man of a square may legally go; ``castling``: the king's two squares, too."""
    return occupancy_of(
        move.target
        for move in position.legal_moves()
        if move.origin == origin and (castling or not move.is_castling)
    )


def meant(position: Position, origin: Square, target: Square) -> Move | None:
    """The legal move that a hand makes by these squares, to a queen if it promotes."""
    return position.find(origin, target) or position.find(origin, target, QUEEN)


def may(position: Position, origin: Square, target: Square, *, by_exchange: bool = False) -> bool:
    """Whether a move is legal; ``by_exchange``: and its man is not lost for less than he took."""
    move = meant(position, origin, target)
    return move is not None and not (by_exchange and exchange(position, move) < 0)


def state(position: Position, earlier: Sequence[Key] = ()) -> State:
    """How it stands. ``earlier``: the keys of all earlier positions of the game."""
    ended = outcome(position, earlier)
    if ended is not None:
        return State.MATE if ended.termination == "checkmate" else State.DRAW
    return State.CLAIM if claims(position, earlier) else State.GOES_ON
