"""Chess clocks of every kind as immutable values of whole microseconds; time is an argument.

``chess_clock`` is the clock itself and what time each player gets, ``spelling`` writes that as the
PGN tag does. They know nothing of switches, games or screens.
"""

from boardfw.game.clock.chess_clock import (
    SECOND_US,
    ChessClock,
    ClockUse,
    Side,
    Stage,
    TimeControl,
    shown_step_us,
)
from boardfw.game.clock.spelling import control_in_words, format_control, parse_control

__all__ = [
    "SECOND_US",
    "ChessClock",
    "ClockUse",
    "Side",
    "Stage",
    "TimeControl",
    "control_in_words",
    "format_control",
    "parse_control",
    "shown_step_us",
]
