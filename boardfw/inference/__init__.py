"""From switches to explanation: which game do they tell?

Here is the door of the room: rooms that play or show a game import nothing else of it.
"""

from boardfw.inference.beginning import Beginning
from boardfw.inference.evidence import REST_US
from boardfw.inference.game_reader import GameReader
from boardfw.inference.hypothesis import AwaySide
from boardfw.inference.interpretation import (
    AtRest,
    Choosing,
    Interpretation,
    LiftedPiece,
    ReadGame,
    Recorded,
    RivalGame,
)
from boardfw.inference.senses import Senses
from boardfw.sensing.debounce import SETTLE_US, Blip, Edge

__all__ = [
    "REST_US",
    "SETTLE_US",
    "AtRest",
    "AwaySide",
    "Beginning",
    "Blip",
    "Choosing",
    "Edge",
    "GameReader",
    "Interpretation",
    "LiftedPiece",
    "ReadGame",
    "Recorded",
    "RivalGame",
    "Senses",
]
