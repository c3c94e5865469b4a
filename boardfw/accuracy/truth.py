"""What hands really played, ply by ply: the measure of what was recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from boardfw.squares import NO_SWITCHES, Occupancy

KNOWN_US = 50_000
"""A contact is known only when it has arrived, bounced and settled."""


@dataclass(frozen=True, slots=True)
class PlyTruth:
    """One ply as it was played; times in microseconds of the trace.

    ``twins``: other promotions of the same pawn, which the board cannot tell from this one before
    the last put-back.
    """

    uci: str
    begin_us: int
    """When its first piece was touched."""
    landed_us: int
    """When the last touch was made that the move needs."""
    contact_us: int
    """When a switch of the ply last changed, bounces included: it cannot be known before."""
    tags: tuple[str, ...] = ()
    """What the hands did, in plain words."""
    twins: tuple[str, ...] = ()
    undone_us: tuple[int, ...] = ()
    """When the hands began to take it back, each time: they played it again."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Another move that the hands let stand on the board as ply ``ply`` (0 = the first).

    ``since_us``: when its first piece was touched; ``until_us``: when something else stood.
    """

    ply: int
    uci: str
    since_us: int
    until_us: int


@dataclass(frozen=True, slots=True)
class GameTruth:
    """One game as it was played, and how to play it again: by these hands, with this seed."""

    kind: str
    number: int
    """Of the games that this kind of hands played, 1 = the first."""
    name: str
    seed: int
    start_fen: str
    plies: tuple[PlyTruth, ...]
    end_us: int
    """Until when the board was watched."""
    shown: tuple[Shown, ...] = ()
    broken: Occupancy = NO_SWITCHES
    """Switches that were broken or wired wrong, for some of the time at least."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The game in UCI."""
        return tuple(ply.uci for ply in self.plies)

    def at(self, ply: int) -> PlyTruth | None:
        """The ply with this index, if the game has one."""
        return self.plies[ply] if ply < len(self.plies) else None

    def is_played(self, ply: int, uci: str) -> bool:
        """Whether this move is the game's."""
        there = self.at(ply)
        return there is not None and there.uci == uci

    def was_shown(self, ply: int, uci: str, t_us: int) -> bool:
        """Whether the hands let this other move stand, as far as anybody could know then."""
        return any(
            shown.since_us <= t_us <= shown.until_us + KNOWN_US for shown in self._shown(ply, uci)
        )

    def was_undone(self, ply: int, uci: str, t_us: int) -> bool:
        """Whether the hands had begun by then to undo this move, one of the game or one shown."""
        if any(shown.since_us <= t_us for shown in self._shown(ply, uci)):
            return True
        there = self.at(ply)
        undone = there.undone_us if there is not None and there.uci == uci else ()
        return any(undone_us <= t_us for undone_us in undone)

    def excused_us(self, ply: int, uci: str, until_us: int) -> int:
        """Until when this wrong move could be seen on the board, if it stood until ``until_us``."""
        times = [shown.until_us for shown in self._shown(ply, uci) if shown.since_us <= until_us]
        there = self.at(ply)
        if there is not None and uci in there.twins:
            times.append(there.landed_us)
        return max(times, default=0)

    def _shown(self, ply: int, uci: str) -> Iterator[Shown]:
        return (one for one in self.shown if (one.ply, one.uci) == (ply, uci))
