"""What stands on the board and should not: told once the hands have been off it for a moment."""

from __future__ import annotations

from boardfw.game.events import (
    Action,
    MismatchCleared,
    Mismatched,
)
from boardfw.inference.evidence import REST_US
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.planner import Step, plan
from boardfw.inference.tracker import Tracker
from boardfw.rules.board import kept
from boardfw.squares import Occupancy, distance

UNFINISHED_US = 3_000_000
"""A ply of two pieces, or a slide over a border, may stop half-way for this long before the board
says what is missing."""


class Mismatch:
    """Watches whether the board at rest is what the game says."""

    def __init__(self) -> None:
        self.missing: Occupancy = 0
        """Squares of the game that lack a piece; 0 while nothing is wrong."""
        self.extra: Occupancy = 0
        """Squares of the game with a piece that should not stand there; 0 if nothing is wrong."""
        self.repair: tuple[Step, ...] = ()
        """The fewest actions to repair it; extra pieces are taken for the missing ones."""

    def watch(self, t_us: int, rest_us: int, tracker: Tracker) -> list[Action]:
        """Compare the board, at rest for ``rest_us``, with the game; return what is to be said."""
        missing, extra = difference(tracker.best, tracker.trace.now)
        if not extra:
            return self.clear(t_us)
        half_way = tracker.hypotheses[0].owed or _on_a_border(tracker.best, missing, extra)
        if rest_us < (UNFINISHED_US if half_way else REST_US):
            return []
        if (missing, extra) == (self.missing, self.extra):
            return []
        self.missing, self.extra = missing, extra
        wanted = tracker.best.position.placement
        self.repair = plan(kept(wanted, ~missing), wanted, extra)
        return [Mismatched(t_us, missing, extra)]

    def clear(self, t_us: int) -> list[Action]:
        """End the mismatch."""
        if not self.extra:
            return []
        self.missing = self.extra = 0
        self.repair = ()
        return [MismatchCleared(t_us)]


def _on_a_border(hypothesis: Hypothesis, missing: Occupancy, extra: Occupancy) -> bool:
    """Whether a piece may merely rest on its path to the next square, holding both switches."""
    if missing or extra.bit_count() > 1:
        return False
    target = extra.bit_length() - 1
    begun = {move.origin for move in hypothesis.position.legal_moves() if move.target == target}
    if hypothesis.parent is not None and len(hypothesis.targets()) == 1:
        # The last piece may be going on.
        moves = hypothesis.parent.position.legal_moves()
        last = hypothesis.moves[-1]
        begun |= {last.target for m in moves if (m.origin, m.target) == (last.origin, target)}
    return any(distance(origin, target) == 1 for origin in begun)


def difference(hypothesis: Hypothesis, standing: Occupancy) -> tuple[Occupancy, Occupancy]:
    """(missing, extra) squares of the game; pieces merely lifted leave ``extra`` empty."""
    wrong = hypothesis.wrong(standing)
    return hypothesis.switches(wrong & hypothesis.expected), hypothesis.switches(wrong & standing)
