"""How long things take that are answers; all in microseconds."""

from __future__ import annotations

WRONG_US = 500_000
"""A man rests for so long on a wrong square, or after a wrong move, and it is an answer."""
RIGHT_US = 200_000
"""A right move has rested for so long: a man who slides on has not arrived."""
HELD_US = 700_000
"""Who is lifted for so long and put back is an answer; a shorter touch is adjusting."""
RIPE_US = 1_500_000
"""Such an answer may be taken back for so long, by lifting the man again."""
MISPLACED_US = 2_000_000
"""A man rests for so long where nobody moves, and he is led home: until then hands may be putting
men straight."""
TOUCHED_US = 250_000
"""A man rests so long on a wrong square, and it was a try; a slide is shorter, mostly."""
TRIES = 4
"""So many tries one after the other, none of them right, are an error: no board is swept."""
STRAIGHT_US = 450_000
"""Who is touched again for less, while his answer ripens, is put straight, or his contact is poor:
it ripens anew. Who is lifted for longer takes the answer back."""
HELP_US = 2_000_000
"""The own king is held for so long to ask for help."""


def first_after(t_us: int, *times_us: int | None) -> int | None:
    """The first of these instants that is still to come; None: none is."""
    return min(
        (due_us for due_us in times_us if due_us is not None and due_us > t_us), default=None
    )
