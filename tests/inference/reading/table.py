"""Fingers at a board whose switches do exactly what they are told, before the reader on trial."""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.inference.reading import ScanReader
from boardfw.notation.uci import parse_uci
from boardfw.rules import Position
from boardfw.squares import BY_NAME, NAMES, Occupancy
from tests.readings import Reading, reading_of

MS = 1_000
S = 1_000_000


class Table:
    """A board and its reader; times are in milliseconds."""

    def __init__(self, start: Position | None = None) -> None:
        self.start = start or Position.start()
        self.occupied = self.start.occupied
        self.t_us = 0
        self.reader = ScanReader(self.start, Occupancy(self.occupied))
        self.seen: list[str] = [""]
        """Each game that was announced, as text, whenever it changed."""
        self.final: list[tuple[int, ...]] = []
        """How many plies were final, whenever that changed."""

    def wait(self, ms: float) -> Table:
        """Let time go by."""
        until_us = self.t_us + int(ms * MS)
        while (due_us := self.reader.deadline_us) is not None and due_us <= until_us:
            self.reader.pass_time(due_us)
            self._note()
        self.reader.pass_time(until_us)
        self.t_us = until_us
        self._note()
        return self

    def flip(self, *squares: str) -> Table:
        """Open or close these switches, all in one scan."""
        for square in squares:
            self.occupied ^= 1 << BY_NAME[square]
        self.reader.feed(self.t_us, Occupancy(self.occupied))
        self._note()
        return self

    def touch(self, text: str, every_ms: float = 300) -> Table:
        """Flip these squares one after the other: ``"g1 f3"`` is a knight's move."""
        for square in text.split():
            self.flip(square).wait(every_ms)
        return self

    def play(self, text: str, rest_ms: float = 1_000, every_ms: float = 300) -> Table:
        """Play these moves, each piece lifted and put down, captured pieces second."""
        for uci in text.split():
            for touches in touches_of(self.position, uci):
                self.touch(touches, every_ms)
            self.wait(rest_ms)
        return self

    def shows(self, square: str) -> bool:
        """True if the switch under a square is closed."""
        return bool(self.occupied >> BY_NAME[square] & 1)

    @property
    def position(self) -> Position:
        """The position of the announced game."""
        return self.reader.game.position

    @property
    def moves(self) -> str:
        """The announced game in UCI."""
        return self.seen[-1]

    @property
    def read(self) -> Reading:
        """What the reader makes of the board now."""
        return reading_of(self.reader)

    @property
    def finals(self) -> tuple[int, ...]:
        """How many plies are final: for an engine, for a server."""
        return self.reader.final

    def _note(self) -> None:
        moves = " ".join(move.uci() for move in self.reader.game.moves())
        if moves != self.seen[-1]:
            self.seen.append(moves)
        if not self.final or self.reader.final != self.final[-1]:
            self.final.append(self.reader.final)


def touches_of(position: Position, uci: str) -> Sequence[str]:
    """What calm hands do to play a move, the capturing piece lifted first."""
    move = parse_uci(position, uci)
    if move.is_castling:
        return [f"{NAMES[origin]} {NAMES[target]}" for origin, target in move.steps()]
    origin, target = NAMES[move.origin], NAMES[move.target]
    if move.captured is None:
        return [f"{origin} {target}"]
    return [f"{origin} {NAMES[move.captured]} {target}"]


def table_after(moves: str, **options: float) -> Table:
    """A table on which these moves have been played, and all are final."""
    return Table().play(moves, **options).wait(5_000)
