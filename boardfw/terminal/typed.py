"""The line mode: a terminal that can only write one line below the other, and is typed into.

What is typed is understood as at the screen; what happens on the board is printed by others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from textwrap import fill
from typing import TYPE_CHECKING, TextIO

from boardfw.ports import Clock
from boardfw.squares import FILES, Square, square_at
from boardfw.terminal.men import turn_of
from boardfw.terminal.seat import Seat
from boardfw.terminal.talk import ASKS_DATE_S, WORDS, Beside, Talk
from boardfw.terminal.words import situation
from hardware.sim.board import SimBoard

if TYPE_CHECKING:  # who writes lines does not wait for what draws a screen
    from boardfw.terminal.app import Loop

LOOK_S = 0.05
COLUMNS = 79
HELP = f"""\
type a move (e4, Nf3, e7e8n) and the hands play it, or a square to lift or put a piece there;
board shows the pieces; setup, load FILE, box, claim, quit, and {", ".join(WORDS)};
docs/panel.md says more"""
WELCOME = "this terminal writes lines only: type moves, board, help or quit"


class Typed:
    """Somebody at a terminal of lines, until they type quit or end their input."""

    def __init__(
        self,
        runtime: Loop,
        clock: Clock,
        sim: SimBoard | None,
        *,
        hands: str,
        seed: int,
        beside: Beside | None = None,
        write: Callable[[str], object] = print,
    ) -> None:
        self._runtime = runtime
        self._clock = clock
        self._write = write
        self._seat = Seat(runtime.desk, clock, sim, hands, seed)
        self._talk = Talk(runtime.desk, clock, self._seat, runtime.tell, beside)

    def begin(self) -> None:
        """Say how it goes on, and what has to be asked."""
        self._say(WELCOME)

    def ask_date(self) -> None:
        """Ask what day it is, where nobody knows."""
        self._say(self._talk.date_question())

    def obey(self, line: str) -> None:
        """Do what a line says, and write the answer."""
        text = line.strip()
        acts = {"quit": self._runtime.stop, "q": self._runtime.stop}
        acts |= {"help": lambda: self._say(HELP), "?": lambda: self._say(HELP)}
        acts["board"] = lambda: self._say(self._board())
        act = acts.get(text.lower())
        if act is not None:
            act()
        elif text:
            told = self._talk.answer(text)
            self._say(self._seat.obey(text) if told is None else told)

    def keep_up(self) -> None:
        """Let the hands go on; to be called some twenty times a second."""
        self._say(self._seat.keep_up())

    async def read(self, source: TextIO) -> None:
        """Obey what is typed until cancelled; the end of the input stops the board."""
        loop = asyncio.get_running_loop()
        loop.add_reader(source, self._take, source)
        try:
            self.begin()
            loop.call_later(ASKS_DATE_S, self.ask_date)
            while True:
                await asyncio.sleep(LOOK_S)
                self.keep_up()
        finally:
            loop.remove_reader(source)

    def _take(self, source: TextIO) -> None:
        line = source.readline()
        if line:
            self.obey(line)
        else:
            asyncio.get_running_loop().remove_reader(source)
            self._runtime.stop()

    def _board(self) -> str:
        view = self._runtime.desk.view
        said = situation(view, self._runtime.desk.session.record, self._clock.now_us())
        return "\n".join([*drawn(self._seat.men, turn_of(view)), *said])

    def _say(self, text: str) -> None:
        for line in text.splitlines():
            self._write(fill(line, COLUMNS))


def drawn(men: Mapping[Square, str], turn: int) -> list[str]:
    """The pieces as letters, Black's small, as White sees them; ``turn`` as of ``turn_of``."""
    rows = []
    for rank in range(7, -1, -1):
        squares = (square_at(file, rank) ^ turn for file in range(len(FILES)))
        rows.append(f"{rank + 1} {' '.join(men.get(square, '.') for square in squares)}")
    return [*rows, f"  {' '.join(FILES)}"]
