"""Which cues may be seen at the same time, as the table of layers has it."""

from __future__ import annotations

from boardfw.lights.cue import Cue
from boardfw.lights.scene import LAYERS

NEVER_TOGETHER = frozenset(
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
    )
)


def may_meet(one: Cue, other: Cue) -> bool:
    """Whether two cues may be seen at the same time."""
    first, second = sorted((layer_number(one), layer_number(other)))
    if first != second:
        return LAYERS[second].name in LAYERS[first].beside
    return frozenset((one, other)) not in NEVER_TOGETHER


def layer_number(cue: Cue) -> int:
    return next(number for number, layer in enumerate(LAYERS) if cue in layer.cues)
