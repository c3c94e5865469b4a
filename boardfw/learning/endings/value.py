"""What a position of these endings is worth: mate in so many plies, or a draw."""

from __future__ import annotations

from typing import NamedTuple

from boardfw.learning.endings.solving import solve
from boardfw.learning.endings.third import KINDS, RANKS
from boardfw.rules import BLACK, KING, Color, Kind, Position
from boardfw.squares import Square


class Value(NamedTuple):
    """``stronger``: who has the third man. ``plies``: to mate; None: a draw, if played well.

    Plies are counted to the mate itself, through a promotion, if both sides play as well as can
    be; the counting of fifty moves is left out, as no mate here takes so many. 0: it is mate.
    """

    stronger: Color
    plies: int | None

    @property
    def is_won(self) -> bool:
        """Whether the stronger side mates."""
        return self.plies is not None


def value(position: Position) -> Value | None:
    """What the position is worth; None: not one of these endings."""
    found = _third(position)
    if found is None:
        return None
    kind, third, stronger = found
    flip = RANKS if stronger == BLACK else 0
    pair = third ^ flip, position.king(stronger) ^ flip
    lone = position.king(1 - stronger) ^ flip
    return Value(stronger, solve(kind).plies(position.turn ^ stronger, pair, lone))


def prepare() -> None:
    """Compute all tables now, so that nobody waits for them later."""
    for kind in KINDS:
        solve(kind)


def _third(position: Position) -> tuple[Kind, Square, Color] | None:
    """Kind, square and colour of the third man of these endings, or None.

    None while there are rights to castle: the tables do not know that move.
    """
    third = position.occupied & ~position.placement[KING]
    if third.bit_count() != 1 or position.castling:
        return None
    square = third.bit_length() - 1
    man = position.piece_at(square)
    return (man.kind, square, man.color) if man is not None and man.kind in KINDS else None
