"""Pieces that are slid: how sure that is, and how likely a slid piece only passes a square.

A carried piece lands where it goes. A slid one closes every square on its way, and each legal
square beyond is as likely its goal as this one: that is so in real games (measured).
"""

from __future__ import annotations

from boardfw.inference.reading import constants
from boardfw.inference.reading.habits import SHORTEST_US, PlayerHabits
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.rules.attacks import BETWEEN
from boardfw.rules.board import KNIGHT
from boardfw.rules.move import Move
from boardfw.rules.position import Position

SPREAD = 2
"""Power by which long gaps between two squares of a slide are rarer."""
CARRY_SPREAD = 4
"""Power by which short ways through the air are rarer."""


def p_slid(move: Move, passed: int, away_us: int, habits: PlayerHabits) -> float:
    """Return the probability that a piece was slid to its square.

    ``passed``: the squares that closed under it. ``away_us``: from when the last of them, or its
    origin, opened until it arrived.
    """
    way = BETWEEN[move.origin][move.target]
    if way & ~passed:
        return 0.0
    if way:
        return 1.0  # nobody who carries a piece touches each square
    away = max(away_us, SHORTEST_US)
    longer_when_slid = 1 / (1 + (away / habits.gap.us) ** SPREAD)
    shorter_when_carried = 1 / (1 + (habits.carry.us / away) ** CARRY_SPREAD)
    slid = habits.p_slide * longer_when_slid
    return slid / (slid + (1 - habits.p_slide) * shorter_when_carried)


def odds_to_pass(before: Position, move: Move, slid: float) -> float:
    """Return the odds that a piece only passes its square, which it was probably ``slid`` to.

    A carried piece may come low over the square before its goal.
    """
    if move.captured is not None:
        return 0.0
    origin, target = move.origin, move.target
    beyond = sum(
        constants.CASTLES if one.is_castling else 1.0
        for one in before.legal_moves()
        if one.origin == origin and BETWEEN[origin][one.target] >> target & 1
    )
    return slid * beyond + (1 - slid) * constants.P_LOW if beyond else 0.0


def learn_slide(node: Hypothesis, habits: PlayerHabits) -> None:
    """Learn from a ply how its player moves pieces. A captured piece is in the way of that."""
    move = node.move
    if move is None or move.captured is not None or move.is_castling:
        return
    if move.piece_type != KNIGHT:
        habits.add_way(node.away_us, node.slid)
    elif not node.way.passed:
        habits.carry.add(node.away_us)
