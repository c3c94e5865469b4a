"""Which cues may be seen at the same time; such cues must differ even for colour-blind eyes.

In play the table of layers decides, each with the cues of ``PLAY``; in lessons, which paint other
scenes, the sets of ``LESSONS`` do. Tests hold the painters to both.
"""

from __future__ import annotations

from itertools import product

from boardfw.lights.cue import WAYS, Cue
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

UNDER_PIECES = frozenset({Cue.REASON_PIECE, Cue.HANGS, Cue.WHO_MOVES, Cue.ATTACKER, Cue.GUARD})
ON_EMPTY_SQUARES = frozenset({Cue.QUIET, Cue.REPAIR_TO, Cue.MISSING})
"""Cues that are seen there only: it tells apart cues that look alike in one colour."""

PLAY: dict[str, frozenset[Cue]] = {
    "good-bye": frozenset({Cue.GOOD_BYE}),
    "blind": frozenset({Cue.BLIND}),
    "letter": frozenset({Cue.LETTER}),
    "faulty": frozenset({Cue.FAULTY}),
    "setting up": frozenset({Cue.SURPLUS, Cue.WANTED, Cue.WHITES_LETTER, Cue.BLACKS_LETTER}),
    "level": frozenset({Cue.LEVEL, Cue.PUT_HERE}),
    "places": frozenset({Cue.PUT_HERE, Cue.QUIET}),
    "mismatch": frozenset({Cue.REPAIR_FROM, Cue.REPAIR_TO, Cue.EXTRA, Cue.MISSING}),
    "reason": frozenset(
        {Cue.REASON_PIECE, *WAYS, Cue.REASON_SQUARE, Cue.WHO_MOVES, Cue.QUIET, Cue.CAPTURE}
    ),
    "question": frozenset({Cue.CANDIDATE}),
    "owed": frozenset({Cue.REPAIR_FROM, Cue.THIS_ONE, Cue.PUT_HERE}),
    "picked": frozenset({Cue.DONE}),
    "doubt": frozenset({Cue.REALLY}),
    "hint": frozenset({Cue.THIS_ONE, Cue.PUT_HERE}),
    "coach": frozenset({Cue.ORIGIN, Cue.GOOD, Cue.DOUBTFUL, Cue.LOSING}),
    "hanging": frozenset({Cue.HANGS}),
    "hand": frozenset(
        {Cue.ORIGIN, Cue.CASTLING, Cue.EN_PASSANT, Cue.DANGER, Cue.CAPTURE, Cue.QUIET}
    ),
    "contact": frozenset({Cue.ATTACKER, Cue.GUARD}),
    "end": frozenset(
        {Cue.WINNERS_KING, Cue.LOSERS_KING, Cue.WINNERS_HALF, Cue.DRAWN_KING, Cue.DRAWN}
    ),
    "check": frozenset({Cue.CHECK}),
    "checker": frozenset({Cue.CHECKER}),
    "last move": frozenset({Cue.LAST_MOVE, Cue.LAST_MOVE_PROVISIONAL}),
    "stuck": frozenset({Cue.STUCK}),
}
"""The cues of each layer of play, by its name."""


def may_meet(one: Cue, other: Cue) -> bool:
    """Whether two cues may be seen at the same time."""
    pair = frozenset((one, other))
    return _meet_in_play(one, other) or any(pair <= scene for scene in LESSONS.values())


def are_apart_by_place(one: Cue, other: Cue) -> bool:
    """Whether one of them is seen only under pieces, and the other only on empty squares."""
    pairs = ((one, other), (other, one))
    return any(a in UNDER_PIECES and b in ON_EMPTY_SQUARES for a, b in pairs)


def _meet_in_play(one: Cue, other: Cue) -> bool:
    if frozenset((one, other)) in NEVER:
        return False
    pairs = product(_layers(one), _layers(other))
    return any(_are_seen_together(min(pair), max(pair)) for pair in pairs)


def _are_seen_together(first: int, second: int) -> bool:
    return first == second or LAYERS[second].name in LAYERS[first].beside


def _layers(cue: Cue) -> list[int]:
    return [number for number, layer in enumerate(LAYERS) if cue in PLAY[layer.name]]
