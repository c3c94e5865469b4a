"""Which cues may be seen at the same time: what may is told apart, also by who sees no hues.

In play the table of layers says it; in lessons and trainers, which paint other scenes, the sets of
``LESSONS`` do. Their painters keep to them; tests hold both to it.
"""

from __future__ import annotations

from itertools import product

from boardfw.lights.cue import MEANINGS, STARS, WAYS, Cue, Place
from boardfw.lights.scene import LAYERS

REASONS = frozenset((Cue.REASON_PIECE, Cue.REASON_SQUARE, *WAYS))

LESSONS: dict[str, frozenset[Cue]] = {
    "asking for men": REASONS | {Cue.THIS_ONE, Cue.FOUND, Cue.RIPENING, Cue.WRONG},
    "collecting stars": REASONS | {*STARS, Cue.FOUND, Cue.WRONG},
    "leading a hand": REASONS | {Cue.THIS_ONE, Cue.PUT_HERE, Cue.WRONG},
    "looking for some": frozenset({Cue.AREA, Cue.COUNTER, Cue.THIS_ONE, Cue.FOUND}),
    "asking about a square": frozenset({Cue.QUESTION, Cue.FOUND, Cue.WRONG}),
    "asking for a move": frozenset({Cue.RIPENING, Cue.WHO_MOVES, Cue.COUNTER}),
    "all is right": frozenset({Cue.DONE}),
}
"""What the scenes of lessons are made of, besides those of play."""

NEVER = frozenset(
    frozenset(pair)
    for pair in (
        (Cue.LAST_MOVE, Cue.LAST_MOVE_PROVISIONAL),
        (Cue.CASTLING, Cue.EN_PASSANT),
        (Cue.WHITES_LETTER, Cue.BLACKS_LETTER),
        (Cue.WINNERS_KING, Cue.DRAWN_KING),
        (Cue.WINNERS_KING, Cue.DRAWN),
        (Cue.LOSERS_KING, Cue.DRAWN_KING),
        (Cue.LOSERS_KING, Cue.DRAWN),
        (Cue.WINNERS_HALF, Cue.DRAWN_KING),
        (Cue.WINNERS_HALF, Cue.DRAWN),
        # A reason shows its men and squares, or who moves, or where a man may go instead; the
        # latter only of one man, to whom both lights of the repair belong.
        *product((Cue.WHO_MOVES, Cue.QUIET, Cue.CAPTURE), (*REASONS, Cue.EXTRA, Cue.MISSING)),
        *product((Cue.WHO_MOVES,), (Cue.QUIET, Cue.CAPTURE)),
    )
)
"""What the layers leave open, and the board never paints."""

PLACES = frozenset((Place.PIECE, Place.EMPTY))


def may_meet(one: Cue, other: Cue) -> bool:
    """Whether two cues may be seen at the same time."""
    pair = frozenset((one, other))
    return _meet_in_play(one, other) or any(pair <= scene for scene in LESSONS.values())


def are_apart_by_place(one: Cue, other: Cue) -> bool:
    """Whether one of them is seen only under men, and the other only where nobody stands."""
    return {MEANINGS[one].place, MEANINGS[other].place} == PLACES


def _meet_in_play(one: Cue, other: Cue) -> bool:
    if frozenset((one, other)) in NEVER:
        return False
    pairs = product(_layers(one), _layers(other))
    return any(_are_seen_together(min(pair), max(pair)) for pair in pairs)


def _are_seen_together(first: int, second: int) -> bool:
    return first == second or LAYERS[second].name in LAYERS[first].beside


def _layers(cue: Cue) -> list[int]:
    return [number for number, layer in enumerate(LAYERS) if cue in layer.cues]
