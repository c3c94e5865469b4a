"""From switches to explanation: which game do they tell?

Here is the door of the room: rooms that play or show a game import nothing else of it.
"""

from boardfw.inference.choice import ORDER
from boardfw.inference.evidence import CHOICE_US, REST_US
from boardfw.inference.interpretation import (
    AtRest,
    AwaySide,
    Choosing,
    Interpretation,
    LiftedPiece,
    ReadGame,
    RecordedPlies,
    RivalGame,
)
from boardfw.inference.senses import Senses
from boardfw.inference.which_reader import StartingGames, SwitchReader
from boardfw.sensing.debounce import SETTLE_US, Blip, Edge

__all__ = [
    "CHOICE_US",
    "ORDER",
    "REST_US",
    "SETTLE_US",
    "AtRest",
    "AwaySide",
    "Blip",
    "Choosing",
    "Edge",
    "Interpretation",
    "LiftedPiece",
    "ReadGame",
    "RecordedPlies",
    "RivalGame",
    "Senses",
    "StartingGames",
    "SwitchReader",
]
