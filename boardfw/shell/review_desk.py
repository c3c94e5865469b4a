"""A desk at which a game that is over can be looked back at: its turning points, with lights.

The button ``hint`` asks for it once the players have no game to play. Somebody else finds the
turning points meanwhile (``review_seat.py``); then a tutor leads the pieces (``taught_desk.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from boardfw.game.events import Action, Event
from boardfw.game.phase import Over
from boardfw.game.record import Record
from boardfw.game.session import Session
from boardfw.game.setup.planned_game import KnownSetup
from boardfw.lights.cue import Cue
from boardfw.lights.scene import Scene
from boardfw.ports import Pressed
from boardfw.recording import Press
from boardfw.shell.config import Settings
from boardfw.shell.taught_desk import Keep, TaughtDesk, keep_nothing
from boardfw.squares import bitboard_of, square_at

if TYPE_CHECKING:  # most games are never looked back at
    from boardfw.learning.source import Source
    from boardfw.learning.tutor import Tutor

ASKS: Pressed = "hint"
"""The button that asks for it, and gives it up while it is not there yet."""
STEPS = 8
"""Squares of the fourth rank, one for each part of the game that has been looked at."""


class ReviewDesk(TaughtDesk):
    """A desk of games, and between them of one that is over."""

    def __init__(self, session: Session, settings: Settings) -> None:
        self.can_look_back = False
        """Whether somebody is there to find turning points."""
        self.wanted: Record | None = None
        """The game whose turning points are wanted; None: nobody wants any."""
        self._done = 0
        """So many of ``STEPS`` have been made to find them."""
        self._shows_turns = False
        """Whether the last tutor shows, or has shown, turning points."""
        super().__init__(session, settings)

    @property
    def is_over(self) -> bool:
        """Whether there is a game that could be looked back at."""
        return isinstance(self.session.phase, Over) and bool(self.session.record.moves)

    @property
    def may_look_back(self) -> bool:
        """Whether a button asks for turning points now, or gives them up again."""
        return self.can_look_back and self.is_over and not self.is_taught

    @property
    def is_looking_back(self) -> bool:
        """Whether a tutor leads the pieces through the turning points of the last game."""
        return self.is_taught and self._shows_turns

    def take(self, event: Event) -> list[Action]:
        """As of a desk at which a tutor may lead the pieces; one button asks for turning points."""
        if self._asks(event):
            said = self.session.handle(event)
            self._touched(event)
            self._want(None if self.wanted else self.session.record)
            return said
        said = super().take(event)
        if self.wanted is not None and not (self.is_over and self.session.record is self.wanted):
            self._want(None)
        return said

    def _asks(self, event: Event) -> bool:
        is_asked = isinstance(event, Press) and event.button == ASKS
        return is_asked and self.may_look_back

    def _want(self, record: Record | None) -> None:
        self.wanted, self._done = record, 0
        self._show(self.view)

    def teach(self, make: Callable[[KnownSetup], Tutor], keep: Keep = keep_nothing) -> None:
        """As of ``TaughtDesk``; no other turning points are wanted any more."""
        self.wanted, self._done, self._shows_turns = None, 0, False
        super().teach(make, keep)

    # --- called by whoever finds the turning points

    def note_progress(self, share: float) -> None:
        """So much has been looked at, 0 to 1."""
        done = int(share * STEPS)
        if self.wanted is not None and done != self._done:
            self._done = done
            self._show(self.view)

    def give_up(self) -> None:
        """There is nothing to show."""
        self._want(None)

    def look_back(self, source: Source) -> None:
        """Show the turning points of the game that is wanted."""
        from boardfw.learning.tutor import Tutor

        self.teach(lambda stood: Tutor(source, self.settings.settle.square_us, stood))
        self._shows_turns = True

    def _draw(self) -> Scene:
        if self.wanted is not None:
            return Scene(((Cue.LOOKED_AT, _row(self._done)),), self.view.orientation)
        return super()._draw()


def _row(done: int) -> int:
    """The squares that say how much is done; one is lit from the beginning."""
    return bitboard_of(square_at(file, 3) for file in range(max(1, done)))
