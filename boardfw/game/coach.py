"""The coach: which of a lifted piece's moves are good, doubtful or losing, and the best move.

It asks and is answered, as an opponent away from the board: who answers, and how, is not known
here. Each piece that it helps with, and each hint, is one of the hints of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from boardfw.rules import Color, Move, Position
from boardfw.squares import Bitboard, Square, bitboard_of


class MoveClass(IntEnum):
    """What a move is worth beside the best one."""

    GOOD = 0
    DOUBTFUL = 1
    LOSING = 2


class CoachQuestion(NamedTuple):
    """What the coach wants to know: the best move, and with a square what its piece may do."""

    start: Position
    moves: tuple[Move, ...]
    """All plies since the start."""
    square: Square | None
    """The piece in the hand; None: only the best move is asked for."""

    @property
    def position(self) -> Position:
        """The position after all plies."""
        position = self.start
        for move in self.moves:
            position = position.play_unchecked(move)
        return position


@dataclass(frozen=True, slots=True)
class Advice:
    """An answer; a later one to the same question knows better."""

    to: CoachQuestion
    best: Move
    classes: Mapping[Move, MoveClass] = field(default_factory=dict)
    """Of the moves of the piece that was asked about."""

    def targets(self) -> tuple[Bitboard, Bitboard, Bitboard]:
        """The squares of each class; of moves to one square the best counts."""
        found: dict[Square, MoveClass] = {}
        for move, one in self.classes.items():
            found[move.target] = min(one, found.get(move.target, one))
        good, doubtful, losing = (
            bitboard_of(square for square, one in found.items() if one is kind)
            for kind in MoveClass
        )
        return good, doubtful, losing


class Coach:
    """What is asked and known in one game, and how many hints each player has had."""

    def __init__(self) -> None:
        self.asked: CoachQuestion | None = None
        """What is to be answered; None: nothing."""
        self._advice: Advice | None = None
        self._hinted: CoachQuestion | None = None
        """Where the best move is shown, because the button was pressed; None: nowhere."""
        self._given: tuple[set[object], set[object]] = (set(), set())
        """For each player what they were helped with."""

    def begin(self) -> None:
        """Another game begins."""
        self._advice = self._hinted = None
        self._given = (set(), set())

    def left(self, color: Color, hints: int) -> int:
        """How many of the hints of a game a player has left."""
        return max(0, hints - len(self._given[color]))

    def want_hint(self, here: CoachQuestion) -> None:
        """The button was pressed in this position."""
        self._hinted = here._replace(square=None)

    def ask(self, here: CoachQuestion, hints: int) -> CoachQuestion | None:
        """What to ask with this piece in the hand, or none; None: nothing, or hints are spent.

        ``hints``: how many there are in a game, 0 without end.
        """
        without = here._replace(square=None)
        if self._hinted != without:
            self._hinted = None
        given, color = self._given, here.position.turn
        wanted = here if here.square is not None and self._hinted is None else self._hinted
        if wanted is not None and wanted not in given[color]:
            if hints and len(given[color]) >= hints:
                wanted = None
            else:
                given[color].add(wanted)
        if wanted is None:
            self._hinted = None
        self.asked = wanted
        return wanted

    def rest(self) -> None:
        """Nothing is asked any more."""
        self.asked = None

    def hear(self, advice: Advice) -> None:
        """Take an answer; one to what is asked no longer is none."""
        if advice.to == self.asked:
            self._advice = advice

    @property
    def advice(self) -> Advice | None:
        """The answer to what is asked; None: it has not come."""
        known = self._advice
        return known if known is not None and known.to == self.asked else None

    @property
    def hint(self) -> Move | None:
        """The best move, where the button asked for it and it is known."""
        known = self.advice
        return known.best if known is not None and self._hinted == self.asked else None
