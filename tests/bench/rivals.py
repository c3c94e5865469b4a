"""Two programs at the same work, in turn within one process; machines differ, ratios hardly."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import NamedTuple

ROUNDS = 5
"""Each program's quickest round counts: noise only ever adds."""


class Figure(NamedTuple):
    """What one row measured, in seconds of processor time, and the ratio that it should reach."""

    what: str
    ours: float
    theirs: float
    target: float

    @property
    def ratio(self) -> float:
        """How many times quicker than the rival."""
        return self.theirs / self.ours

    def line(self) -> str:
        """The row as it is printed; an asterisk marks a row short of its target."""
        short = " " if self.ratio >= self.target else "*"
        return (
            f"{self.what:44} {self.ours * 1000:9.2f} ms {self.theirs * 1000:9.2f} ms"
            f" {self.ratio:6.1f} x {self.target:5.1f}{short}"
        )


TITLE = f"{'':44} {'boardfw':>12} {'python-chess':>12} {'ratio':>8} {'wanted':>6}"


def compare(
    what: str,
    target: float,
    ours: Callable[[], Callable[[], object]],
    theirs: Callable[[], Callable[[], object]],
) -> Figure:
    """Let both work in turn and print the row.

    ``ours`` and ``theirs`` prepare a round, which is not timed, and give its work: whatever a
    program remembers about a value is then fresh in every round.
    """
    figure = Figure(what, *in_turn(ours, theirs), target)
    print(figure.line())
    return figure


def in_turn(
    one: Callable[[], Callable[[], object]], other: Callable[[], Callable[[], object]]
) -> tuple[float, float]:
    """Seconds of processor time of the quickest round of either, prepared as in ``compare``."""
    one()()  # tables fill as they are asked, once in the life of a program
    other()()
    rounds = [(_spent(one()), _spent(other())) for _ in range(ROUNDS)]
    return min(r[0] for r in rounds), min(r[1] for r in rounds)


def _spent(work: Callable[[], object]) -> float:
    """Seconds of processor time that this work takes, the collector of cycles at rest."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        work()
        return time.process_time() - start
    finally:
        gc.enable()
