"""Which cues may be seen at the same time; such cues must differ even for colour-blind eyes.

In play the table of layers decides; in lessons, which paint other scenes, the sets of ``LESSONS``
do. Tests hold the painters to both.
"""

from __future__ import annotations

from itertools import product

from boardfw.lights.cue import MEANINGS, Cue, Place
from boardfw.lights.scene import LAYERS
from docs.draw_lights import LESSONS, REASONS

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
        # A reason shows its pieces and squares, or the side to move, or where one piece may go
        # instead; both lights of the repair belong to that piece.
        *product((Cue.WHO_MOVES, Cue.QUIET, Cue.CAPTURE), (*REASONS, Cue.EXTRA, Cue.MISSING)),
        *product((Cue.WHO_MOVES,), (Cue.QUIET, Cue.CAPTURE)),
    )
)
"""Pairs that the layers would allow, but that are never painted together."""

PLACES = frozenset((Place.PIECE, Place.EMPTY))


def may_meet(one: Cue, other: Cue) -> bool:
    """Whether two cues may be seen at the same time."""
    pair = frozenset((one, other))
    return _meet_in_play(one, other) or any(pair <= scene for scene in LESSONS.values())


def are_apart_by_place(one: Cue, other: Cue) -> bool:
    """Whether one of them is seen only under pieces, and the other only on empty squares."""
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
