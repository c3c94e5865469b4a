"""How long things take that are answers; all in microseconds."""

from __future__ import annotations

from boardfw.ports import earliest

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
HELP_US = 2_000_000
"""The own king is held for so long to ask for help."""


def first_after(t_us: int, *times_us: int | None) -> int | None:
    """The first of these instants that is still to come; None: all are over."""
    return earliest(*times_us, after_us=t_us)
