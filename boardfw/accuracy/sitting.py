"""A person plays a known game at a board, and everything that the switches read is recorded.

The person may be real, or simulated hands that follow the lights.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from boardfw.accuracy.guide import Guide
from boardfw.errors import BusError
from boardfw.frame import DARK
from boardfw.lights.palette import DEFAULT, Settings
from boardfw.lights.render import next_change_us, render
from boardfw.players.game_player import hand_moves
from boardfw.ports import Board, Clock, earliest
from boardfw.recording import TraceWriter
from boardfw.rules import Move, Position
from boardfw.sight import News, Sight
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard
from hardware.sim.hands import Hands

PERIOD_S = 0.002
"""Time between two scans of a real board."""


class Person(Protocol):
    """Plays the moves that the lights ask for."""

    def asked(self, number: int, t_us: int) -> None:
        """The lights ask for this ply, 0 = the first, from now on."""


class SimulatedPerson:
    """Simulated hands that make each move when it is lit."""

    def __init__(
        self, board: SimBoard, hands: Hands, start: Position, moves: Sequence[Move]
    ) -> None:
        self._board = board
        self._hands = hands
        self._plans = list(hand_moves(start, moves))
        self._pieces = board.pieces
        self._begun = 0
        self._free_us = 0

    def asked(self, number: int, t_us: int) -> None:
        """Plan the gesture, after some thought; and those before it that were not asked for."""
        while self._begun <= number:
            begin_us = max(t_us, self._free_us) + self._hands.think_us()
            gesture = self._hands.play(self._plans[self._begun], begin_us, self._pieces)
            self._board.schedule(gesture.actions)
            self._pieces = gesture.performed(self._pieces)
            self._free_us = gesture.settled_us
            self._begun += 1


class Sitting:
    """One game at a board. ``writer``: where the scans are recorded, once all pieces stand."""

    def __init__(
        self,
        board: Board,
        clock: Clock,
        guide: Guide,
        writer: TraceWriter,
        lights: Settings = DEFAULT,
    ) -> None:
        self._board = board
        self._clock = clock
        self._guide = guide
        self._writer = writer
        self._lights = lights
        self._sight = Sight(board.sensor, clock)
        self._frame = DARK
        self._asked = -1

    def run(self, persons: Sequence[Person], wait: Callable[[], None]) -> None:
        """Guide through the game. ``wait`` lets time pass until the next scan.

        Ends early with KeyboardInterrupt; the recording is whole then, too. Raises BoardError where
        it cannot be written.
        """
        try:
            self._guide_through(persons, wait)
        except KeyboardInterrupt:
            self._writer.end(self._clock.now_us())
            raise
        self._writer.end(self._clock.now_us())

    def _guide_through(self, persons: Sequence[Person], wait: Callable[[], None]) -> None:
        while not self._guide.is_done(now_us := self._clock.now_us()):
            self._scan()
            self._show(now_us)
            if self._guide.is_set_up and self._asked < self._guide.ply and not self._guide.is_over:
                self._asked = self._guide.ply
                for person in persons:
                    person.asked(self._asked, now_us)
            wait()

    def _scan(self) -> None:
        try:
            scan = self._sight.read()
        except BusError:  # the next scan says since when none could be made
            return
        self._guide.see(scan.t_us, scan.occupancy)
        if self._guide.is_set_up:
            self._writer.scan(scan.t_us, scan.occupancy, scan.since_us)

    def _show(self, now_us: int) -> None:
        frame = render(self._guide.scene(now_us), now_us, self._lights)
        if frame == self._frame:
            return
        with suppress(BusError):  # it is sent again after the next scan
            self._board.lights.show(frame)
            self._frame = frame

    def jump(self, sim: SimBoard, clock: VirtualClock) -> None:
        """Let virtual time pass until anything may change."""
        now_us = clock.now_us()
        lit_us = next_change_us(self._guide.scene(now_us), now_us, self._lights)
        due_us = earliest(sim.next_change_us(), self._guide.next_us(now_us), lit_us)
        period_us = round(PERIOD_S * 1e6)
        next_us = now_us + period_us if due_us is None else max(due_us, now_us + period_us)
        clock.advance_to(-(-next_us // period_us) * period_us)
        self._sight.hear(News.FORESEEN)


def pause() -> None:
    """Let real time pass until the next scan."""
    time.sleep(PERIOD_S)
