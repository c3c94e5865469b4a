"""What stands on the board while an exercise is judged, and what every square did last."""

from __future__ import annotations

from boardfw.learning.judge.times import HELD_US, RIPE_US, STRAIGHT_US
from boardfw.squares import Bitboard, Square, bitboard_of, squares_in


class Surface:
    """Settled switches, as squares of the game; times in microseconds of the session."""

    def __init__(self, standing: Bitboard, t_us: int) -> None:
        self.standing = standing
        self.dead: Bitboard = 0
        """Switches that read otherwise than they should, and have not moved since the exercise
        began: nothing is concluded from them, and nothing asked that only they could tell."""
        self.changed_us = t_us
        """When a switch last changed."""
        self._lifted_us: dict[Square, int] = {}
        self._closed_us: dict[Square, int] = {}
        self._put_us: dict[Square, int] = {}
        """When a piece was put back that had been lifted for long enough to be an answer."""

        self._ripened: set[Square] = set()
        """Pieces whose answer ripened when they were lifted again."""

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has changed."""
        self.changed_us = t_us
        self.dead &= ~(1 << square)
        self.standing = self.standing & ~(1 << square) | closed << square
        if not closed:
            self._lifted_us[square] = t_us
            if self._put_us.pop(square, None) is not None:
                self._ripened.add(square)
            return
        self._closed_us[square] = t_us
        lifted_us = self._lifted_us.pop(square, None)
        was_ripening = square in self._ripened
        self._ripened.discard(square)
        if lifted_us is None:
            return
        held_us = t_us - lifted_us
        if held_us >= HELD_US or (was_ripening and held_us < STRAIGHT_US):
            self._put_us[square] = t_us

    def seen(self, occupied: Bitboard) -> Bitboard:
        """What stands; a dead switch shows what should be there, if these squares are occupied."""
        return self.standing & ~self.dead | occupied & self.dead

    def rests_us(self, t_us: int) -> int:
        """For how long nothing has changed."""
        return t_us - self.changed_us

    def touched_since(self, square: Square) -> Bitboard:
        """Squares that have closed since the piece of a square was lifted; it is still away."""
        since_us = self._lifted_us.get(square)
        if since_us is None:
            return 0
        closed = (other for other, t_us in self._closed_us.items() if t_us > since_us)
        return bitboard_of(closed) & self.standing

    @property
    def ripening(self) -> Bitboard:
        """Pieces put back whose answer does not count yet."""
        return sum(1 << square for square in self._put_us)

    def ripe(self, t_us: int) -> list[Square]:
        """Pieces whose answers count by now, the first put back first; each is told once."""
        ripe = [square for square, put_us in self._put_us.items() if t_us - put_us >= RIPE_US]
        for square in ripe:
            del self._put_us[square]
        return ripe

    def forget(self) -> None:
        """What has been touched until now is no answer."""
        self._put_us.clear()
        self._lifted_us.clear()
        self._ripened.clear()

    def forget_lifts(self, squares: Bitboard) -> None:
        """The pieces of these squares were not held: they stood elsewhere meanwhile."""
        for square in squares_in(squares):
            self._lifted_us.pop(square, None)

    @property
    def ripe_us(self) -> int | None:
        """When the next answer counts."""
        return min((put_us + RIPE_US for put_us in self._put_us.values()), default=None)
