"""How long a person would think about a move, so that an opponent does not answer like a machine.

A guess, and meant as one: nobody is fooled, but a reply in two milliseconds leaves no time to look
up from the board, and a clock that never runs is no game with a clock.
"""

from __future__ import annotations

import random

from boardfw.game.clock import SECOND_US
from boardfw.game.opponent import Situation, Times
from boardfw.rules import Color, Position

LEAST_US, MOST_US = SECOND_US // 2, 20 * SECOND_US
WITHOUT_CLOCK_US = 4 * SECOND_US
"""For a move of no special kind in a game without a clock."""
MOVES_LEFT = 40
"""For how many moves a player keeps time who does not know how long the game will be."""
OPENING_PLIES = 12
HURRY_US = 30 * SECOND_US
"""With less left, nothing but the clock decides."""
LEFT_SHARE = 10
"""Never more than this part of what is left."""


def human_time_us(situation: Situation, position: Position, chance: random.Random) -> int:
    """How long a person may take for this move, microseconds."""
    usual_us, most_us, least_us = bounds_us(situation.times, situation.color)
    time_us = usual_us * _interest(situation, position) * chance.lognormvariate(0, 0.35)
    return round(min(max(time_us, least_us), most_us))


def bounds_us(times: Times | None, color: Color) -> tuple[int, int, int]:
    """The usual time for a move, the longest and the shortest, by the clock, microseconds."""
    if times is None:
        return WITHOUT_CLOCK_US, MOST_US, LEAST_US
    left_us = times.left_us[color]
    stage = times.control.place(times.moves_made[color] + 1).stage
    moves_left = max(2, times.moves_to_control(color) or MOVES_LEFT)
    each_us = max(stage.increment_us, stage.delay_us, stage.refund_us, stage.period_us)
    most_us = min(MOST_US, left_us // LEFT_SHARE)
    if left_us < HURRY_US:
        return left_us // MOVES_LEFT, most_us, 0
    return left_us // moves_left + each_us * 3 // 4, most_us, min(LEAST_US, most_us)


def _interest(situation: Situation, position: Position) -> float:
    """How long this position is thought about, compared with others."""
    moves = position.legal_moves()
    if len(moves) == 1:
        return 0.2
    played = situation.moves
    if len(played) < OPENING_PLIES:
        return 0.4
    if played[-1].captured is not None and any(
        move.target == played[-1].target for move in position.captures()
    ):
        return 0.5
    return 0.6 + min(len(moves), 50) / 50
