"""One exercise: a position, a task, and the words for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from boardfw.learning.task import NAMES, Task
from boardfw.rules import Color, Move, Position
from boardfw.rules.reasons import Why
from boardfw.squares import Square


@dataclass(frozen=True, slots=True)
class Words:
    """What is said of an exercise, in sentences without placeholders."""

    say: str = ""
    """Who you are, what to do, how many answers there are."""
    hint1: str = ""
    hint2: str = ""
    solved: str = ""
    """What was learnt."""


class Remark(NamedTuple):
    """What is said of a legal move that is not right. ``is_error``: it counts as one."""

    text: str
    is_error: bool


@dataclass(frozen=True, slots=True)
class Exercise:
    """``key``: lesson and exercise, as ``castle_not.through_check``; answers are kept under it.

    ``variant``: how it was made from what the lesson says: empty, mirror, colours or both.
    """

    key: str
    position: Position
    task: Task
    words: Words = field(default_factory=Words)
    variant: str = ""
    why: Why | None = None
    """The reason that the error to be expected has."""
    you: Color = 0
    """Who is asked."""
    jumped: Square | None = None
    """The square that a pawn's double step has just jumped, also where nobody may take there."""
    lights: bool = True
    """Whether lights may ask; False: words alone, until the first error."""
    remarks: Mapping[Move, Remark] = field(default_factory=dict, hash=False)
    """What is known of single moves that are not right."""

    @property
    def type(self) -> str:
        """The type of the task, as lessons write it."""
        return NAMES[type(self.task)]
