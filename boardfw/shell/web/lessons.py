"""Lessons that a page lets the board give: which there are, how far a learner is, what is asked.

Files are read in threads; a lesson begins, and is told of, in the loop of the board.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from functools import cached_property, partial
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeVar

from boardfw.errors import BoardError
from boardfw.game.events import Tick
from boardfw.game.phase import Playing
from boardfw.game.setup.planned_game import KnownSetup
from boardfw.languages import also_said
from boardfw.learning.course import Course, Exercise
from boardfw.learning.endings import prepare
from boardfw.learning.lesson import Kind, Phase, Result, Told, latest
from boardfw.learning.progress import Progress, Session
from boardfw.learning.source import Source
from boardfw.learning.tutor import Tutor
from boardfw.phrase import linked
from boardfw.ports import Clock
from boardfw.services.web.api import CourseInfo, CourseList, LessonInfo, LessonWish
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.state import Lesson
from boardfw.shell.dates import Calendar
from boardfw.shell.desk import Desk
from boardfw.shell.learning.answer_store import Answers
from boardfw.shell.learning.learner import Guided, Log, one_lesson, outline_of
from boardfw.shell.review_desk import ReviewDesk
from boardfw.shell.taught_desk import ENDS, TaughtDesk
from boardfw.shell.web.library import in_thread
from boardfw.shell.web.new_game import Controls

RECENT = 3
"""Sentences that a page shows beside the task."""
STEPS: dict[Phase, Literal["setup", "asked"]] = {Phase.SETUP: "setup", Phase.ASKED: "asked"}

T = TypeVar("T")


class There(Protocol):
    """Does something in another loop."""

    async def __call__(self, do: Callable[[], T], /) -> T:
        """Do it there; its answer, or what it raises."""


class Repeating:
    """A source whose exercise can be asked once more before it goes on."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.again: Exercise | None = None
        """What is to be asked once more; None: the source goes on."""

    def next(self, last: Result | None, /) -> Exercise | None:
        """The exercise that is to be repeated, else the next one."""
        again, self.again = self.again, None
        return again or self._source.next(last)

    def closing(self) -> str:
        """As of the source."""
        return self._source.closing()


class Prepared(NamedTuple):
    """A lesson that can begin. ``log``: where its answers are kept."""

    source: Repeating
    log: Log


class Lessons:
    """The lessons of a run. ``record``: the file in which answers are kept."""

    def __init__(
        self,
        record: Path,
        calendar: Calendar,
        load: Callable[[], tuple[Course, list[str]]] | None = None,
    ) -> None:
        """``load``: reads the course; None: that of the package."""
        self._record = record
        self._calendar = calendar
        self._load = load
        self._one_at_a_time = asyncio.Semaphore(1)
        self._log: Log | None = None
        """Of whoever learns, or has learnt last."""
        self._source: Repeating | None = None
        self._desk: TaughtDesk | None = None
        """None: this board cannot teach."""
        self._clock: Clock | None = None
        self._controls = Controls()

    @cached_property
    def _course(self) -> Course:
        if self._load is not None:
            return self._load()[0]
        from boardfw.shell.learning.course_files import load_course  # late: games do not need it

        return load_course()[0]

    # --- in the loop of the pages

    async def courses(self, profile: str) -> CourseList:
        """What there is to learn, and how far a learner is. Raises RefusedError."""
        async with self._one_at_a_time:
            return await in_thread(lambda: self._listed(profile), "profile")

    async def prepare(self, wish: LessonWish) -> Prepared:
        """Read all that a lesson needs. Raises RefusedError."""
        async with self._one_at_a_time:
            return await in_thread(lambda: self._prepared(wish), "profile")

    def _listed(self, profile: str) -> CourseList:
        with closing(Answers.to_read(self._record)) as answers:
            name, names = answers.profile(profile), answers.profiles()
            outlines = {lesson.id: outline_of(lesson) for lesson in self._course.lessons}
            progress = Progress(outlines, answers.rows(name))
        passed, gold, may_begin = progress.passed(), progress.gold(), set(progress.open())
        lessons = [
            LessonInfo(
                id=lesson.id,
                title=lesson.name,
                goal=lesson.goal,
                done=len(progress.solved.intersection(outlines[lesson.id].exercises))
                / max(1, len(lesson.exercises)),
                passed=lesson.id in passed,
                gold=lesson.id in gold,
                open=lesson.id in passed | may_begin,
                also=also_said(self._course.languages, title=lesson.name, goal=lesson.goal),
            )
            for lesson in self._course.lessons
        ]
        now_ms = self._calendar.shown_ms()[0]
        following = progress.next(now_ms, Session())
        return CourseList(
            courses=[CourseInfo(id="course", title="Lessons", lessons=lessons)] if lessons else [],
            due=len(progress.due(now_ms)),
            next=following.lesson if following else None,
            profile=name,
            profiles=names,
        )

    def _prepared(self, wish: LessonWish) -> Prepared:
        wanted = None if wish.lesson is None else self._course.lesson(wish.lesson)
        if wish.lesson is not None and wanted is None:
            raise RefusedError(404, "there is no such lesson", where="lesson")
        log = self._log
        if log is None or log.profile.casefold() != wish.profile.strip().casefold():
            answers = Answers.to_write(self._record, wish.profile)
            try:
                log = Log(answers, wish.profile, self._calendar, self._course)
            except BoardError:
                answers.close()
                raise
        prepare()  # now, since later a hand would have to wait for a table
        source: Source
        if wanted is None:
            source = Guided(self._course, log)
        else:
            source = one_lesson(wanted, log.progress.solved)
        return Prepared(Repeating(source), log)

    # --- in the loop of the board

    def follow(self, desk: Desk, clock: Clock, controls: Controls) -> None:
        """The run begins, at this desk."""
        self._desk = desk if isinstance(desk, TaughtDesk) else None
        self._clock, self._controls = clock, controls

    def begin(self, prepared: Prepared) -> Log | None:
        """Let the board give a lesson; the log that is not needed any more, to be closed elsewhere.

        Raises RefusedError; then nothing has changed.
        """
        desk = self._desk
        if desk is None:
            raise RefusedError(409, "this board gives no lessons")
        session = desk.session
        is_played = isinstance(session.phase, Playing) and bool(session.record.moves)
        if is_played and not desk.is_taught and not self._controls.is_demo():
            raise RefusedError(
                409,
                "a game is being played",
                where="lesson",
                remedy="end it, then begin the lesson",
            )
        first = prepared.source.next(None)
        if first is None:
            raise RefusedError(
                409,
                "nothing is left to learn here, and nothing is due",
                where="lesson",
                remedy="come back tomorrow, or choose a lesson",
            )
        prepared.source.again = first
        before, self._log, self._source = self._log, prepared.log, prepared.source

        def tutor(stood: KnownSetup) -> Tutor:
            return Tutor(prepared.source, desk.settings.settle.square_us, stood)

        desk.teach(tutor, self._keep)
        self._look()
        return None if before is self._log else before

    def keeps(self, log: Log) -> bool:
        """Whether answers go to this log, or went there last."""
        return log is self._log

    def skip(self) -> None:
        """Go on to the next exercise. Raises RefusedError."""
        self._taught().skip()
        self._look()

    def again(self) -> None:
        """Ask the same exercise once more. Raises RefusedError."""
        desk = self._taught()
        if self._source is None or (isinstance(desk, ReviewDesk) and desk.is_looking_back):
            raise RefusedError(409, "nothing is asked", remedy="go on, or look no further back")
        self._source.again = desk.lesson.exercise if desk.lesson else None
        desk.skip()
        self._look()

    def leave(self) -> None:
        """End the lesson. Raises RefusedError."""
        self._taught()
        self._controls.press(ENDS)

    def _taught(self) -> TaughtDesk:
        if self._desk is None or not self._desk.is_taught:
            raise RefusedError(409, "no lesson is given", remedy="choose one on the page Learn")
        return self._desk

    def _look(self) -> None:
        """Let the loop look at the lights, and at what was said."""
        if self._clock is not None:
            self._controls.tell(Tick(self._clock.now_us()))

    def _keep(self, result: Result) -> None:
        is_repeated = self._source is not None and self._source.again is not None
        if self._log is not None and (result.is_solved or not is_repeated):
            self._log.keep(result)

    def now(self) -> Lesson | None:
        """What is asked now; None: nothing is."""
        desk, log = self._desk, self._log
        if desk is None or desk.lesson is None or desk.tutor is None:
            return None
        seen, tutor = desk.lesson, desk.tutor
        exercise = seen.exercise
        lesson, solved = None, 0
        if exercise is not None and log is not None:
            lesson = self._course.lesson(exercise.key.partition(".")[0])
        if lesson is not None and log is not None:
            solved = len(log.progress.solved.intersection(outline_of(lesson).exercises))
        title, languages = (lesson.name, self._course.languages) if lesson else ("", None)
        task, said = _words(desk.told, exercise, is_setting_up=seen.phase is Phase.SETUP)
        return Lesson(
            title=title,
            text=str(task),
            say=str(said),
            also=also_said(languages, title=title, text=task, say=said),
            hints_left=tutor.hints_left,
            done=solved,
            of=len(lesson.exercises) if lesson else 0,
            step=STEPS.get(seen.phase, "solved"),
            trouble=log.trouble if log else "",
        )

    def close(self) -> None:
        """Write down what is left of the answers."""
        if self._log is not None:
            self._log.close()


class LessonsFromAfar:
    """The lessons as pages ask for them, in their own loop."""

    def __init__(self, lessons: Lessons, there: There) -> None:
        """``there``: does something in the loop of the board."""
        self._lessons = lessons
        self._there = there

    async def courses(self, profile: str) -> CourseList:
        """What there is to learn, and how far a learner is."""
        return await self._lessons.courses(profile)

    async def start(self, wish: LessonWish) -> None:
        """Begin a lesson."""
        prepared = await self._lessons.prepare(wish)
        try:
            unneeded = await self._there(partial(self._lessons.begin, prepared))
        except RefusedError:
            if not self._lessons.keeps(prepared.log):
                await asyncio.to_thread(prepared.log.close)
            raise
        if unneeded is not None:
            await asyncio.to_thread(unneeded.close)

    async def skip(self) -> None:
        """Go on to the next exercise."""
        await self._there(self._lessons.skip)

    async def again(self) -> None:
        """Ask the exercise once more."""
        await self._there(self._lessons.again)

    async def leave(self) -> None:
        """End the lesson."""
        await self._there(self._lessons.leave)


def _words(
    told: tuple[Told, ...], exercise: Exercise | None, *, is_setting_up: bool
) -> tuple[str, str]:
    """The task, and what was said of it last."""
    if is_setting_up or exercise is None:
        return "", linked(latest(told, RECENT))
    asked = [one for one in told if one.kind is not Kind.SETUP]
    return exercise.words.say, linked(latest(asked, RECENT))
