"""Men touched down on squares that were empty: right at once, wrong after a rest."""

from __future__ import annotations

from boardfw.learning.judge.times import TOUCHED_US, TRIES, WRONG_US
from boardfw.squares import Occupancy, Square


class Visits:
    """``empty``: the squares on which nobody stands or is wanted: who rests there is wrong."""

    def __init__(self, empty: Occupancy) -> None:
        self._empty = empty
        self._resting_us: dict[Square, int] = {}
        """Wrong squares on which somebody stands, and since when."""
        self._tries = 0

    def feed(self, t_us: int, square: Square, *, closed: bool, right: Occupancy) -> bool:
        """A switch has changed; whether one of the ``right`` squares was touched just now."""
        if not closed:
            since_us = self._resting_us.pop(square, t_us)
            self._tries += t_us - since_us >= TOUCHED_US
            return False
        if right >> square & 1:
            self._tries = 0
            return True
        if self._empty >> square & 1:
            self._resting_us[square] = t_us
        return False

    def leave(self, square: Square) -> None:
        """He who stood on a square was no visitor."""
        self._resting_us.pop(square, None)

    def disown(self, before_us: int) -> None:
        """Nor were those who have stood somewhere since then, or for longer."""
        for square, since_us in [*self._resting_us.items()]:
            if since_us <= before_us:
                del self._resting_us[square]

    def wrong(self, t_us: int) -> Square | None:
        """A square that counts as a wrong answer by now; each is told once."""
        for square, since_us in self._resting_us.items():
            if t_us - since_us >= WRONG_US or self._tries >= TRIES:
                del self._resting_us[square]
                self._tries = 0
                return square
        return None

    @property
    def wrong_us(self) -> int | None:
        """When the next square counts."""
        return min((t_us + WRONG_US for t_us in self._resting_us.values()), default=None)
