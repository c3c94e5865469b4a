"""Ends that people put to a game: agreement, resignation, overstepping the time."""

from __future__ import annotations

from boardfw.rules.board import Color
from boardfw.rules.dead import cannot_win
from boardfw.rules.outcome import DRAW, WINS, Outcome
from boardfw.rules.position import Position


def agreed() -> Outcome:
    """A draw on which both agree (FIDE Laws 5.2.3), which asks that both have made a move."""
    return Outcome(DRAW, "agreement")


def resigned(color: Color, position: Position) -> Outcome:
    """``color`` resigns (FIDE Laws 5.1.2): lost, unless the opponent provably cannot win."""
    return _given_up(color, position, "resignation")


def flag_fell(color: Color, position: Position) -> Outcome:
    """``color`` oversteps the time (FIDE Laws 6.9): lost, unless the opponent cannot win.

    A game that ended before the flag fell, by mate say, has its outcome already. Who cannot be
    proved unable to win, wins.
    """
    return _given_up(color, position, "time")


def _given_up(color: Color, position: Position, termination: str) -> Outcome:
    if cannot_win(position, 1 - color):
        return Outcome(DRAW, termination)
    return Outcome(WINS[1 - color], termination)
