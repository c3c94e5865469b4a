"""Who calibrates: a person at a terminal, or a simulated one at a simulated board."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import Protocol

import click

from boardfw.errors import BoardError
from hardware.calibration.asking import Request, TryPieces, in_words
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard
from hardware.sim.maker import Maker

PERIOD_S = 0.002
"""So often the inputs are read."""


class Person(Protocol):
    """Does what is asked, and types answers."""

    def hear(self, request: Request) -> None:
        """Hear what to do now; the lights of it are lit."""

    def wait(self, deadline_us: int | None, /) -> None:
        """Let time pass until something may have happened, or until then."""

    def says(self) -> str | None:
        """What has been typed; None: nothing. Raises BoardError where nobody types any more."""


class AtTerminal:
    """Requests go to the error output, results to the other; ``typed`` ends with None."""

    def __init__(
        self, typed: queue.SimpleQueue[str | None], pause: Callable[[float], None] = time.sleep
    ) -> None:
        self._typed = typed
        self._pause = pause
        self._request: Request | None = None

    def hear(self, request: Request) -> None:
        """Say it in a line."""
        self._request = request
        click.echo(in_words(request), err=True)

    def wait(self, _: int | None, /) -> None:
        """A moment: the board is read over and over."""
        self._pause(PERIOD_S)

    def says(self) -> str | None:
        """A line, without waiting for one. Raises BoardError at the end of the input."""
        if self._typed.empty():
            return None
        line = self._typed.get()
        if line is not None:
            return line
        self._typed.put(None)  # it stays the end
        if isinstance(self._request, TryPieces):
            return ""  # all else is known
        raise BoardError(
            "the input has ended before all was known; nothing is written; calibrate from a "
            "terminal, where Enter can be pressed"
        )


def at_terminal() -> AtTerminal:
    """A person at the standard input."""
    typed: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin, typed), name="typed", daemon=True).start()
    return AtTerminal(typed)


def _listen(lines: Iterable[str], typed: queue.SimpleQueue[str | None]) -> None:
    for line in lines:
        typed.put(line)
    typed.put(None)


class Simulated:
    """A simulated person; time jumps from one thing that happens to the next."""

    def __init__(self, board: SimBoard, clock: VirtualClock) -> None:
        self._board = board
        self._clock = clock
        self._maker = Maker(board, seed=1)
        self._moves_us: int | None = clock.now_us()
        """When a switch next moves, as it was before the inputs were read."""

    def hear(self, request: Request) -> None:
        """Begin to do it."""
        self._maker.hear(request, self._clock.now_us())

    def wait(self, deadline_us: int | None, /) -> None:
        """Jump; not where a switch moved while the inputs were read: they are read again."""
        now_us = self._clock.now_us()
        if self._moves_us is None or self._moves_us > now_us:
            times = (deadline_us, self._maker.due_us, self._board.next_change_us())
            self._clock.advance_to(min((t for t in times if t is not None), default=now_us))
        self._board.closed()  # whatever is due has happened
        self._moves_us = self._board.next_change_us()

    def says(self) -> str | None:
        """What he says now."""
        return self._maker.says(self._clock.now_us())
