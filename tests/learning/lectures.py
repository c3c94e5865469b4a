"""Lessons in virtual time: switches, tutor and hands, from scan to scan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from boardfw.game.events import Tick
from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Kind, Told
from boardfw.learning.source import InOrder
from boardfw.learning.tutor import Tutor
from boardfw.notation.fen import format_fen
from boardfw.players.lesson_player import Learner
from boardfw.players.solutions import Choice
from boardfw.recording import Scan
from boardfw.squares import Bitboard, Occupancy
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard, pieces_of
from hardware.sim.gesture import Gesture
from hardware.sim.hand_profiles import EVERYBODY
from hardware.sim.hands import Hands
from hardware.sim.record import SCAN_PERIOD_US
from tests.learning.wrong_touches import Edge

BEGIN_US = 1_000_000
MOST_TICKS = 10_000


class Watched:
    """A tutor of some exercises, and everything that it has told."""

    def __init__(self, exercises: Iterable[Exercise], standing: Bitboard) -> None:
        self.tutor = Tutor(InOrder(exercises))
        self.told: list[Told] = []
        self.new: list[Told] = []
        """What the learner has not heard yet."""
        self._raw = standing
        self.take(Scan(0, Occupancy(standing)))

    def take(self, event: Scan | Tick) -> None:
        """Hand the tutor an event, and hear what it tells."""
        self.tutor.handle(event)
        told = self.tutor.told()
        self.told += told
        self.new += told

    def wait(self, until_us: int) -> None:
        """Let time pass; the tutor sees every instant that it waits for."""
        for _ in range(MOST_TICKS):
            due_us = self.tutor.deadline_us
            if due_us is None or due_us >= until_us:
                break
            self.take(Tick(due_us))
        else:
            raise AssertionError("the tutor asks for ever more ticks")
        if until_us > self.tutor.t_us:
            self.take(Tick(until_us))

    def scan(self, t_us: int, occupancy: Bitboard) -> None:
        """What the switches read at an instant."""
        self.wait(t_us)
        self._raw = occupancy
        self.take(Scan(t_us, Occupancy(occupancy)))

    def touch(self, edges: Iterable[Edge], until_us: int) -> None:
        """Clean lifts and drops, and the time until then."""
        for t_us, square, closed in edges:
            assert bool(self._raw >> square & 1) != closed, "so it stands already"
            self.scan(t_us, self._raw ^ 1 << square)
        self.wait(until_us)

    def said(self, kind: Kind) -> list[str]:
        """Everything of one kind that was told."""
        return [told.text for told in self.told if told.kind is kind]


class Lecture:
    """A learner with simulated hands on a simulated board, with the first position set up."""

    def __init__(
        self,
        exercises: Sequence[Exercise],
        kind: str,
        seed: int = 0,
        choose: Choice | None = None,
        watch: type[Watched] = Watched,
        stuck_open: Bitboard = 0,
        stuck_closed: Bitboard = 0,
        learner: type[Learner] = Learner,
    ) -> None:
        profile = EVERYBODY[kind].attentive()
        faults = replace(
            profile.board, stuck_open=Occupancy(stuck_open), stuck_closed=Occupancy(stuck_closed)
        )
        self._clock = VirtualClock()
        pieces = pieces_of(format_fen(exercises[0].position))
        self.board = SimBoard(self._clock, pieces=pieces, faults=faults, seed=seed)
        self.watched = watch(exercises, int(self.board.read()))
        self.hands = Hands(profile, seed)
        self.learner = learner(self.watched.tutor, self.board, self.hands, seed, choose)

    @property
    def now_us(self) -> int:
        return self._clock.now_us()

    def solve(self, most_us: int) -> None:
        """Until all is solved, or for so long."""
        until_us = self.now_us + most_us
        while self.learner.due_us is not None and self.now_us < until_us:
            self.learner.hear(self.watched.new)
            self.watched.new = []
            self.learner.keep_up(self.now_us)
            due_us = self.learner.due_us or 0  # an overdue learner waits for something to happen
            self._go_on(due_us if due_us > self.now_us else until_us)

    def do(self, gestures: Iterable[Gesture]) -> None:
        """Let hands do this, and watch until it has settled."""
        end_us = self.now_us
        for gesture in gestures:
            self.board.schedule(gesture.actions)
            end_us = max(end_us, gesture.settled_us + SCAN_PERIOD_US)
        self.rest(end_us - self.now_us)

    def rest(self, duration_us: int) -> None:
        """The board is not touched for so long."""
        end_us = self.now_us + duration_us
        while self.now_us < end_us:
            self._go_on(end_us)

    def _go_on(self, until_us: int) -> None:
        """To the next scan that may read something new, the next instant due, or until then."""
        change_us, due_us = self.board.next_change_us(), self.watched.tutor.deadline_us
        if change_us is not None:
            grid_us = -(-change_us // SCAN_PERIOD_US) * SCAN_PERIOD_US
            change_us = max(grid_us, self.now_us + SCAN_PERIOD_US)
        t_us = min(time for time in (change_us, due_us, until_us) if time is not None)
        self._clock.advance_to(t_us)
        if t_us == change_us:
            self.watched.scan(t_us, int(self.board.read()))
        else:
            self.watched.wait(t_us)
            if t_us == due_us:
                self.watched.take(Tick(t_us))
