"""A whole board at work in real time, as benches watch it: each thread, pipe and file is real.

Frames are noted when they are handed to the lights, with what they mean; hands act at once.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

from boardfw.frame import Frame
from boardfw.game.events import Action, Owed
from boardfw.game.session import Session
from boardfw.game.view import View
from boardfw.notation.uci import parse_uci
from boardfw.players.game_player import Player
from boardfw.ports import Board
from boardfw.rules import BLACK, QUEEN, Move, Position
from boardfw.services.analysis.advisor import find_advisor
from boardfw.services.analysis.analyst import Analyst
from boardfw.services.opponents import Wish
from boardfw.shell.away_seat import AwaySeat, Sitting
from boardfw.shell.coach_seat import CoachSeat
from boardfw.shell.config import HelpSettings, PlayerHelp, Settings
from boardfw.shell.desk import Desk
from boardfw.shell.pgn_file import TagsNow
from boardfw.shell.runtime import Runtime
from boardfw.shell.store.record_writer import RunRecord
from boardfw.squares import Bitboard, Orientation, squares_in
from hardware.clock import MonotonicClock
from hardware.sim.board import SimBoard
from hardware.sim.faults import PRESETS

PATIENCE_S = 20
"""What has not come by then never will."""
LOOK_S = 0.02
"""How often what only other threads know is asked."""


class Shown(NamedTuple):
    """A frame that was handed to the lights."""

    at_ns: int
    """Of the machine's monotonic clock."""
    view: View
    """What it shows."""
    frame: Frame

    def lights(self, squares: Bitboard) -> bool:
        """Whether each of these squares is lit; the board lies as it is wired."""
        switch = Orientation.AS_WIRED.switch
        return all(any(self.frame[switch(square)]) for square in squares_in(squares))


class WatchedDesk(Desk):
    """A desk that knows what its frames show."""

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__(session, settings)
        self.views: dict[Frame, View] = {}
        """What a frame showed when it was last drawn."""

    def frame(self, t_us: int) -> Frame:
        drawn = super().frame(t_us)
        self.views[drawn] = self.view
        return drawn


class LiveBoard:
    """Two colours at a simulated board; Black may be an engine, whose moves hands make."""

    def __init__(
        self,
        folder: Path,
        *,
        wish: Wish | None = None,
        level: int = 1,
        reads: Callable[[MonotonicClock, SimBoard], Board] = lambda _, pieces: pieces,
        find: Callable[[], Analyst] = find_advisor,
    ) -> None:
        """``wish``: who plays Black, None: hands; ``level``: of the help; ``reads``: the board
        that reads the magnets; ``find``: finds the coach's engine."""
        self.clock = MonotonicClock()
        self.pieces = SimBoard(self.clock, faults=PRESETS["none"])
        self.board = reads(self.clock, self.pieces)
        helped = PlayerHelp(level=level, hints=0)
        settings = Settings(help=HelpSettings(white=helped, black=helped))
        self.desk = WatchedDesk(Session(), settings)
        self.shown: list[Shown] = []
        self.owed: list[tuple[int, Owed]] = []
        """Moves of Black's, and when the session told of them, as ``Shown.at_ns``."""
        self.board.lights = self
        self._player = Player(self.pieces, "careful", 1)
        self._books = RunRecord(folder / "games.db", lambda: None, 50_000_000)
        self._books.begin(self.desk.session, TagsNow(settings, lambda: None))
        self.runtime = Runtime(self.board, self.clock, self.desk, books=self._books)
        if wish is not None:
            sitting = Sitting(BLACK, wish)
            self.runtime.away = AwaySeat(self.clock, sitting)
        self.runtime.coach = CoachSeat(self.desk.help_policy.helps, self.clock, find)
        self.runtime.listen(self._hear)

    def show(self, frame: Frame) -> None:
        """As the lights; in their thread."""
        at_ns = time.monotonic_ns()
        self.shown.append(Shown(at_ns, self.desk.views.get(frame, self.desk.view), frame))

    def _hear(self, action: Action) -> None:
        if isinstance(action, Owed):
            self.owed.append((time.monotonic_ns(), action))
            self.make(parse_uci(self.position, action.uci))

    @property
    def moves(self) -> tuple[Move, ...]:
        """What the record says was played."""
        return self.desk.session.record.moves

    @property
    def position(self) -> Position:
        """The position after these."""
        return self.desk.session.record.positions()[-1]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.desk.session.record.outcome is not None

    def stands_after(self, plies: int) -> bool:
        """Whether so many plies were played, and no hand has anything left to do."""
        return len(self.moves) == plies and not self.pieces.busy

    def make(self, move: Move) -> None:
        """Make a move as careful hands do, in their time."""
        self._player.play_one(self.position, move, self.clock.now_us(), Orientation.AS_WIRED)

    async def until(self, is_so: Callable[[], bool]) -> bool:
        """Let time pass until this is so; False: the game has ended, or it does not come about.

        On a machine that stands still for a while the board misses what hands do, and asks.
        """
        patient_s = time.monotonic() + PATIENCE_S
        while not is_so():
            if self.is_over or time.monotonic() > patient_s:
                return False
            await asyncio.sleep(LOOK_S)
        return True

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Let it run."""
        running = asyncio.create_task(self.runtime.run())
        try:
            await asyncio.sleep(LOOK_S)
            yield
        finally:
            self.runtime.stop()
            await running
            self.board.close()


STILL = """
import sys, time
last = time.monotonic_ns()
while True:
    time.sleep(0.002)
    now = time.monotonic_ns()
    if now - last > 20_000_000:
        print(last, now, flush=True)
    last = now
"""
"""A program that only looks at the clock, and prints between which nanoseconds it could not."""


class Stalls:
    """When the machine ran nothing at all, as virtual machines at times do, or only others."""

    def __init__(self) -> None:
        self.known: list[tuple[int, int]] = []
        """From and until when, as ``Shown.at_ns``."""

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look out for them meanwhile."""
        command = (sys.executable, "-c", STILL)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as looking:
            try:
                yield
            finally:
                looking.terminate()
                told, _ = looking.communicate()
                spans = (line.split() for line in told.splitlines())
                self.known += [(int(began), int(ended)) for began, ended in spans]

    def leave(self, spans_ns: list[tuple[int, int]]) -> list[int]:
        """How long these took in which the machine did not stand still, nanoseconds."""
        return [
            ended - began
            for began, ended in spans_ns
            if not any(one < ended and began < other for one, other in self.known)
        ]


def any_move(chance: Random, position: Position) -> Move:
    """A legal move by chance; of promotions only those to a queen, which hands make at once."""
    moves = [move for move in position.legal_moves() if move.promotion in (0, QUEEN)]
    return chance.choice(moves)


def at_share(times_ns: list[int], share: float) -> int:
    """The time within which this share of some times lies, nanoseconds."""
    return sorted(times_ns)[min(len(times_ns) - 1, int(len(times_ns) * share))]


def spread_ms(times_ns: list[int]) -> str:
    """The distribution of some times, as a line."""
    if not times_ns:
        return "nothing was measured"
    middle, most, nearly_all, longest = (
        at_share(times_ns, share) / 1_000_000 for share in (0.5, 0.95, 0.99, 1.0)
    )
    return (
        f"median {middle:.1f} ms, 95 % within {most:.1f}, 99 % within {nearly_all:.1f}, "
        f"the slowest {longest:.1f} ({len(times_ns)})"
    )
