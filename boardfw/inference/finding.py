"""What credit is made of: a finding for each thing that speaks for or against a line."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from boardfw.inference import weights
from boardfw.squares import Square


class Reason(Enum):
    """Why a line is believed more, or less."""

    __hash__ = object.__hash__
    """Reasons are looked up at every finding, and an Enum's own hash is that of its name."""

    LEFT = auto()
    ARRIVED = auto()
    EMPTIED = auto()
    REMOVED = auto()
    RESTORED = auto()
    CAME_LATE = auto()
    BLINKED_LATE = auto()
    ANSWERED = auto()
    PLY = auto()
    TAKE_BACK = auto()
    TO_OPEN = auto()
    TO_CLOSE = auto()
    OVERDUE = auto()
    UNTOUCHED = auto()
    BLINKED = auto()
    UNWATCHED = auto()
    EARLY = auto()
    LOOSENED = auto()
    HASTY = auto()
    OUT_OF_ORDER = auto()
    FLEETING = auto()
    SNATCHED = auto()
    PASSED = auto()
    PAUSED = auto()
    BRIDGED = auto()
    LINGERED = auto()
    UNSEEN = auto()
    DEAD = auto()
    WORKED = auto()
    IGNORED = auto()
    REVIVED = auto()
    OTHER_MAN = auto()
    UNCHOSEN = auto()
    EXCUSED = auto()
    STOOD = auto()
    AWAY = auto()
    VANISHED = auto()
    FLED = auto()
    STAYED = auto()
    STILL = auto()
    KEPT = auto()
    IDLE = auto()
    RETURNED = auto()
    ADJUSTED = auto()
    USED = auto()
    TAKEN = auto()
    AWAITED = auto()
    CROSSED = auto()
    RETAKEN = auto()


WORTH: dict[Reason, float] = {
    Reason.LEFT: weights.EDGE,
    Reason.ARRIVED: weights.EDGE,
    Reason.EMPTIED: weights.EDGE,
    Reason.REMOVED: weights.EDGE,
    Reason.RESTORED: weights.EDGE,
    Reason.CAME_LATE: weights.DEBT + weights.EDGE,
    Reason.BLINKED_LATE: weights.UNTOUCHED - weights.BLINKED,
    Reason.ANSWERED: weights.TOUCHED,
    Reason.PLY: -weights.PLY,
    Reason.TAKE_BACK: -weights.TAKE_BACK,
    Reason.TO_OPEN: -weights.DEBT,
    Reason.TO_CLOSE: -weights.DEBT,
    Reason.OVERDUE: -weights.OVERDUE,
    Reason.UNTOUCHED: -weights.UNTOUCHED,
    Reason.BLINKED: -weights.BLINKED,
    Reason.UNWATCHED: -weights.UNWATCHED,
    Reason.EARLY: -weights.EARLY,
    Reason.LOOSENED: -weights.LOOSENED,
    Reason.HASTY: -weights.HASTY,
    Reason.OUT_OF_ORDER: -weights.OUT_OF_ORDER,
    Reason.FLEETING: -weights.FLEETING,
    Reason.SNATCHED: -weights.SNATCHED,
    Reason.PASSED: weights.PASSED,
    Reason.PAUSED: -weights.PAUSED,
    Reason.BRIDGED: -weights.BRIDGED,
    Reason.LINGERED: -weights.LINGERED,
    Reason.UNSEEN: -weights.UNSEEN,
    Reason.DEAD: -weights.DEAD,
    Reason.WORKED: -weights.WORKED,
    Reason.IGNORED: -weights.IGNORED,
    Reason.REVIVED: -weights.REVIVED,
    Reason.OTHER_MAN: -weights.OTHER_MAN,
    Reason.UNCHOSEN: -weights.UNCHOSEN,
    Reason.EXCUSED: -weights.EXCUSED,
    Reason.STOOD: -weights.STOOD,
    Reason.AWAY: -weights.AWAY,
    Reason.VANISHED: -weights.VANISHED,
    Reason.FLED: -weights.FLED,
    Reason.STAYED: weights.FLED,
    Reason.STILL: -weights.STILL,
    Reason.KEPT: -weights.KEPT,
    Reason.IDLE: -weights.IDLE,
    Reason.RETURNED: weights.RETURNED,
    Reason.ADJUSTED: weights.ADJUSTED,
    Reason.USED: -weights.ADJUSTED,
    Reason.TAKEN: weights.AWAY,
    Reason.AWAITED: weights.STILL,
    Reason.CROSSED: weights.STOOD,
    Reason.RETAKEN: weights.FLED,
}
"""What each reason adds to a line's credit, in settled edges."""


class Finding(NamedTuple):
    """One reason, and where and when it was found; ``switch`` None: it is about the whole ply."""

    reason: Reason
    switch: Square | None = None
    t_us: int = 0

    @property
    def points(self) -> float:
        """What it adds to the credit."""
        return WORTH[self.reason]
