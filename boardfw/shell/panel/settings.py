"""What the owner of a board may choose about its panel."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from boardfw.ports import BUTTONS, Button

SHUT_DOWN: Final = "shut_down"
"""Not for the game: the program is to end, all plies kept."""
NOTHING: Final = ""

Meaning = Annotated[
    Literal[Button, "shut_down", ""],
    Meta(description=f"one of {', '.join(map(repr, BUTTONS))}, '{SHUT_DOWN}', or '' for nothing"),
]
Beeps = Annotated[
    Literal["all", "trouble", "none"],
    Meta(description="'all', 'trouble' (what is wrong, and questions) or 'none'"),
]
Allowed = Annotated[bool, Meta(description="true or false")]


class ShortPresses(msgspec.Struct, frozen=True, kw_only=True):
    """What each button means when it is pressed: what it is called, unless somebody wants else."""

    new_game: Meaning = "new_game"
    draw: Meaning = "draw"
    claim: Meaning = "claim"
    resign_white: Meaning = "resign_white"
    resign_black: Meaning = "resign_black"
    clock_white: Meaning = "clock_white"
    clock_black: Meaning = "clock_black"
    pause: Meaning = "pause"
    take_back: Meaning = "take_back"
    hint: Meaning = "hint"
    answer_1: Meaning = "answer_1"
    answer_2: Meaning = "answer_2"
    answer_3: Meaning = "answer_3"
    answer_4: Meaning = "answer_4"


class LongPresses(msgspec.Struct, frozen=True, kw_only=True):
    """What each button means when it is held.

    One that means nothing then acts at once when it is pressed; so the clock's have no second
    meaning.
    """

    new_game: Meaning = SHUT_DOWN
    draw: Meaning = "claim"
    claim: Meaning = NOTHING
    resign_white: Meaning = NOTHING
    resign_black: Meaning = NOTHING
    clock_white: Meaning = NOTHING
    clock_black: Meaning = NOTHING
    pause: Meaning = NOTHING
    take_back: Meaning = NOTHING
    hint: Meaning = "pause"
    answer_1: Meaning = NOTHING
    answer_2: Meaning = NOTHING
    answer_3: Meaning = NOTHING
    answer_4: Meaning = NOTHING


class PanelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Buttons and buzzer."""

    beeps: Beeps = "all"
    power_off: Allowed = False
    short: ShortPresses = ShortPresses()
    long: LongPresses = LongPresses()
