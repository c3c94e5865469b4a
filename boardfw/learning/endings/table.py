"""The plies to mate of every position of one ending, a byte each."""

from __future__ import annotations

from typing import TypeAlias

from boardfw.learning.endings.third import mirror_to_part, part_of
from boardfw.rules.board import Color, Kind
from boardfw.squares import Occupancy, Square, squares_in

Pair: TypeAlias = tuple[Square, Square]
"""Where the third man and his king stand."""
Layer: TypeAlias = dict[Pair, Occupancy]
"""By pair, the squares of the lone king."""

UNWON = 0
"""Drawn, or no legal position. Others: the plies to mate, and one."""


class Table:
    """White has the third man. It holds the part of the board on which he is looked at."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._slots = {square: slot for slot, square in enumerate(part_of(kind))}
        self._plies = bytearray(2 * len(self._slots) << 12)

    def __bytes__(self) -> bytes:
        return bytes(self._plies)

    def plies(self, turn: Color, pair: Pair, lone: Square) -> int | None:
        """Plies to mate, both playing as well as can be; None: there is no mate."""
        mirror = mirror_to_part(self._kind, pair[0])
        mirrored = pair[0] ^ mirror, pair[1] ^ mirror
        known = self._plies[self._row(turn, mirrored) + (lone ^ mirror)]
        return None if known == UNWON else known - 1

    def enter(self, turn: Color, layer: Layer, plies: int) -> None:
        """Note that all these positions are so many plies from mate."""
        for pair, lone_kings in layer.items():
            row = self._row(turn, pair)
            for lone in squares_in(lone_kings):
                self._plies[row + lone] = plies + 1

    def _row(self, turn: Color, pair: Pair) -> int:
        third, king = pair
        return (turn * len(self._slots) + self._slots[third]) << 12 | king << 6
