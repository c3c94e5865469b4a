"""Choosing an opponent on the board alone, before the first move: a gesture with king and queen.

Whoever lifts the king and the queen of a side plays that side. Either of them, put on a square of
the fourth rank as that player sees it, chooses a level, counted from the left; the fifth rank goes
on, and its last square is for two people. Both pieces at home again confirm it. No game begins
like this: before the first move neither piece can go anywhere, and no other gesture lifts both.
"""

from __future__ import annotations

from typing import NamedTuple

from boardfw.rules import BLACK, WHITE, Color
from boardfw.squares import BY_NAME, Bitboard, Square, bitboard_of, half_turned, squares_in
from boardfw.squares import START as START_SWITCHES

START: Bitboard = int(START_SWITCHES)
HOMES: dict[Color, Bitboard] = {
    WHITE: bitboard_of([BY_NAME["d1"], BY_NAME["e1"]]),
    BLACK: bitboard_of([BY_NAME["d8"], BY_NAME["e8"]]),
}
FIRST = BY_NAME["a4"]
MOST = 11
"""Levels: eight on the fourth rank, the others on the fifth."""
NOBODY = BY_NAME["h5"]
"""Stands for two people at the board."""


class Picked(NamedTuple):
    """What has been chosen."""

    color: Color
    """The side of the player at the board."""
    level: int | None
    """From 1; None: two people play."""


class Picking(NamedTuple):
    """What the lights show of it. Squares of the game."""

    home: Bitboard = 0
    """Where king and queen are still to be put back."""
    places: Bitboard = 0
    """Where one of them may be put; 0 once it was."""
    level: Bitboard = 0
    """As many as the level that was chosen, or the square of two people."""
    is_done: bool = False
    """Whether it is confirmed."""


class SeatChoice:
    """How far the gesture has come."""

    def __init__(self) -> None:
        self.color: Color | None = None
        """The side whose king and queen were lifted; None: the gesture has not begun."""
        self._square: Square | None = None
        """The square that was chosen, as White sees it; None: none yet."""
        self._confirmed: Picking | None = None
        """What is shown until the next touch; None: nothing is."""
        self._standing: Bitboard = START

    def feed(self, standing: Bitboard, *, may_begin: bool) -> Picked | None:
        """Take in where pieces stand after a touch; what is confirmed by it, or None.

        ``may_begin``: no move has been made and an opponent can be had.
        """
        put, self._standing = standing & ~self._standing, standing
        missing, extra = START & ~standing, standing & ~START
        self._confirmed = None
        if self.color is None:
            sides = (color for color, home in HOMES.items() if missing == home and not extra)
            self.color, self._square = next(sides, None) if may_begin else None, None
            return None
        if missing & ~HOMES[self.color] or extra.bit_count() > 1:
            self.color = None  # that is something else
            return None
        for square in squares_in(_as_white_sees(put, self.color)):
            if _level(square) or square == NOBODY:
                self._square = square
        return None if missing or extra else self._confirm(self.color)

    @property
    def shown(self) -> Picking | None:
        """What the lights show; None: nothing."""
        if self.color is None:
            return self._confirmed
        home = HOMES[self.color] & ~self._standing
        places = 0 if self._square is not None else _as_white_sees(PLACES, self.color)
        return Picking(home, places, self._lit(self.color))

    def _confirm(self, color: Color) -> Picked | None:
        lit, square = self._lit(color), self._square
        self.color = None
        if square is None:
            return None  # thought better of it
        self._confirmed = Picking(level=lit, is_done=True)
        return Picked(color, _level(square) or None)

    def _lit(self, color: Color) -> Bitboard:
        if self._square is None:
            return 0
        level = _level(self._square)
        squares = range(FIRST, FIRST + level) if level else (NOBODY,)
        return _as_white_sees(bitboard_of(map(Square, squares)), color)


def _level(square: Square) -> int:
    """The level that a square stands for; 0: none."""
    return square - FIRST + 1 if FIRST <= square < FIRST + MOST else 0


PLACES = bitboard_of([*map(Square, range(FIRST, FIRST + MOST)), NOBODY])


def _as_white_sees(squares: Bitboard, color: Color) -> Bitboard:
    """From a player's side of the board to White's, or back."""
    return half_turned(squares) if color else squares
