"""A simulated person who calibrates a simulated board: follows requests, and sees lights."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from boardfw.frame import DARK
from boardfw.squares import EVERY_SWITCH, NAMES, Switch, file_of, rank_of
from hardware.calibration.procedure import MANY, Clear, NameLit, PutOn, PutOnLit, Request, TryPieces
from hardware.sim.board import SimBoard
from hardware.sim.gesture import HandAction
from hardware.sim.magnets import Point

PIECE, ANOTHER = "P", "N"
LOOKS_US = 400_000
"""How long the person looks where to go."""
CARRIES_US = 350_000
LETS_STAND_US = 900_000
WAITS_US = 1_500_000
"""How long until the person says that nothing happens."""
HIGH = 1.5
OFF = 0.1
"""How far off the middle a piece is put, in squares, one sigma."""


class Maker:
    """Follows requests on the board; ``due_us``: when the next answer comes, None: no answer."""

    def __init__(self, board: SimBoard, seed: int) -> None:
        self._board = board
        self._random = Random(f"{seed} maker")
        self._square: Switch | None = None
        self._say = ""
        self.due_us: int | None = None

    def hear(self, request: Request, now_us: int) -> None:
        """Begin to do what is asked."""
        match request:
            case Clear():
                self._lift(now_us)
                self._answer("", now_us + WAITS_US)
            case PutOn(square=square):
                self._put(square, now_us, "")
            case PutOnLit():
                self._follow_light(now_us)
            case NameLit():
                self._answer(NAMES[self._lit()[0]], now_us + LOOKS_US)
            case TryPieces():
                self._try(now_us)

    def says(self, now_us: int) -> str | None:
        """The answer that is due now; None: no answer."""
        if self.due_us is None or now_us < self.due_us:
            return None
        self.due_us = None
        return self._say

    def _follow_light(self, now_us: int) -> None:
        lit = self._lit()
        if len(lit) == 1:
            self._put(lit[0], now_us, NAMES[lit[0]])
        else:
            self._answer(MANY if lit else "", now_us + LOOKS_US)

    def _lit(self) -> list[Switch]:
        frame = self._board.frame
        return [] if frame == DARK else [s for s in EVERY_SWITCH if frame[s] != (0, 0, 0)]

    def _answer(self, text: str, at_us: int) -> None:
        self._say, self.due_us = text, at_us

    def _put(self, square: Switch, now_us: int, otherwise: str) -> None:
        """Put the piece there, and say so where that does not help."""
        down_us = self._lift(now_us + LOOKS_US)
        self._board.schedule([self._down(square, down_us, PIECE)])
        self._square = square
        self._answer(otherwise, down_us + CARRIES_US + WAITS_US)

    def _lift(self, at_us: int) -> int:
        """Take the piece up; when it can be brought down again."""
        if self._square is None:
            return at_us
        self._board.schedule([self._up(self._square, at_us, PIECE)])
        self._square = None
        return at_us + CARRIES_US

    def _try(self, now_us: int) -> None:
        """Another piece on each square."""
        at_us = self._lift(now_us + LOOKS_US)
        actions = list(self._round(at_us))
        self._board.schedule(actions)
        self._answer("", actions[-1].t_us + CARRIES_US + WAITS_US)

    def _round(self, at_us: int) -> Iterator[HandAction]:
        for square in EVERY_SWITCH:
            yield self._down(square, at_us, ANOTHER)
            at_us += CARRIES_US + LETS_STAND_US
            yield self._up(square, at_us, ANOTHER)
            at_us += CARRIES_US

    def _down(self, square: Switch, at_us: int, label: str) -> HandAction:
        x = file_of(square) + self._off()
        y = rank_of(square) + self._off()
        path = (Point(at_us, x, y, HIGH), Point(at_us + CARRIES_US, x, y, 0.0))
        return HandAction(at_us, "drop", square, label, path)

    def _up(self, square: Switch, at_us: int, label: str) -> HandAction:
        x, y = float(file_of(square)), float(rank_of(square))
        path = (Point(at_us, x, y, 0.0), Point(at_us + CARRIES_US, x, y, HIGH))
        return HandAction(at_us, "lift", square, label, path)

    def _off(self) -> float:
        return min(max(self._random.gauss(0.0, OFF), -2 * OFF), 2 * OFF) / 1.2
