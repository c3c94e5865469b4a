"""What the reader makes of the board: the one value that leaves this package."""

from __future__ import annotations

from dataclasses import dataclass

from boardfw.inference.reading.faults import Fault
from boardfw.rules.move import Move
from boardfw.squares import Bitboard


@dataclass(frozen=True, slots=True)
class ReadPly:
    """One ply of the best game, and the probability that it will turn out otherwise."""

    move: Move
    doubt: float
    final_for: int
    """It is final for so many of the reader's limits, the loosest first."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Another game that explains the board, from the first ply that differs."""

    probability: float
    ply: int
    """The first ply that differs, 0 = the first of the game."""
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """The best game, what is not certain about it, and what the hands are at."""

    t_us: int
    plies: tuple[ReadPly, ...]
    probability: float
    """Probability of this game, among all that were thought of."""
    p_missing: float
    """Probability that the truth was not thought of."""
    rivals: tuple[Rival, ...]
    lifted: Bitboard
    """Squares of the pieces in the hands."""
    faults: tuple[Fault, ...]
    """What is wrong with the board, as far as it is certain."""
    paused: bool
    """True while so many switches show nothing that plies would be guesses."""
    handling: bool
    """True while what happens is handling rather than play."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the best game."""
        return tuple(ply.move for ply in self.plies)
