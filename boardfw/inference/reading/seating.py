"""What a game knows of its table: which way round the board lies, and who is not there."""

from __future__ import annotations

from typing import NamedTuple

from boardfw.inference.interpretation import AwaySide
from boardfw.squares import Orientation


class Seating(NamedTuple):
    """The table of a game; all hypotheses of one reader share it."""

    orientation: Orientation = Orientation.AS_WIRED
    """Which way round the board lies."""
    away: AwaySide | None = None
    """The side whose player is not at the board; None if there is none."""


BOTH_AT_THE_BOARD = Seating()
