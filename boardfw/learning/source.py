"""Where exercises come from: a lesson, due repetitions, a trainer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Protocol

from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Result

AGAIN_AFTER = 3
"""An exercise whose answer had to be shown comes again, varied, after so many others."""
MOST_AGAIN = 2
"""So often at most within one lesson; then it is left to another day."""
GIVEN_UP = 3
"""From so many errors on the answer is shown."""
UNKEPT = ""
"""The key of an exercise that is only shown: there is no answer to be kept."""


class Source(Protocol):
    """Asked for the next exercise when one is over."""

    def next(self, last: Result | None, /) -> Exercise | None:
        """The exercise after the one with the result ``last``; None: there is no other."""

    def closing(self) -> str:
        """What is said when there is no other; empty: nothing of its own."""


class Counted:
    """Exercises one after the other; at the end it is said how many of how many went well."""

    def __init__(
        self, exercises: Iterable[Exercise], closing: str, went_well: Callable[[Result], bool]
    ) -> None:
        """``closing``: a sentence with two places ``{}`` for these numbers."""
        self._waiting = iter(exercises)
        self._closing, self._went_well = closing, went_well
        self._well = self._asked = 0

    def next(self, last: Result | None, /) -> Exercise | None:
        """The next one."""
        if last is not None:
            self._asked += 1
            self._well += self._went_well(last)
        return next(self._waiting, None)

    def closing(self) -> str:
        """The result of the session."""
        return self._closing.format(self._well, self._asked)


class InOrder:
    """Exercises one after the other; one that was given up comes again as its variant."""

    def __init__(self, exercises: Iterable[Exercise], variants: Iterable[Exercise] = ()) -> None:
        """``variants``: of the same exercises, in the order in which they are to be tried."""
        self._waiting = list(exercises)
        self._variants = list(variants)
        self._again = Counter[str]()

    def next(self, last: Result | None, /) -> Exercise | None:
        """The next one."""
        if last is not None and last.errors >= GIVEN_UP:
            self._again[last.exercise.key] += 1
            if self._again[last.exercise.key] <= MOST_AGAIN:
                self._waiting.insert(AGAIN_AFTER, self._varied(last.exercise))
        return self._waiting.pop(0) if self._waiting else None

    def closing(self) -> str:
        """Empty: nothing of its own is said."""
        return ""

    def _varied(self, exercise: Exercise) -> Exercise:
        others = (one for one in self._variants if one.key == exercise.key and one != exercise)
        varied = next(others, None)
        if varied is None:
            return exercise
        self._variants.remove(varied)
        return varied
