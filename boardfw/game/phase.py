"""What goes on at the table: SETUP, PLAY or OVER, and what turns the one into the other."""

from __future__ import annotations

from enum import Enum, auto


class Table(Enum):
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


NEXT: dict[tuple[Table, Cause], Table] = {
    (Table.SETUP, Cause.STANDS): Table.PLAY,
    (Table.SETUP, Cause.ASKED): Table.SETUP,
    (Table.SETUP, Cause.RULED): Table.SETUP,
    (Table.SETUP, Cause.ENDED): Table.OVER,
    (Table.PLAY, Cause.STANDS): Table.PLAY,
    (Table.PLAY, Cause.ASKED): Table.SETUP,
    (Table.PLAY, Cause.ENDED): Table.OVER,
    (Table.PLAY, Cause.RULED): Table.SETUP,
    (Table.OVER, Cause.STANDS): Table.PLAY,
    (Table.OVER, Cause.ASKED): Table.SETUP,
    (Table.OVER, Cause.ENDED): Table.OVER,
    (Table.OVER, Cause.TAKEN_BACK): Table.PLAY,
    (Table.OVER, Cause.RULED): Table.SETUP,
}
"""The table after something has happened; what is not in it cannot happen there."""
