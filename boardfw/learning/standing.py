"""What may have become of an exercise that is played out, and why."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from boardfw.rules import BISHOP, KNIGHT, PAWN, QUEEN, ROOK


class Fate(Enum):
    """Whether the goal is reached."""

    GOING = "going"
    REACHED = "reached"
    SPOILED = "spoiled"


class Cause(Enum):
    """What decided it. A draw spoils one goal and reaches another."""

    MATE = "mate"
    """The other side is mated."""
    PROMOTED = "promoted"
    """A pawn of yours has become another man, who was not taken at once."""
    PAWNS_TAKEN = "pawns_taken"
    """The other side has no pawn left to race with."""
    HELD = "held"
    """So many plies, and not lost."""
    MATED = "mated"
    """You are."""
    STALEMATE = "stalemate"
    DEAD = "dead"
    """Nobody can mate any more, or you cannot."""
    REPETITION = "repetition"
    """Five times the same position."""
    NO_PROGRESS = "no_progress"
    """Seventy-five moves without capture or pawn move."""
    LOST_PAWN = "lost_pawn"
    LOST_KNIGHT = "lost_knight"
    LOST_BISHOP = "lost_bishop"
    LOST_ROOK = "lost_rook"
    LOST_QUEEN = "lost_queen"
    """The man whose loss leaves you without what the goal needs."""
    TAKEN_AT_ONCE = "taken_at_once"
    """Your last pawn was promoted, and what it became was taken."""
    PROMOTED_FIRST = "promoted_first"
    """The other side promoted."""
    LOST = "lost"
    """The plies are over, but the other side mates by force."""
    TOO_LONG = "too_long"


LOSSES = {
    PAWN: Cause.LOST_PAWN,
    KNIGHT: Cause.LOST_KNIGHT,
    BISHOP: Cause.LOST_BISHOP,
    ROOK: Cause.LOST_ROOK,
    QUEEN: Cause.LOST_QUEEN,
}
DRAWS = {
    "stalemate": Cause.STALEMATE,
    "insufficient_material": Cause.DEAD,
    "dead_position": Cause.DEAD,
    "fivefold_repetition": Cause.REPETITION,
    "seventyfive_moves": Cause.NO_PROGRESS,
}
"""By termination."""


class Standing(NamedTuple):
    """What has become of a task that is played.

    ``cause``: None while it goes on. ``back``: after how many of the plies the goal was last within
    reach; fewer than were played while it still goes on mean that it has slipped away.
    """

    fate: Fate
    cause: Cause | None
    back: int
