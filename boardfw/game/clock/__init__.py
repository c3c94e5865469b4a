"""Chess clocks of every kind as immutable values of whole microseconds; time is an argument.

``control`` says what time each player gets, ``spelling`` writes it as the PGN tag does, and
``chess_clock`` is the clock itself. They know nothing of boards, games or screens.
"""

from boardfw.game.clock.chess_clock import ChessClock, Side, shown_step_us
from boardfw.game.clock.control import SECOND_US, Stage, TimeControl
from boardfw.game.clock.spelling import control_in_words, format_control, parse_control

__all__ = [
    "SECOND_US",
    "ChessClock",
    "Side",
    "Stage",
    "TimeControl",
    "control_in_words",
    "format_control",
    "parse_control",
    "shown_step_us",
]
