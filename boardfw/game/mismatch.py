"""What stands on the board and should not: told once the hands have been off it for a moment."""

from __future__ import annotations

from boardfw.game.events import Action, MismatchCleared, Mismatched
from boardfw.inference.line import Line
from boardfw.inference.planner import Step, plan
from boardfw.inference.tracker import Tracker
from boardfw.inference.weights import REST_US
from boardfw.rules.board import kept
from boardfw.squares import Occupancy

UNFINISHED_US = 3_000_000
"""A ply of two men may stop half-way for so long before the board says what is wanting."""


class Mismatch:
    """Watches whether the board at rest is what the game says."""

    def __init__(self) -> None:
        self.missing: Occupancy = 0
        """Squares (of the game) that want a man; 0 while nothing is wrong."""
        self.extra: Occupancy = 0
        """Squares (of the game) whose man should not stand there; 0 while nothing is wrong."""
        self.repair: tuple[Step, ...] = ()
        """The fewest actions back, the men who stand on extra squares taken for those missing."""

    def watch(self, t_us: int, rest_us: int, tracker: Tracker) -> list[Action]:
        """Compare the board, at rest for ``rest_us``, with the game; what is to be said."""
        missing, extra = difference(tracker.best, tracker.trace.now)
        if not extra:
            return self.clear(t_us)
        half_way = tracker.lines[0].owed
        if rest_us < (UNFINISHED_US if half_way else REST_US):
            return []
        if (missing, extra) == (self.missing, self.extra):
            return []
        self.missing, self.extra = missing, extra
        wanted = tracker.best.position.placement
        self.repair = plan(kept(wanted, ~missing), wanted, extra)
        return [Mismatched(t_us, missing, extra)]

    def clear(self, t_us: int) -> list[Action]:
        """Nothing is wrong any more."""
        if not self.extra:
            return []
        self.missing = self.extra = 0
        self.repair = ()
        return [MismatchCleared(t_us)]


def difference(line: Line, standing: Occupancy) -> tuple[Occupancy, Occupancy]:
    """(missing, extra) squares of the game; men merely lifted leave ``extra`` empty."""
    wrong = line.wrong(standing)
    return line.switches(wrong & line.expected), line.switches(wrong & standing)
