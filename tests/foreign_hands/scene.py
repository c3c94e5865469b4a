"""What is going on at the table: the position, the time, and what was shown beside the game."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import chess

from tests.foreign_hands.hand import Hand, Spot
from tests.foreign_hands.people import Person
from tests.foreign_hands.table import Table, centre


@dataclass(slots=True)
class Tried:
    """A legal move that was put on the board, but not kept."""

    ply: int
    uci: str
    from_s: float
    to_s: float


@dataclass(slots=True)
class Scene:
    """Two players at a table. Whoever does something begins at ``now`` and sets it to the end."""

    person: Person
    table: Table
    board: chess.Board
    hands: dict[chess.Color, Hand]
    chance: random.Random
    now: float = 1.5
    plan: chess.Move | None = None
    """What the side to move will play in the end."""
    did: list[str] = field(default_factory=list)
    """What happened since the last ply was noted."""
    tried: list[Tried] = field(default_factory=list)
    presses: list[tuple[float, str]] = field(default_factory=list)
    """Buttons of the panel, with the times at which they are pressed."""
    parked: dict[chess.Square, int] = field(default_factory=dict)
    """Captured pieces that were put on squares of the board."""

    @property
    def hand(self) -> Hand:
        """The hand of whoever is to move."""
        return self.hands[self.board.turn]

    @property
    def ply(self) -> int:
        """Number of the next ply, 1 = the first."""
        return len(self.board.move_stack) + 1

    def wait(self, shortest_s: float, longest_s: float) -> None:
        """Let some time pass."""
        self.now += self.chance.uniform(shortest_s, longest_s)

    def home(self, square: chess.Square) -> Spot:
        """Return where the mover's hand puts a piece that is meant for a square."""
        return self.hand.aimed(centre(square))

    def empty(self, square: chess.Square) -> bool:
        """Return True if nothing is on a square."""
        return square not in self.table.on and square not in self.parked

    def clear(self, square: chess.Square) -> None:
        """Take a parked piece off a square, if there is one."""
        thing = self.parked.pop(square, None)
        if thing is not None:
            self.now = self.hand.take_off(thing, self.now)
            self.wait(0.2, 0.6)
