"""Pieces that are slid: how sure that is, and how likely a slid piece only passes a square.

A carried piece lands where it goes. A slid one closes every square on its way, and each legal
square beyond is as likely its goal as this one: that is so in real games (measured).
"""

from __future__ import annotations

from collections.abc import Iterable

from boardfw.inference.reading import constants
from boardfw.inference.reading.habits import PlayerHabits
from boardfw.rules.attacks import BETWEEN
from boardfw.rules.move import Move
from boardfw.squares import Bitboard


def p_slid(move: Move, passed: Bitboard, away_us: int, habits: PlayerHabits) -> float:
    """Return the probability that a piece was slid to its square.

    ``passed``: the squares that closed under it. ``away_us``: from when the last of them, or its
    origin, opened until it arrived.
    """
    way = BETWEEN[move.origin][move.target]
    if way & ~passed:
        return 0.0
    if way:
        return 1.0  # nobody who carries a piece touches each square
    slid = habits.p_slide * habits.gaps.longer(away_us)
    return slid / (slid + (1 - habits.p_slide) * (1 - habits.carries.longer(away_us)))


def squares_beyond(moves: Iterable[Move], move: Move) -> float:
    """Return how many of these moves go on over the square of one; castling counts for many."""
    if move.captured is not None:
        return 0.0
    origin, target = move.origin, move.target
    return sum(
        constants.CASTLES if one.is_castling else 1.0
        for one in moves
        if one.origin == origin and BETWEEN[origin][one.target] >> target & 1
    )


def odds_to_pass(moves: Iterable[Move], move: Move, slid: float) -> float:
    """Return the odds that a piece only passes its square, which it was probably ``slid`` to.

    ``moves``: those that hands could have made instead.
    A carried piece may come low over the square before its goal.
    """
    beyond = squares_beyond(moves, move)
    return slid * beyond + (1 - slid) * constants.P_LOW if beyond else 0.0
