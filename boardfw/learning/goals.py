"""What has become of a ``Play`` task; for now only mate is seen."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from boardfw.learning.task import Goal, Play
from boardfw.rules import Move, Position


class Progress(Enum):
    """What has become of it."""

    GOING = 1
    REACHED = 2
    SPOILED = 3


class Standing(NamedTuple):
    """Progress, a word for it, and how many plies still count."""

    progress: Progress
    word: str = ""
    back: int = 0


def progress(task: Play, start: Position, moves: Sequence[Move]) -> Standing:
    """What has become of it."""
    p = start
    for m in moves:
        p = p.play(m)
    if task.goal is Goal.MATE and p.is_check() and not p.legal_moves():
        return Standing(Progress.REACHED)
    return Standing(Progress.GOING)
