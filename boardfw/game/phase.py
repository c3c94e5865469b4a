"""The phase of a game: SETUP, PLAY or OVER, and what leads from one to another."""

from __future__ import annotations

from enum import Enum, auto


class GamePhase(Enum):
    """The phase that a game is in."""

    SETUP = "setup"
    PLAY = "play"
    OVER = "over"


class Cause(Enum):
    """What may change the phase."""

    STANDS = auto()
    """The pieces stand as a game begins."""
    ASKED = auto()
    """A new game is asked for by its button."""
    ENDED = auto()
    """The rules or the players end the game."""
    TAKEN_BACK = auto()
    """The ply that ended the game is taken back."""
    RULED = auto()
    """An arbiter decides how the game goes on, or the button takes a ply back."""


NEXT: dict[tuple[GamePhase, Cause], GamePhase] = {
    (GamePhase.SETUP, Cause.STANDS): GamePhase.PLAY,
    (GamePhase.SETUP, Cause.ASKED): GamePhase.SETUP,
    (GamePhase.SETUP, Cause.RULED): GamePhase.SETUP,
    (GamePhase.SETUP, Cause.ENDED): GamePhase.OVER,
    (GamePhase.PLAY, Cause.STANDS): GamePhase.PLAY,
    (GamePhase.PLAY, Cause.ASKED): GamePhase.SETUP,
    (GamePhase.PLAY, Cause.ENDED): GamePhase.OVER,
    (GamePhase.PLAY, Cause.RULED): GamePhase.SETUP,
    (GamePhase.OVER, Cause.STANDS): GamePhase.PLAY,
    (GamePhase.OVER, Cause.ASKED): GamePhase.SETUP,
    (GamePhase.OVER, Cause.ENDED): GamePhase.OVER,
    (GamePhase.OVER, Cause.TAKEN_BACK): GamePhase.PLAY,
    (GamePhase.OVER, Cause.RULED): GamePhase.SETUP,
}
"""The phase after a cause; what is not in it cannot happen in that phase."""
