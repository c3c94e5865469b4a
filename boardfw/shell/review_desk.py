"""A desk at which a game that is over can be looked back at: its turning points, with lights.

The button ``hint`` asks for it once the players have no game to play. Somebody else finds the
turning points meanwhile (``review_seat.py``); then a tutor leads the pieces, and the session is
told of no touch until that is over. It goes on as after the button for a new game.
"""

from __future__ import annotations

from dataclasses import replace

from boardfw.game.events import Action, Event, Notified, Outage, Restored, Tick
from boardfw.game.phase import Over
from boardfw.game.record import Record
from boardfw.game.session import Session
from boardfw.game.setup.placing import pieces_of
from boardfw.game.setup.planned_game import KnownSetup
from boardfw.learning.lesson import Lesson, Phase
from boardfw.learning.source import Source
from boardfw.learning.tutor import Tutor
from boardfw.lights.cue import Cue
from boardfw.lights.lesson_scene import lesson_scene
from boardfw.lights.scene import Scene
from boardfw.ports import Pressed
from boardfw.recording import Press, Scan
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk
from boardfw.squares import bitboard_of, square_at

ASKS: Pressed = "hint"
"""The button that asks for it, and gives it up while it is not there yet."""
ENDS: Pressed = "new_game"
"""The button that ends it before its end."""
STEPS = 8
"""Squares of the fourth rank, one for each part of the game that has been looked at."""


class ReviewDesk(Desk):
    """A desk of games, and between them of one that is over."""

    def __init__(self, session: Session, settings: Settings) -> None:
        self.can_look_back = False
        """Whether somebody is there to find turning points."""
        self.wanted: Record | None = None
        """The game whose turning points are wanted; None: nobody wants any."""
        self._done = 0
        """So many of ``STEPS`` have been made to find them."""
        self._tutor: Tutor | None = None
        self._lesson: Lesson | None = None
        """What the tutor shows; both None: nothing is looked back at."""
        self._since_us = 0
        """When the session was last told of the switches."""
        super().__init__(session, settings)

    @property
    def is_looking_back(self) -> bool:
        """Whether turning points are being shown."""
        return self._tutor is not None

    @property
    def is_over(self) -> bool:
        """Whether there is a game that could be looked back at."""
        return isinstance(self.session.phase, Over) and bool(self.session.record.moves)

    def take(self, event: Event) -> list[Action]:
        """As of a desk of games; while turning points are shown the session hears no touch."""
        if self._tutor is not None and isinstance(event, Scan | Press | Tick | Outage | Restored):
            return self._teach_on(self._tutor, event)
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
        return is_asked and self.can_look_back and self.is_over

    def _want(self, record: Record | None) -> None:
        self.wanted, self._done = record, 0
        self._show(self.view)

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

    def look_back(self, source: Source) -> list[str]:
        """Show the turning points of the game that is wanted; the sentences about the first one."""
        session, game = self.session, self.session.hypothesis
        standing = session.trace.now
        stood = KnownSetup(
            pieces_of(game.position, standing, game.orientation),
            game.orientation,
            session.stuck.known,
        )
        self.wanted, self._since_us = None, session.t_us
        self._tutor = tutor = Tutor(source, self.settings.settle.square_us, stood)
        now = standing if self.occupancy is None else self.occupancy
        said = self._teach_on(tutor, Scan(session.t_us, now))
        return [one.text for one in said if isinstance(one, Notified)]

    # --- while they are shown

    def skip(self) -> None:
        """Go on to what is shown next."""
        if self._tutor is not None:
            self._tutor.skip()
            self._see()

    def _teach_on(self, tutor: Tutor, event: Event) -> list[Action]:
        self._touched(event)
        if isinstance(event, Press) and event.button == ENDS:
            return self._end(event.t_us)
        heard = tutor.handle(event)
        said: list[Action] = [one for one in heard if isinstance(one, Outage | Restored)]
        if isinstance(event, Outage | Restored):
            self.session.handle(event)
        said += [Notified(told.t_us, told.text) for told in tutor.told() if told.text]
        if tutor.phase is Phase.OVER:
            return said + self._end(event.t_us)
        self._see()
        return said

    def _end(self, t_us: int) -> list[Action]:
        """Whatever stands now, a new game is what comes next: nothing here was played."""
        self._tutor = self._lesson = None
        stands = self.session.trace.now if self.occupancy is None else self.occupancy
        said = self.session.handle(Press(t_us, ENDS))
        said += self.session.handle(Scan(t_us, stands, self._since_us))
        super()._see()
        return said

    @property
    def deadline_us(self) -> int | None:
        """As of a desk of games."""
        return super().deadline_us if self._tutor is None else self._tutor.deadline_us

    def _see(self) -> None:
        if self._tutor is None:
            super()._see()
            return
        lesson = self._tutor.lesson()
        lesson = replace(lesson, game=self._marked(lesson.game))
        if lesson != self._lesson:
            self._lesson = lesson
            self._show(lesson.game)

    def _draw(self) -> Scene:
        if self._lesson is not None:
            return lesson_scene(self._lesson)
        if self.wanted is not None:
            return Scene(((Cue.LOOKED_AT, _row(self._done)),), self.view.orientation)
        return super()._draw()


def _row(done: int) -> int:
    """The squares that say how much is done; one is lit from the beginning."""
    return bitboard_of(square_at(file, 3) for file in range(max(1, done)))
