"""What time a player gets: one or more stages, each with one way of giving time for a move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

SECOND_US = 1_000_000


@dataclass(frozen=True, slots=True)
class Stage:
    """Time for a number of moves, or for the rest of the game. Times are microseconds.

    Each way to give time for a move is a number that is 0 where it is not in use, so that one
    formula serves all clocks.
    """

    time_us: int
    """Given before the first move of the stage; what was left before it is kept."""
    moves: int | None = None
    """How many moves of one player; None for all that follow."""
    increment_us: int = 0
    """Fischer's: given before each move, the first too (FIDE Laws, glossary, cumulative mode)."""
    delay_us: int = 0
    """The American delay: before each move the clock waits for this long."""
    refund_us: int = 0
    """Bronstein's: after each move the time it took is given back, at most this much."""
    periods: int = 0
    """Byo-yomi: how often the clock may run through a period once the time is used up."""
    period_us: int = 0
    """Byo-yomi: a period that a move does not use up begins again with the next."""


class Placed(NamedTuple):
    """The stage that a move belongs to, and whether it is the first move of it."""

    stage: Stage
    is_first: bool


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Stages, one after the other. A last stage with a number of moves is repeated.

    All stages but the last have a number of moves.
    """

    stages: tuple[Stage, ...]
    hourglass: bool = False
    """What one player's time loses, the other's gains."""

    def place(self, move: int) -> Placed:
        """The stage of a player's move (1 = the first)."""
        before = move - 1
        *others, last = self.stages
        for stage in others:
            moves = stage.moves or 0
            if before < moves:
                return Placed(stage, before == 0)
            before -= moves
        return Placed(last, before % last.moves == 0 if last.moves else before == 0)
