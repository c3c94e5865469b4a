"""A desk of games at which, between two games, a tutor can lead the pieces.

Meanwhile the session is told of no touch: nothing of it is play. Afterwards it goes on as after the
button for a new game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from boardfw.game.events import Action, Event, Notified, Outage, Restored, Tick
from boardfw.game.phase import SettingUp
from boardfw.game.session import Session
from boardfw.game.setup.placing import pieces_of
from boardfw.game.setup.planned_game import KnownSetup
from boardfw.lights.scene import Scene
from boardfw.ports import Pressed
from boardfw.recording import Press, Scan
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk

if TYPE_CHECKING:  # a board that teaches nobody does not import all that teaching takes
    from boardfw.learning.lesson import Lesson, Result, Told
    from boardfw.learning.tutor import Tutor

ENDS: Pressed = "new_game"
"""The button that ends it before its end."""

Keep: TypeAlias = "Callable[[Result], None]"


def keep_nothing(_: Result) -> None:
    """What becomes of an exercise is not written down."""


class TaughtDesk(Desk):
    """A desk of games, and between them of a tutor."""

    def __init__(self, session: Session, settings: Settings) -> None:
        self.tutor: Tutor | None = None
        """Who leads the pieces; None: a game is played, set up or over."""
        self.lesson: Lesson | None = None
        """How the tutor's lesson looks now; None likewise."""
        self.told: tuple[Told, ...] = ()
        """What the tutor has said of the exercise that it asks, oldest first."""
        self._keep: Keep = keep_nothing
        self._counted = 0
        """Results that were kept."""
        self._unsaid: list[Action] = []
        """What the tutor has said since the last event."""
        self._since_us = 0
        """When the session was last told of the switches."""
        super().__init__(session, settings)

    @property
    def is_taught(self) -> bool:
        """Whether a tutor leads the pieces."""
        return self.tutor is not None

    def teach(self, make: Callable[[KnownSetup], Tutor], keep: Keep = keep_nothing) -> None:
        """Let a tutor lead the pieces from now on.

        ``make``: makes it from what is known of the pieces. ``keep``: told the result of each
        exercise. What the tutor says is said at the next event.
        """
        session = self.session
        if self.tutor is None:
            self._since_us = session.t_us
        now = session.standing if self.occupancy is None else self.occupancy
        stood = _known(session) if self.tutor is None else self.tutor.known_setup()
        t_us = session.t_us if self.tutor is None else self.tutor.t_us
        self.tutor = tutor = make(stood)
        self.told, self._keep, self._counted = (), keep, 0
        tutor.handle(Scan(t_us, now))
        self._follow(tutor)
        self._see()

    def skip(self) -> None:
        """Go on to what is shown next."""
        if self.tutor is not None:
            self.tutor.skip()
            self._follow(self.tutor)
            self._see()

    def take(self, event: Event) -> list[Action]:
        """As of a desk of games; while a tutor leads the pieces the session hears no touch."""
        if self.tutor is not None and isinstance(event, Scan | Press | Tick | Outage | Restored):
            return self._teach_on(self.tutor, event)
        return super().take(event)

    def _teach_on(self, tutor: Tutor, event: Event) -> list[Action]:
        self._touched(event)
        if isinstance(event, Press) and event.button == ENDS:
            return self._end(event.t_us)
        heard = tutor.handle(event)
        said: list[Action] = [one for one in heard if isinstance(one, Outage | Restored)]
        if isinstance(event, Outage | Restored):
            self.session.handle(event)
        self._follow(tutor)
        said += self._said_now()
        if tutor.is_over:
            return said + self._end(event.t_us)
        self._see()
        return said

    def _follow(self, tutor: Tutor) -> None:
        """Hear what the tutor has said, and keep what has become of its exercises."""
        from boardfw.learning.lesson import Kind

        over = (Kind.SOLVED, Kind.SKIPPED)  # then another exercise is asked, or the same again
        for result in tutor.results[self._counted :]:
            self._keep(result)
        self._counted = len(tutor.results)
        for told in tutor.told():
            last = self.told[-1] if self.told else told
            if told.kind is Kind.SETUP or last.kind in over or last.exercise != told.exercise:
                self.told = ()
            self.told = (*self.told, told)
            if told.text:
                # Pages read the lesson itself, and of what is said its end alone.
                text = told.text if told.kind is Kind.OVER else str(told.text)
                self._unsaid.append(Notified(told.t_us, text))

    def _said_now(self) -> list[Action]:
        said, self._unsaid = self._unsaid, []
        return said

    def _end(self, t_us: int) -> list[Action]:
        """Whatever stands now, a new game is what comes next: nothing here was played."""
        known = self.tutor.known_setup().pieces if self.tutor else {}
        self.tutor = self.lesson = None
        self.told = ()
        stands = self.session.standing if self.occupancy is None else self.occupancy
        said = self._said_now()
        said += self.session.set_aside(Scan(t_us, stands, self._since_us), known)
        self._see()
        return said

    @property
    def deadline_us(self) -> int | None:
        """As of a desk of games."""
        return super().deadline_us if self.tutor is None else self.tutor.deadline_us

    def _see(self) -> None:
        if self.tutor is None:
            super()._see()
            return
        lesson = self.tutor.lesson()
        lesson = replace(lesson, game=self._marked(lesson.game))
        if lesson != self.lesson:
            self.lesson = lesson
            self._show(lesson.game)

    def _draw(self) -> Scene:
        if self.lesson is None:
            return super()._draw()
        from boardfw.lights.lesson_scene import lesson_scene

        return lesson_scene(self.lesson)


def _known(session: Session) -> KnownSetup:
    """What a session knows of the pieces; those that are being set up are asked for once more."""
    phase, game, stuck = session.phase, session.game, session.stuck.known
    if isinstance(phase, SettingUp):
        return KnownSetup({}, phase.placing.orientation, stuck)
    pieces = pieces_of(game.position, session.standing, game.orientation)
    return KnownSetup(pieces, game.orientation, stuck)
