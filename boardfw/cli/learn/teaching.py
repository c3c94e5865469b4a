"""Lessons on a board: puts board, tutor and screen together, and lets them be."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import ExitStack

import click

from boardfw.cli.journal import complain, log_to
from boardfw.cli.learn.lesson_options import Place
from boardfw.cli.run_game import is_terminal, until_signal
from boardfw.cli.run_setup import give_meaning, naming_board
from boardfw.errors import BoardError, ConfigError
from boardfw.learning.course import Exercise
from boardfw.learning.endings import prepare
from boardfw.learning.lesson import Kind, Phase, Result, Told
from boardfw.learning.source import Source
from boardfw.learning.tutor import Tutor
from boardfw.notation.fen import format_fen
from boardfw.players.game_player import Player
from boardfw.ports import Board
from boardfw.shell.config import load_config
from boardfw.shell.files import FOREIGN, is_own, place_for
from boardfw.shell.learning.learner import Log
from boardfw.shell.learning.lesson_desk import LessonDesk
from boardfw.shell.runtime import Runtime
from boardfw.shell.systemd import Notifier
from boardfw.terminal.tap import Tap
from hardware import innermost, lights_ma, open_board, simulated
from hardware.clock import MonotonicClock
from hardware.sim.hand_profiles import HAND_PROFILES


class Waiting:
    """The first exercise looked at before anybody asks: the simulated board shows it at once."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.first: Exercise | None = source.next(None)
        self._is_asked = False

    def next(self, last: Result | None, /) -> Exercise | None:
        """As the source says."""
        if not self._is_asked:
            self._is_asked = True
            return self.first
        return self._source.next(last)

    def closing(self) -> str:
        """As the source says."""
        return self._source.closing()


class Teaching:
    """Lessons from one source, until it has no more or the learner leaves."""

    def __init__(self, place: Place, title: str) -> None:
        """Raises BoardError."""
        self._place = place
        self._title = title
        self.settings = load_config(place.config)
        if place.hands not in HAND_PROFILES:
            known = ", ".join(HAND_PROFILES)
            raise ConfigError(f"--hands: no hands {place.hands!r}; there are {known}")

    def run(self, source: Source, log: Log | None = None) -> int:
        """Teach; the exit status. Raises BoardError."""
        waiting = Waiting(source)
        if waiting.first is None:
            click.echo("nothing is left to learn here, and nothing is due; come back tomorrow")
            return 0
        log_to(sys.stderr)
        prepare()  # now, since later a hand would have to wait for a table
        clock = MonotonicClock()
        with ExitStack() as stack:
            hear = self._listener(stack)
            board = self._board(waiting.first, clock)
            stack.callback(board.close)
            desk = self._desk(board, Tutor(waiting, self.settings.settle.square_us))
            if hear:
                desk.hear(hear)
            if log:
                desk.keep(log.keep)
            notifier = Notifier.from_environment()
            runtime = Runtime(Tap(board), clock, desk, books=log, notifier=notifier)
            return self._show(runtime, desk, clock, board)

    def _desk(self, board: Board, tutor: Tutor) -> LessonDesk:
        budget_ma = lights_ma(board, self.settings.lights.budget_ma)
        return LessonDesk(tutor, self.settings.with_budget(budget_ma))

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
        return lambda told: print_line(told, lambda line: file.write(line + "\n"))

    def _show(self, runtime: Runtime, desk: LessonDesk, clock: MonotonicClock, board: Board) -> int:
        if not is_terminal():
            desk.hear(lambda told: print_line(told, click.echo))
            desk.hear(lambda told: runtime.stop() if told.kind is Kind.OVER else None)
            asyncio.run(until_signal(runtime))
            return 0 if runtime.is_shut_down or desk.lesson.phase is Phase.OVER else 1
        from boardfw.terminal.lesson import LessonBoard
        from boardfw.terminal.talk import Talk

        sim = simulated(board)
        player = None if sim is None else Player(sim, self._place.hands, seed=1)
        sets_up = not self._place.by_hand
        talk = Talk(runtime, clock, player)
        app = LessonBoard(talk, desk, title=self._title, sets_up=sets_up)
        app.run()
        if app.fault:
            complain(app.fault)
        return app.return_code or 0


def is_log(text: str) -> bool:
    """Whether all of its lines are such as ``print_line`` writes."""
    kinds = tuple(f"{kind.value}: " for kind in Kind)
    return all(line.startswith(kinds) for line in text.splitlines() if line)


def print_line(told: Told, write: Callable[[str], object]) -> None:
    """A sentence as a line of the log: ``right: Yes, e4.``"""
    write(f"{told.kind.value}: {told.text}")
