"""Learns how players move and how switches see them, from plies that are certain."""

from __future__ import annotations

from boardfw.inference.reading.finality import ply_color
from boardfw.inference.reading.habits import Habits, PlayerHabits
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.sliding import p_slid
from boardfw.rules.board import KNIGHT

FIRST_REST_US = 10**9
"""Before their first ply a player rests for long."""


def learn_ply(node: Hypothesis, habits: Habits) -> None:
    """Learn from the last ply of a game how long its player rests, and how they move pieces."""
    last = node.before.before if node.before else None
    rest_us = node.landed_us - last.landed_us if last and last.move else FIRST_REST_US
    player = habits.of(ply_color(node))
    player.add_ply(rest_us, node.way.stops_us)
    _learn_way(node, player)
    if node.move is not None and node.move.captured is not None:
        habits.add_capture(unseen=node.is_unseen)


def _learn_way(node: Hypothesis, habits: PlayerHabits) -> None:
    # A captured piece is in the way of that.
    move = node.move
    if move is None or move.captured is not None or move.is_castling:
        return
    if move.piece_type != KNIGHT:
        slid = p_slid(move, node.way.passed, node.away_us, habits)
        habits.gaps.add(node.away_us, slid)
        habits.carries.add(node.away_us, 1 - slid)
        habits.add_way(slid)
    elif not node.way.passed:
        habits.carries.add(node.away_us)
