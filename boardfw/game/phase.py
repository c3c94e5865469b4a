"""What goes on at the table: SETUP, PLAY or OVER, and what turns the one into the other."""

from __future__ import annotations

from enum import Enum, auto


class GamePhase(Enum):
    """What goes on at the table."""

    SETUP = "setup"
    PLAY = "play"
    OVER = "over"


class Cause(Enum):
    """What happens at the table."""

    STANDS = auto()
    """The men stand as a game begins."""
    ASKED = auto()
    """Somebody asks for a new game by its button."""
    ENDED = auto()
    """The rules or the players end the game."""
    TAKEN_BACK = auto()
    """The ply that ended the game is taken back."""
    RULED = auto()
    """An arbiter says how the game goes on, or the button takes a ply back."""


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
"""The table after something has happened; what is not in it cannot happen there."""
