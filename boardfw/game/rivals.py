"""Which games are nearly as credible as the best one."""

from __future__ import annotations

from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker


def near(tracker: Tracker, margin: float) -> list[Line]:
    """The lines alive whose credit comes as near as this to the best one's, itself among them."""
    least = tracker.credit(tracker.best) - margin
    return [line for line in tracker.lines if tracker.credit(line) >= least]
