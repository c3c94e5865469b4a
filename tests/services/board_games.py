"""Games of a program against simulated hands, in virtual time: everything but pipes and threads."""

from __future__ import annotations

from random import Random

from boardfw.game.events import Event, Tick
from boardfw.game.session import Session
from boardfw.players.game_player import pieces_on
from boardfw.players.guest import Guest, without_choice
from boardfw.ports import Pressed, earliest
from boardfw.recording import Press, Scan
from boardfw.rules import Move, Position
from boardfw.services.board_engine import BoardEngine
from boardfw.services.uci.commands import SetPosition, format_command
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk
from boardfw.shell.program_seat import ProgramSeat
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard
from hardware.sim.hand_profiles import person

SCAN_US = 2_000
LOOK_US = 100_000
PATIENCE_US = 120_000_000
"""A move that has not come by then never will."""


class HangsError(AssertionError):
    """The board owes a move and does not answer."""


class BoardGame:
    """A board with hands of one kind, and the program's end of the pipe."""

    def __init__(self, kind: str, seed: int, pieces: Position | None = None) -> None:
        """``pieces``: what stands on the board before anything is said; None: the usual start."""
        hands = person(kind, seed)
        self.clock = VirtualClock()
        self.board = SimBoard(
            self.clock, pieces=pieces_on(pieces or Position.start()), faults=hands.board, seed=seed
        )
        self.desk = Desk(Session(), Settings())
        self.said: list[str] = []
        """What the program has been told and has not read."""
        self.is_stopped = False
        self._chance = Random(seed)
        self._events: list[Event] = []
        engine = BoardEngine("boardfw", "the tests")
        guest = Guest(self.board, self.clock, self._choose, hands, seed)
        self.guest = guest
        self.seat = ProgramSeat(engine, self.clock, (), self.said.append, self._stop, guest)
        self.engine = engine
        self.seat.listen(self._events.append)
        self._take(Scan(0, self.board.read()))

    def _choose(self, position: Position) -> Move:
        return self._chance.choice(without_choice(position))

    def _stop(self) -> None:
        self.is_stopped = True

    def tell(self, *lines: str) -> list[str]:
        """The program says this; what it is told at once."""
        for line in lines:
            self.seat.hear(line)
        self._work_off()
        return self.read()

    def read(self) -> list[str]:
        """What the program is told."""
        told = list(self.said)
        self.said.clear()
        return told

    def answer(self, start: Position, moves: list[Move], *, chess960: bool = False) -> str:
        """What the board plays after these moves. Raises HangsError."""
        told = self.tell(position_line(start, moves, chess960=chess960), "go wtime 1000")
        end_us = self.clock.now_us() + PATIENCE_US
        while not told:
            if self.clock.now_us() > end_us:
                raise HangsError(f"no answer after {len(moves)} plies")
            self.go_on()
            told = self.read()
        (line,) = told
        word, move = line.split()
        assert word == "bestmove"
        return move

    def wait(self, time_us: int) -> None:
        """Let time pass."""
        end_us = self.clock.now_us() + time_us
        while self.clock.now_us() < end_us:
            self.go_on()

    def press(self, button: Pressed) -> None:
        """A button of the board is pressed."""
        self._take(Press(self.clock.now_us(), button))

    def go_on(self) -> None:
        """Go on to the next instant at which anything happens."""
        now_us = self.clock.now_us()
        self.seat.look(self.desk)
        change_us = self.board.next_change_us()
        scan_us = None if change_us is None else max(change_us, now_us + 1)
        due_us = earliest(
            None if scan_us is None else -(-scan_us // SCAN_US) * SCAN_US,
            self.desk.deadline_us,
            now_us + LOOK_US,
            after_us=now_us,
        )
        assert due_us is not None
        self.clock.advance_to(due_us)
        is_scan = scan_us is not None and due_us >= scan_us
        self._take(Scan(due_us, self.board.read()) if is_scan else Tick(due_us))

    def _take(self, event: Event) -> None:
        self._events.append(event)
        self._work_off()

    def _work_off(self) -> None:
        while self._events:
            said = self.desk.take(self._events.pop(0))
            self.seat.take(said, self.desk)

    def stands(self, position: Position) -> bool:
        """Whether the pieces on the board are those of a position."""
        return self.board.pieces == pieces_on(position, self.desk.session.game.orientation)


def position_line(start: Position, moves: list[Move], *, chess960: bool = False) -> str:
    """What a program says of a game."""
    return format_command(SetPosition(start, tuple(moves), chess960))
