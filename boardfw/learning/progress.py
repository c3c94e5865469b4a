"""How far a learner is: which lessons are passed, what is due again, and what comes next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from boardfw.learning.answer_log import Answered, Result
from boardfw.learning.schedule import Schedule, due, due_ms

MOST_CARDS = 10
LONGEST_MS = 10 * 60_000
"""So much is repeated in a session, whichever is first; what is new goes on."""


class Outline(NamedTuple):
    """What progress needs of a lesson: the keys of its exercises, and the lessons before it.

    A lesson before it that is not in the course is no hindrance.
    """

    exercises: tuple[str, ...]
    after: tuple[str, ...] = ()


class Session(NamedTuple):
    """One learning session: cards repeated so far, and its length by a clock that is never set.

    ``left``: exercises left for another time; the next lesson does not wait for them.
    """

    repeated: int = 0
    lasted_ms: int = 0
    left: frozenset[str] = frozenset()

    @property
    def may_repeat(self) -> bool:
        """Whether there is time for another repetition."""
        return self.repeated < MOST_CARDS and self.lasted_ms < LONGEST_MS


class Next(NamedTuple):
    """What to ask; ``is_repetition``: it is due, and counts in the session."""

    lesson: str
    exercise: str
    is_repetition: bool


class Progress:
    """A view of one learner's log, brought forward row by row.

    ``lessons``: by their ids, in the order in which they are offered. Rows of exercises that no
    lesson has any more are kept in ``schedule``, and ask for nothing here.
    """

    def __init__(self, lessons: Mapping[str, Outline], log: Iterable[Answered] = ()) -> None:
        self.lessons = dict(lessons)
        self.schedule = Schedule()
        self.solved: set[str] = set()
        """Keys of exercises that were solved once."""
        self.clean: set[str] = set()
        """And once without an error and without help."""
        self.asked = Counter[str]()
        """How often each was asked; so its next variant may be another one."""
        self._lesson_of = {key: name for name, one in lessons.items() for key in one.exercises}
        for answered in log:
            self.take(answered)

    def take(self, answered: Answered) -> None:
        """Another row of the log."""
        self.schedule.take(answered)
        self.asked[answered.exercise] += 1
        if answered.result is Result.SOLVED:
            self.solved.add(answered.exercise)
        if answered.is_clean:
            self.clean.add(answered.exercise)

    def passed(self) -> set[str]:
        """The lessons of which every exercise was solved."""
        return self._all_in(self.solved)

    def gold(self) -> set[str]:
        """The lessons of which every exercise was solved once without error and help."""
        return self._all_in(self.clean)

    def _all_in(self, done: Set[str]) -> set[str]:
        return {name for name, one in self.lessons.items() if done >= set(one.exercises)}

    def due(self, clock_ms: int) -> list[str]:
        """The exercises to be repeated when the clock shows this, the longest waiting first."""
        now_ms = self.schedule.now_ms(clock_ms)
        return [key for key in due(self.schedule.cards, now_ms) if key in self._lesson_of]

    def next(self, clock_ms: int, session: Session) -> Next | None:
        """What to ask now; None: all lessons are passed, and nothing is due."""
        if session.may_repeat:
            for key in self.due(clock_ms):
                if key not in session.left:
                    return Next(self._lesson_of[key], key, is_repetition=True)
        done = self.solved | session.left
        for name in self.open(session.left):
            return Next(name, self._to_solve(name, done), is_repetition=False)
        return None

    def open(self, left: frozenset[str] = frozenset()) -> Iterator[str]:
        """The lessons that may be begun: not passed yet, but all that come before them."""
        done = self.solved | left
        behind = self._all_in(done)
        for name, lesson in self.lessons.items():
            before = self.lessons.keys() & lesson.after
            if name not in behind and before <= behind:
                yield name

    def _to_solve(self, name: str, done: Set[str]) -> str:
        """The first that was never asked; else what went wrong comes again, others in between."""
        cards = self.schedule.cards
        unsolved = [key for key in self.lessons[name].exercises if key not in done]
        return min(unsolved, key=lambda key: due_ms(cards[key]) if key in cards else -1)
