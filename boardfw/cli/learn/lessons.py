"""Lessons on a board: which are asked for by name, and board, tutor and screen put together."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import click

from boardfw.cli.games.open_collection import place_of
from boardfw.cli.journal import complain, log_to
from boardfw.cli.learn import Place
from boardfw.cli.run_game import is_terminal, until_signal
from boardfw.cli.run_setup import give_meaning, naming_board
from boardfw.errors import BoardError, ConfigError
from boardfw.languages import tables_with
from boardfw.learning.course import Course, Exercise, Lesson
from boardfw.learning.endings import prepare
from boardfw.learning.lesson import Kind, Phase, Told
from boardfw.learning.progress import Progress
from boardfw.learning.source import InOrder, Source
from boardfw.learning.tutor import Tutor
from boardfw.notation.fen import format_fen
from boardfw.phrase import Table, translated
from boardfw.players.game_player import Player
from boardfw.ports import Board
from boardfw.shell.config import load_config
from boardfw.shell.dates import Calendar
from boardfw.shell.files import FOREIGN, is_own, place_for
from boardfw.shell.learning.answer_store import Answers
from boardfw.shell.learning.course_files import load_course
from boardfw.shell.learning.learner import Guided, Log, one_lesson, outline_of
from boardfw.shell.learning.lesson_desk import LessonDesk
from boardfw.shell.runtime import Runtime
from boardfw.shell.store.record_lock import own
from boardfw.shell.systemd import Notifier
from hardware import innermost, lights_ma, open_board, simulated
from hardware.clock import MonotonicClock
from hardware.sim.hand_profiles import HAND_PROFILES


class Teaching:
    """Lessons from one source, until it has no more or the learner leaves."""

    def __init__(self, place: Place, title: str, table: Table | None = None) -> None:
        """``table``: of the language in which is spoken; None: English. Raises BoardError."""
        self._place = place
        self._title = title
        self._table = table or {}
        self.settings = load_config(place.config)
        if place.hands not in HAND_PROFILES:
            known = ", ".join(HAND_PROFILES)
            raise ConfigError(f"--hands: no hands {place.hands!r}; there are {known}")

    def run(self, source: Source, log: Log | None = None) -> int:
        """Teach; the exit status. Raises BoardError."""
        tutor = Tutor(source, self.settings.settle.square_us)
        if tutor.first is None:
            click.echo("nothing is left to learn here, and nothing is due; come back tomorrow")
            return 0
        log_to(sys.stderr)
        prepare()  # now, since later a hand would have to wait for a table
        clock = MonotonicClock()
        with ExitStack() as stack:
            hear = self._listener(stack)
            board = self._board(tutor.first, clock)
            stack.callback(board.close)
            budget_ma = lights_ma(board, self.settings.lights.budget_ma)
            desk = LessonDesk(tutor, self.settings.with_budget(budget_ma))
            desk.late.is_told = simulated(board) is None
            if hear:
                desk.hear(hear)
            if log:
                desk.keep(log.keep)
            notifier = Notifier.from_environment()
            runtime = Runtime(board, clock, desk, books=log, notifier=notifier)
            return self._show(runtime, desk, clock, board)

    def _board(self, first: Exercise, clock: MonotonicClock) -> Board:
        url = self.settings.board.url if self._place.url is None else self._place.url
        with naming_board(url, None):
            board = open_board(url, clock=clock, start_fen=format_fen(first.position))
        give_meaning(innermost(board), self.settings, clock)
        return board

    def _listener(self, stack: ExitStack) -> Callable[[Told], None] | None:
        """The file of the sentences. Raises BoardError."""
        if self._place.log is None:
            return None
        if not is_own(place_for(self._place.log), is_log):
            raise BoardError(f"{self._place.log}: {FOREIGN}")
        try:
            file = stack.enter_context(self._place.log.open("a", encoding="utf-8", buffering=1))
        except OSError as error:
            raise BoardError(f"{self._place.log}: cannot be written: {error.strerror}") from error
        return lambda told: print_line(told, self._table, lambda line: file.write(line + "\n"))

    def _show(self, runtime: Runtime, desk: LessonDesk, clock: MonotonicClock, board: Board) -> int:
        if not is_terminal():
            desk.hear(lambda told: print_line(told, self._table, click.echo))
            desk.hear(lambda told: runtime.stop() if told.kind is Kind.OVER else None)
            asyncio.run(until_signal(runtime))
            return 0 if runtime.is_shut_down or desk.lesson.phase is Phase.OVER else 1
        from boardfw.terminal.lesson import LessonBoard
        from boardfw.terminal.talk import Talk

        sim = simulated(board)
        player = None if sim is None else Player(sim, self._place.hands, seed=1)
        sets_up = not self._place.by_hand
        talk = Talk(runtime, clock, player)
        app = LessonBoard(talk, desk, title=self._title, sets_up=sets_up, table=self._table)
        app.run()
        if app.fault:
            complain(app.fault)
        return app.return_code or 0


def is_log(text: str) -> bool:
    """Whether all of its lines are such as ``print_line`` writes."""
    kinds = tuple(f"{kind.value}: " for kind in Kind)
    return all(line.startswith(kinds) for line in text.splitlines() if line)


def print_line(told: Told, table: Table, write: Callable[[str], object]) -> None:
    """A sentence as a line of the log: ``right: Yes, e4.``, said by the table of a language."""
    write(f"{told.kind.value}: {translated(told.text, table)}")


def lines_of_lessons(
    directory: Path | None, profile: str, record: Path | None, config: Path | None
) -> Iterator[str]:
    """A line for each lesson, and how to start one. Raises BoardError."""
    course, file = course_of(directory), place_of(record, config)
    passed, gold = set[str](), set[str]()
    if file.exists():
        with closing(Answers.to_read(file)) as answers:
            rows = answers.rows(answers.profile(profile))
        progress = Progress({one.id: outline_of(one) for one in course.lessons}, rows)
        passed, gold = progress.passed(), progress.gold()
    width = max(len(lesson.id) for lesson in course.lessons)
    for lesson in course.lessons:
        mark = "*" if lesson.id in gold else "+" if lesson.id in passed else " "
        yield f"{mark} {lesson.id:<{width}}  {lesson.name}: {lesson.goal}"
    yield "+ passed, * without an error; start one with: boardfw learn start ID"


def give(
    place: Place,
    lesson: str | None,
    directory: Path | None,
    language: str,
    profile: str,
    record: Path | None,
) -> int:
    """Give a lesson, or whatever comes next; the exit status. Raises BoardError."""
    course = course_of(directory)
    table = table_in(course, language)
    wanted = None if lesson is None else lesson_of(course, lesson)
    with log_of(place, course, profile, record) as log:
        if wanted is None:
            teaching = Teaching(place, f"lessons · {log.profile}", table)
            return teaching.run(Guided(course, log), log)
        source = one_lesson(wanted, log.progress.solved)
        name = translated(wanted.name, table)
        return Teaching(place, f"{name} · {log.profile}", table).run(source, log)


def try_out(place: Place, key: str, directory: Path | None, language: str) -> int:
    """Give one exercise, and keep nothing; the exit status. Raises BoardError."""
    course = course_of(directory)
    return Teaching(place, key, table_in(course, language)).run(InOrder([exercise_of(course, key)]))


def table_in(course: Course, language: str) -> Table:
    """What a course says in a language. Raises ConfigError if it has none of that name."""
    tables = {"en": {}, **tables_with(course.languages)}
    if language not in tables:
        raise ConfigError(f"--language {language}: not known here; there are {', '.join(tables)}")
    return tables[language]


def course_of(directory: Path | None) -> Course:
    """The lessons that can be given; what is wrong with others is said. Raises BoardError."""
    course, complaints = load_course(directory)
    for complaint in complaints:
        complain(complaint)
    if not course.lessons:
        raise BoardError("there is no lesson that can be given")
    return course


def lesson_of(course: Course, name: str) -> Lesson:
    """A lesson by its id. Raises BoardError."""
    lesson = course.lesson(name)
    if lesson is None:
        known = ", ".join(one.id for one in course.lessons)
        raise BoardError(f"{name}: no lesson has this name; there are {known}")
    return lesson


def exercise_of(course: Course, key: str) -> Exercise:
    """An exercise, or a variant of one, by its key. Raises BoardError."""
    exercise = course.get(key)
    if exercise is not None:
        return exercise
    lesson, plain = lesson_of(course, key.partition(".")[0]), key.partition("/")[0]
    if course.get(plain) is None:
        keys = ", ".join(one.key for one in lesson.exercises)
        raise BoardError(f"{key}: no exercise has this name; there are {keys}")
    varied = ", ".join(f"{plain}/{one.variant}" for one in lesson.of(plain) if one.variant)
    there = f"there are {varied}" if varied else f"{plain} has none"
    raise BoardError(f"{key}: no variant has this name; {there}")


@contextmanager
def log_of(place: Place, course: Course, profile: str, record: Path | None) -> Iterator[Log]:
    """The log of a profile; no game is played meanwhile on its file. Raises BoardError."""
    file = place_of(record, place.config)
    calendar = Calendar(load_config(place.config).record.dates)
    with (
        closing(own(file)),
        closing(Log(Answers.to_write(file, profile), profile, calendar, course)) as log,
    ):
        yield log
