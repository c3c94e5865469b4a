"""What follows the games of a run: writes them, copies them, reports them."""

from __future__ import annotations

from typing import Protocol

from boardfw.game.events import Action, Amended, Ended, Moved, NewGame, Ruled, TakenBack
from boardfw.shell.desk import Desk

RECORDED = (Moved, Amended, TakenBack, Ended, Ruled, NewGame)
"""Actions after which the PGN is another one."""


class Follower(Protocol):
    """All calls come from the loop's thread and return at once."""

    def start(self, desk: Desk) -> None:
        """The run begins."""

    def take(self, said: list[Action]) -> None:
        """The session has taken an event, and said this."""

    def stop(self) -> None:
        """The run is over; wait for what is still to be done."""


def is_another_game(said: list[Action]) -> bool:
    """Whether the games are others than they were before this was said."""
    return any(isinstance(action, RECORDED) for action in said)
