"""The reader of touches that all judges share: what stands, what was lifted, put back and visited.

It knows switches that have settled, and how long things take that are answers. What they mean is
for the judges to say.
"""

from __future__ import annotations

from boardfw.squares import Bitboard, Square, bitboard_of

# How long things take that are answers; all in microseconds of the session.

WRONG_US = 500_000
"""A piece that rests so long on a wrong square, or after a wrong move, is an answer."""
RIGHT_US = 200_000
"""A right move has rested for so long: a piece that slides on has not arrived."""
HELD_US = 700_000
"""A piece lifted for so long and put back is an answer; a shorter touch is adjusting."""
RIPE_US = 1_500_000
"""Such an answer may be taken back for so long, by lifting the piece again."""
MISPLACED_US = 2_000_000
"""A piece that rests so long where no piece moves is led home: until then hands may be adjusting
pieces."""
TOUCHED_US = 250_000
"""A piece that rests so long on a wrong square was a try; a slide is mostly shorter."""
TRIES = 4
"""So many tries in a row, all wrong, are an error: sweeping the board finds no answer."""
STRAIGHT_US = 450_000
"""A piece touched again for less, while its answer ripens, is adjusted, or its contact is poor: it
ripens again. Lifting it for longer takes the answer back."""
TAKEN_US = HELD_US
"""A capture rests so long before it counts: two pieces touched one after the other look like one
for a moment."""
POOR_US = 2_000_000
"""A ply that the game has and the board does not show is doubted so long: a contact may be poor.
And for so long a piece may be held over pieces that are touched meanwhile."""
HALF_WAY_US = 3_000_000
"""Between touching the two pieces of castling or en passant, hands may rest so long."""
LEAST_TOUCH_US = 200_000
"""A shorter touch is unintended."""


class Touches:
    """What stands, and what was lifted and put back; squares are squares of the game."""

    def __init__(self, standing: Bitboard, expected: Bitboard, t_us: int) -> None:
        self.standing = standing
        self.expected = expected
        """Squares that should be occupied, as far as answers have told."""
        self.dead: Bitboard = 0
        """Switches that read otherwise than they should, and have not moved since the exercise
        began: nothing is concluded from them, and nothing asked that only they could tell."""
        self.seen = standing
        """What stands; a dead switch shows what should be there."""
        self.gone: Bitboard = 0
        """Squares that should be occupied and are not seen to be."""
        self.come: Bitboard = 0
        """Squares that are occupied and should not be."""
        self.changed_us = t_us
        """When a switch last changed."""
        self.opened: Bitboard = 0
        """Squares that have opened since a judge set this to 0."""
        self.short_us: int | None = None
        """When the last touch ended, if that was too short for an answer; None: it was not."""
        self.lifted_us: dict[Square, int] = {}
        """Since when pieces are away."""
        self._void: Bitboard = 0
        """Those of them whose lift is no answer, whatever becomes of it."""
        self._closed_us: dict[Square, int] = {}
        self._put_us: dict[Square, int] = {}
        """When a piece was put back that had been lifted for long enough to be an answer."""
        self._ripened: set[Square] = set()
        """Pieces whose answer ripened when they were lifted again."""
        self.ripening: Bitboard = 0
        """Pieces put back whose answer does not count yet."""
        self.expect(expected)

    def expect(self, occupied: Bitboard) -> None:
        """These squares should be occupied from now on."""
        self.expected = occupied
        self.seen = self.standing & ~self.dead | occupied & self.dead
        self.gone, self.come = occupied & ~self.seen, self.seen & ~occupied

    def ignore(self, dead: Bitboard) -> None:
        """These switches tell nothing, until they move."""
        self.dead |= dead
        self.expect(self.expected)

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has changed."""
        bit = 1 << square
        self.changed_us, self.short_us = t_us, None
        self.dead &= ~bit
        self.standing = self.standing & ~bit | closed << square
        self.expect(self.expected)
        if closed:
            self._close(t_us, square)
            return
        self.opened |= bit
        self._void &= ~bit
        self.lifted_us[square] = t_us
        if self._put_us.pop(square, None) is not None:
            self._ripened.add(square)
            self.ripening &= ~bit

    def _close(self, t_us: int, square: Square) -> None:
        self._closed_us[square] = t_us
        held_us = t_us - self.lifted_us.pop(square, t_us)
        was_ripening = square in self._ripened
        self._ripened.discard(square)
        if LEAST_TOUCH_US <= held_us < HELD_US:
            self.short_us = t_us
        is_answer = held_us >= HELD_US or (was_ripening and held_us < STRAIGHT_US)
        if is_answer and not self._void >> square & 1:
            self._put_us[square] = t_us
            self.ripening |= 1 << square

    def touched_since(self, square: Square) -> Bitboard:
        """Squares that have closed since the piece of a square was lifted; it is still away."""
        since_us = self.lifted_us.get(square)
        if since_us is None or self._void >> square & 1:
            return 0
        closed = (other for other, t_us in self._closed_us.items() if t_us > since_us)
        return bitboard_of(closed) & self.standing

    def ripe(self, t_us: int) -> list[Square]:
        """Pieces whose answers count by now, the first put back first; each is told once."""
        ripe = [square for square, put_us in self._put_us.items() if t_us - put_us >= RIPE_US]
        for square in ripe:
            del self._put_us[square]
            self.ripening &= ~(1 << square)
        return ripe

    def forget(self) -> None:
        """What has been touched until now is no answer."""
        self._put_us.clear()
        self._ripened.clear()
        self.ripening = 0
        self._void = bitboard_of(self.lifted_us)

    def forget_lifts(self, squares: Bitboard) -> None:
        """The pieces of these squares were not held: they stood elsewhere meanwhile."""
        self._void |= squares & bitboard_of(self.lifted_us)

    @property
    def ripe_us(self) -> int | None:
        """When the next answer counts."""
        return min((put_us + RIPE_US for put_us in self._put_us.values()), default=None)
