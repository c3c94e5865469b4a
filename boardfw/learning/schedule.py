"""When to ask again what was answered once: spaced repetition, by ``fsrs``.

A card is one thing that is learnt: an exercise with all its variants, a position of an opening;
and what fsrs makes of the answers to it.
Cards follow from the log and are never kept: the same log makes the same cards. Instants are in
milliseconds, as a ``Reckoning`` counts them.

Nothing of fsrs is used that reads the clock or a random number: a card without a number or a due
date does, and so does fuzz.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache
from statistics import median
from typing import TYPE_CHECKING

from boardfw.learning.answer_log import Answered, Reckoning, Result

if TYPE_CHECKING:
    import fsrs

LONGEST_DAYS = 365
"""No card waits longer, however well it is known."""
EASY_PART = 3
"""An answer is easy that took less than this part of the usual time."""
FEWEST_TIMES = 3
"""So many first answers must be known before one of them is usual."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)


class Grade(Enum):
    """Grades of answers; the values are those of fsrs."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


def grade(errors: int, helps: int, first_answer_ms: int | None, median_ms: float | None) -> Grade:
    """The grade of an answer by the errors and helps until it was solved.

    ``median_ms``: the usual time until a first answer; None: not known yet.
    """
    trouble = errors + helps
    if trouble:
        return Grade.HARD if trouble == 1 else Grade.AGAIN
    if first_answer_ms is None or median_ms is None:
        return Grade.GOOD
    return Grade.EASY if first_answer_ms * EASY_PART < median_ms else Grade.GOOD


class Schedule:
    """The cards of one learner, brought forward row by row."""

    def __init__(self) -> None:
        self.cards: dict[str, fsrs.Card] = {}
        """By the keys of all that was ever answered."""
        self._reckoning: Reckoning | None = None
        self._first_answers_ms: defaultdict[str, list[int]] = defaultdict(list)

    def take(self, answered: Answered) -> None:
        """Another row of the log."""
        self._reckoning = self._reckoned(answered.asked_at_ms)
        key = answered.exercise
        known, now_ms = self._grade(answered), self._reckoning.now_ms
        self.cards[key] = reviewed(self.cards.get(key), known, now_ms)
        if answered.first_answer_ms is not None:
            self._first_answers_ms[key].append(answered.first_answer_ms)

    def now_ms(self, clock_ms: int) -> int:
        """What the clock shows, as it counts."""
        return self._reckoned(clock_ms).now_ms

    def _reckoned(self, clock_ms: int) -> Reckoning:
        if self._reckoning is None:
            return Reckoning.start(clock_ms)
        return self._reckoning.then(clock_ms)

    def _grade(self, answered: Answered) -> Grade:
        if answered.result is not Result.SOLVED:
            return Grade.AGAIN
        times_ms = self._first_answers_ms[answered.exercise]
        usual_ms = median(times_ms) if len(times_ms) >= FEWEST_TIMES else None
        return grade(answered.errors, answered.helps, answered.first_answer_ms, usual_ms)


def due_ms(card: fsrs.Card) -> int:
    """When to ask it again."""
    return (card.due - _EPOCH) // _MS


def due(cards: Mapping[str, fsrs.Card], now_ms: int) -> list[str]:
    """The keys of the cards to be asked again, the one that waits longest first.

    ``now_ms``: as it counts, see ``Schedule.now_ms``.
    """
    times_ms = {key: due_ms(card) for key, card in cards.items()}
    return sorted((k for k in times_ms if times_ms[k] <= now_ms), key=lambda k: (times_ms[k], k))


def prepare() -> None:
    """Load fsrs now: else the first answer waits for it, and the lights with it."""
    _scheduler()


def reviewed(card: fsrs.Card | None, known: Grade, at_ms: int) -> fsrs.Card:
    """The card after it was answered then; None: it is the first time."""
    import fsrs  # late: it takes 29 ms, and games do not need it

    at = _EPOCH + at_ms * _MS
    before = card or fsrs.Card(card_id=0, due=at)
    return _scheduler().review_card(before, fsrs.Rating(known.value), at)[0]


@cache
def _scheduler() -> fsrs.Scheduler:
    import fsrs

    return fsrs.Scheduler(maximum_interval=LONGEST_DAYS, enable_fuzzing=False)
