"""Which games are nearly as credible as the best one, and which of them tell it otherwise."""

from __future__ import annotations

from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker
from boardfw.inference.weights import RIVAL, RIVAL_OF_FINAL
from boardfw.rules import Move


def near(tracker: Tracker, margin: float = RIVAL) -> list[Line]:
    """The lines alive whose credit comes as near as this to the best one's, itself among them."""
    least = tracker.credit(tracker.best) - margin
    return [line for line in tracker.lines if tracker.credit(line) >= least]


def rivals(tracker: Tracker, margin: float = RIVAL) -> list[Line]:
    """Lines that tell the plies so far otherwise and are nearly as credible as the best."""
    told = tracker.best.moves
    return [line for line in near(tracker, margin) if not line.begins_with(told)]


def opposed(tracker: Tracker) -> bool:
    """Whether another game is too near for the last ply to be final.

    What a pawn became is decided by its put-backs: that others differ in it alone is no rivalry.
    """
    others = rivals(tracker, RIVAL_OF_FINAL)
    if not others:
        return False  # nearly always
    told = tracker.best.moves
    return contested(tracker) or any(not _by_the_same_hands(line.moves, told) for line in others)


def same_hands(one: Move, other: Move) -> bool:
    """Whether hands do the same in two moves, whatever a pawn becomes."""
    return one is other or (one.steps(), one.victim) == (other.steps(), other.victim)


def _by_the_same_hands(moves: tuple[Move, ...], told: tuple[Move, ...]) -> bool:
    return len(moves) >= len(told) and all(map(same_hands, moves, told))


def contested(tracker: Tracker) -> bool:
    """Whether the best line has a rival."""
    return bool(rivals(tracker))
