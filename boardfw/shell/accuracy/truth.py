"""What hands really played, ply by ply: the measure of what was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

KNOWN_US = 50_000
"""A contact is known only when it has arrived, bounced and settled."""


@dataclass(frozen=True, slots=True)
class PlyTruth:
    """One ply as it was played; times in microseconds of the trace.

    ``shown``: other legal moves that the hands let stand on the board before they made this one
    (the wrong square, the rook before the king). ``twins``: other promotions of the same pawn,
    which the board cannot tell from this one before the last put-back.
    """

    uci: str
    begin_us: int
    """When its first man was touched."""
    contact_us: int
    """When the last contact was made, or broken, that the move needs."""
    end_us: int
    tags: tuple[str, ...] = ()
    """What the hands did, in plain words."""
    shown: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()
    taken_back: bool = False
    """Whether the hands played it, took it back, and played it again."""

    def was_shown(self, uci: str, t_us: int) -> bool:
        """Whether the board may have shown this other move up to an instant."""
        return uci in self.shown and t_us <= self.contact_us + KNOWN_US

    def was_undone(self, uci: str, t_us: int) -> bool:
        """Whether the hands may have undone this move here, by an instant."""
        return t_us >= self.begin_us and (self.taken_back or uci in self.shown)


@dataclass(frozen=True, slots=True)
class GameTruth:
    """One game as it was played, and how to play it again: by these hands, with this seed."""

    kind: str
    number: int
    """Of the games that this kind of hands played, 1 = the first."""
    name: str
    seed: int
    start_fen: str
    plies: Sequence[PlyTruth]
    end_us: int
    """Until when the board was watched."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The game in UCI."""
        return tuple(ply.uci for ply in self.plies)
