"""A learner at the board: asks for what comes next, and keeps what was answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

from boardfw.game.events import Action, Event
from boardfw.game.session import Session as GameSession
from boardfw.learning.answer_log import Answered
from boardfw.learning.answer_log import Result as Became
from boardfw.learning.course import Course, Exercise, Lesson
from boardfw.learning.lesson import Result
from boardfw.learning.progress import Outline, Progress, Session
from boardfw.learning.schedule import prepare
from boardfw.learning.source import GIVEN_UP, MOST_AGAIN, UNKEPT, InOrder
from boardfw.phrase import Phrase
from boardfw.shell.dates import Calendar
from boardfw.shell.learning.answer_store import Answers, AnswerWriter


class Log:
    """The answers of one profile: each result is a row, written by a thread of its own.

    To a ``Runtime`` it is what books are in a game; plies of lessons are not written down.
    """

    def __init__(self, answers: Answers, profile: str, calendar: Calendar, course: Course) -> None:
        self.profile = answers.profile(profile)
        outlines = {lesson.id: outline_of(lesson) for lesson in course.lessons}
        self.progress = Progress(outlines, answers.rows(self.profile))
        prepare()
        self._calendar = calendar
        self._keeper = AnswerWriter(answers, self.profile)

    def now_ms(self) -> int:
        """What the clock shows."""
        return self._calendar.shown_ms()[0]

    def keep(self, result: Result) -> None:
        """Write down what has become of an exercise; returns at once.

        One that was left out says nothing of what the learner knows.
        """
        if result.exercise.key == UNKEPT or not result.was_asked:
            return
        shown_ms, is_sure = self._calendar.shown_ms()
        asked_ms = shown_ms - (result.over_us - result.asked_us) // 1000
        answered = answered_of(result, asked_ms, is_sure=is_sure)
        self.progress.take(answered)
        self._keeper.put(answered)

    @property
    def is_kept(self) -> bool:
        """Whether all answers are on the disk."""
        return self._keeper.is_kept

    @property
    def trouble(self) -> str:
        """Why answers wait in memory, and how to mend it; empty: none does."""
        return self._keeper.trouble

    @property
    def damage(self) -> str:
        """Always empty: damaged answers are reported when they are read, before the lesson."""
        return ""

    def start(self, kept: Callable[[], None]) -> None:
        """Call ``kept``, in another thread, whenever more is on the disk or may not get there."""
        self._keeper.watch(kept)

    def hear(self, event: Event, session: GameSession) -> None:
        """Of what happens on the board nothing is written down."""

    def take(self, session: GameSession, said: list[Action]) -> None:
        """Nor of what is played."""

    def close(self) -> None:
        """Write down what is left, and let go of the file. May be called twice."""
        self._keeper.stop()


def outline_of(lesson: Lesson) -> Outline:
    """What progress needs of a lesson."""
    return Outline(tuple(exercise.key for exercise in lesson.exercises), lesson.after)


def answered_of(result: Result, asked_ms: int, *, is_sure: bool) -> Answered:
    """A row of the log."""
    first_ms = None
    if result.first_answer_us is not None:
        first_ms = (result.first_answer_us - result.asked_us) // 1000
    became = Became.SOLVED if result.is_solved else Became.SKIPPED
    if result.is_solved and max(result.errors, result.helps) >= GIVEN_UP:
        became = Became.SHOWN
    exercise = result.exercise
    return Answered(
        exercise.key,
        exercise.variant,
        asked_ms,
        first_ms,
        result.errors,
        result.helps,
        became,
        not is_sure,
    )


class Guided:
    """What is due first, then the course from where the learner is, until they stop."""

    def __init__(self, course: Course, log: Log) -> None:
        self._course = course
        self._log = log
        self._began_ms = log.now_ms()
        self._repeated = 0
        self._given_up = Counter[str]()
        """How often the answer had to be shown of each; one that was skipped is left at once."""

    def next(self, last: Result | None, /) -> Exercise | None:
        """The exercise that progress asks for, varied each time it comes again."""
        if last is not None and max(last.errors, last.helps) >= GIVEN_UP:
            self._given_up[last.exercise.key] += 1
        if last is not None and not last.is_solved:
            self._given_up[last.exercise.key] += MOST_AGAIN + 1
        session = Session(
            self._repeated, max(0, self._log.now_ms() - self._began_ms), frozenset(self._left)
        )
        wanted = self._log.progress.next(self._log.now_ms(), session)
        if wanted is None:
            return None
        self._repeated += wanted.is_repetition
        lesson = self._course.lesson(wanted.lesson)
        forms = lesson.of(wanted.exercise) if lesson else ()
        return forms[self._log.progress.asked[wanted.exercise] % len(forms)] if forms else None

    @property
    def _left(self) -> set[str]:
        return {key for key, times in self._given_up.items() if times > MOST_AGAIN}

    def closing(self) -> str:
        """Where the learner stands."""
        passed = len(self._log.progress.passed())
        left = len(self._left - self._log.progress.solved)
        waits = Phrase("left for another time: {0}", str(left)) if left else "nothing more is due"
        count = str(len(self._course.lessons))
        text = "{passed} of {all} lessons passed; {waits}."
        return Phrase(text, passed=str(passed), all=count, waits=waits)


def one_lesson(lesson: Lesson, solved: Collection[str]) -> InOrder:
    """A lesson from its first exercise that is not solved; from the beginning if all are."""
    waiting = [one for one in lesson.exercises if one.key not in solved]
    variants = [form for forms in lesson.variants.values() for form in forms]
    return InOrder(waiting or lesson.exercises, variants)
