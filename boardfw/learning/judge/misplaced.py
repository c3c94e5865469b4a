"""Misplaced pieces in tasks in which no piece moves: reported after a while, and led home."""

from __future__ import annotations

from boardfw.learning.judge.base import Answer, Misplaced
from boardfw.learning.judge.surface import Surface
from boardfw.learning.judge.times import MISPLACED_US, WRONG_US
from boardfw.learning.lone_piece import carried
from boardfw.rules.board import SIDE, Placement, kept
from boardfw.rules.move import Step
from boardfw.squares import ALL, Bitboard, Square, only_in


class MisplacedPieces:
    """``roamer``: the square of the one piece that may be put down anywhere; 0: there is none."""

    def __init__(self, placement: Placement, surface: Surface, roamer: Bitboard = 0) -> None:
        self.is_misplaced = False
        """Whether it was told; all pieces but the roamer, which may be in the hand, go home."""
        self._placement = placement
        self._home = placement[SIDE[0]] | placement[SIDE[1]]
        self._surface = surface
        self._roamer = roamer
        self._taken: Placement | None = None
        """The placement after a capture that was made although no move is asked for."""
        self._since_us: dict[Square, int] = {}
        """Squares that should be empty and are not, and since when."""

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled, and the surface knows."""
        if self._taken is not None and not closed:  # what comes there next is another piece
            self._taken = kept(self._taken, ALL ^ 1 << square)
        if self._home >> square & 1:
            return
        if closed:
            self._since_us[square] = t_us
        elif t_us - self._since_us.pop(square, t_us) >= WRONG_US:
            # A piece that stood there was not held for all the time that its own square was empty.
            self._surface.forget_lifts(self._home & ~self._surface.standing)

    def judge(self, t_us: int) -> list[Answer]:
        """That pieces have to go home; told once, until they are there."""
        if self.is_misplaced:
            self.is_misplaced = not self._is_home
            if not self.is_misplaced:
                self._taken = None
                self._surface.forget()  # a piece that comes home is no answer
            return []
        counts_us = self._counts_us
        if counts_us is None or t_us < counts_us:
            return []
        self.is_misplaced = True
        return [Misplaced(t_us, len(self._since_us) > 1)]

    def take_back(self, step: Step) -> None:
        """A piece has captured another one, and both have to go home."""
        self.is_misplaced, self._taken = True, carried(self._placement, *step)

    @property
    def due_us(self) -> int | None:
        """When it is told that a piece is misplaced."""
        return None if self.is_misplaced else self._counts_us

    @property
    def _counts_us(self) -> int | None:
        """Hands that are still at work may be adjusting pieces, several at once."""
        surface = self._surface  # a piece on a dead switch may be away or not
        roaming = (self._roamer & (~surface.standing | surface.dead)).bit_count()
        if len(self._since_us) <= roaming:
            return None
        newest_us = max(self._since_us.values())
        return max(newest_us + MISPLACED_US, self._surface.changed_us + WRONG_US)

    @property
    def _is_home(self) -> bool:
        return not self._since_us and not self._home & ~(self._surface.standing | self._roamer)

    def pieces(self) -> Placement:
        """The placement, as far as it can be known."""
        if self._taken is not None:
            return self._taken
        gone = self._home & ~self._surface.standing
        if not self.is_misplaced or gone.bit_count() != 1 or len(self._since_us) != 1:
            return self._placement
        return carried(self._placement, only_in(gone), next(iter(self._since_us)))

    def home(self) -> Placement | None:
        """The placement to restore; None: nothing has to move."""
        return self._placement if self.is_misplaced else None
