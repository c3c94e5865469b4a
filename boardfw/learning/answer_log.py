"""The log of a learner: what was asked and how it went. What is known of them comes from it.

Rows are only added. What time it was is what the machine's clock showed, right or wrong; how it
counts is reckoned when the log is read.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

LATEST_MS = 220_000_000_000_000
"""Milliseconds since the epoch, in the year 8941: a later reading of a clock counts as this."""


class Result(Enum):
    """How an exercise ended."""

    SOLVED = "solved"
    """The learner found it, whatever errors and help it took."""
    SHOWN = "shown"
    """The answer was shown, and the learner repeated it."""
    SKIPPED = "skipped"


class Answered(NamedTuple):
    """One row: an exercise, or a card of a trainer, as it was answered.

    ``exercise``: its key. ``first_answer_ms``: from the question to the first answer, right or
    wrong; None if there was none. ``unsure``: the clock was not confirmed, or was set back.
    """

    exercise: str
    variant: str
    asked_at_ms: int
    first_answer_ms: int | None
    errors: int
    helps: int
    result: Result
    unsure: bool = False

    @property
    def is_clean(self) -> bool:
        """Solved without an error and without help."""
        return self.result is Result.SOLVED and not self.errors and not self.helps


class Reckoning(NamedTuple):
    """Time as it counts for learning: that of the clock, but it never goes back.

    A Raspberry Pi may wake years ago, and be set right later; or be set years ahead, and back. An
    instant before the last one counts as the last one; from there time goes on as the clock does,
    and what was counted once is not counted again when the clock catches up. So no learner waits
    for a clock that was set back to catch up, and no card falls due in a year that never comes.
    """

    clock_ms: int
    """What the clock showed last, of the epoch."""
    highest_ms: int
    """And at the most."""
    now_ms: int
    """As it counts."""

    @classmethod
    def start(cls, clock_ms: int) -> Reckoning:
        """The first instant counts as it is."""
        return cls(clock_ms, clock_ms, min(max(0, clock_ms), LATEST_MS))

    def then(self, clock_ms: int) -> Reckoning:
        """The clock shows this now."""
        behind = clock_ms < self.highest_ms
        passed_ms = clock_ms - (self.clock_ms if behind else self.highest_ms)
        now_ms = min(self.now_ms + max(0, passed_ms), LATEST_MS)
        return Reckoning(clock_ms, max(self.highest_ms, clock_ms), now_ms)
