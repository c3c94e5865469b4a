"""Faults of a board, as a part of a hypothesis: which switches show nothing, and since when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from boardfw.squares import Bitboard, bitboard_of, square_at, squares_in


class FaultKind(Enum):
    """What may be wrong with a board."""

    DEAD = "a switch keeps its level, whatever is on its square"
    LINE = "all switches of a chip, a row or a wire keep their level"
    PARKED = "a captured piece stands where the game has none"
    MIRRORED = "the files are wired the other way round"
    SWAPPED = "the wires of two squares are exchanged"


MOST_IN_ORDER = 2
"""One ply of each player: who was to move made the first."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with a board, as a hypothesis has it."""

    kind: FaultKind
    squares: Bitboard
    """The squares whose switches show nothing."""
    since_us: int
    """When it was first thought of; the fault may be older."""
    ply: int = 0
    """So many plies had been played then."""
    is_known: bool = False
    """True if it was known when the game began."""
    over_us: int | None = None
    """When the switches worked again; None: not yet."""
    over_ply: int = 0
    """So many plies had been played then."""

    @property
    def hid_order(self) -> bool:
        """True if a player may have made two plies meanwhile, in an order that nobody saw."""
        return self.kind is FaultKind.LINE and self.over_ply - self.ply >= MOST_IN_ORDER


RANKS = tuple(bitboard_of(square_at(file, rank) for file in range(8)) for rank in range(8))
FILES = tuple(bitboard_of(square_at(file, rank) for rank in range(8)) for file in range(8))
PAIRS = tuple(RANKS[n] | RANKS[n + 1] for n in range(0, 8, 2))
LINES = (*RANKS, *FILES, *PAIRS)
"""Switches that share a wire of a matrix, or a chip with 8 or 16 inputs."""


def squares_of(faults: Iterable[Fault]) -> Bitboard:
    """Return the squares that no switch shows because of these faults."""
    squares = 0
    for fault in faults:
        if fault.over_us is None:
            squares |= fault.squares
    return squares


def is_paused(faults: Iterable[Fault]) -> bool:
    """True if so many switches show nothing that plies would be guesses."""
    return any(fault.kind is FaultKind.LINE and fault.over_us is None for fault in faults)


def announced(dead: Bitboard, plies: int) -> tuple[Fault, ...]:
    """Return the faults that are known when a game begins, or goes on after so many plies."""
    return tuple(
        Fault(FaultKind.DEAD, 1 << square, 0, plies, is_known=True) for square in squares_in(dead)
    )
