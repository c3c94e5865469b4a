"""The chess clock in words: what both players have left, and whose time runs."""

from __future__ import annotations

from boardfw.game.clock import SECOND_US, ChessClock, shown_step_us
from boardfw.rules.board import BLACK, COLOR_NAMES, WHITE, Color

RUNNING = "►"


def clock_words(clock: ChessClock, t_us: int) -> str:
    """``►White 4:59  Black 9.5 +2`` at an instant.

    Behind the time stands how many periods of byo-yomi are left.
    """
    return "  ".join(_side(clock, color, t_us) for color in (WHITE, BLACK))


def _side(clock: ChessClock, color: Color, t_us: int) -> str:
    fallen = clock.flag_fallen(t_us)
    mark = RUNNING if clock.is_running and clock.turn == color and fallen is None else ""
    flag = " flag" if fallen == color else ""
    periods = clock.periods(color, t_us)
    left = f" +{periods}" if periods else ""
    return f"{mark}{COLOR_NAMES[color]} {time_words(clock.remaining_us(color, t_us))}{left}{flag}"


def time_words(time_us: int) -> str:
    """``1:30:00``, ``4:59``, and from ten seconds down ``9.5``; rounded up, so 0 is the end."""
    step_us = shown_step_us(time_us)
    steps = -(-time_us // step_us)
    if step_us < SECOND_US:
        return f"{steps // 10}.{steps % 10}"
    minutes, seconds = divmod(steps, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
