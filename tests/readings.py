"""The announced game of the reader on trial, with its doubts, for tests and the bench."""

from __future__ import annotations

from dataclasses import dataclass

from boardfw.inference.reading import Reader
from boardfw.rules.move import Move
from boardfw.squares import Bitboard


@dataclass(frozen=True, slots=True)
class ReadPly:
    """One ply of the announced game, and the probability that it will turn out otherwise."""

    move: Move
    doubt: float
    final_for: int
    """It is final for so many of the reader's limits, the loosest first."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Another game that explains the board, from the first ply that differs."""

    probability: float
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The announced game, what is not certain about it, and what the hands hold."""

    plies: tuple[ReadPly, ...]
    probability: float
    """Probability of this game, among all that were thought of."""
    rivals: tuple[Rival, ...]
    lifted: Bitboard
    """Squares of the pieces in the hands."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the announced game."""
        return tuple(ply.move for ply in self.plies)


def reading_of(reader: Reader) -> Reading:
    """Return the game that a reader announces now, with its doubts and rivals."""
    game, doubts = reader.game, reader.doubts
    weighed = reader.credible
    plies = zip(game.moves(), [0.0] * (game.depth - len(doubts)) + [*doubts], strict=True)
    return Reading(
        tuple(
            ReadPly(move, doubt, sum(n < final for final in reader.final))
            for n, (move, doubt) in enumerate(plies)
        ),
        sum(weight for other, weight in weighed if other is game),
        tuple(
            Rival(weight, other.moves(game.shared_with(other)))
            for other, weight in weighed
            if other is not game
        ),
        game.occupied & ~reader.shown,
    )
