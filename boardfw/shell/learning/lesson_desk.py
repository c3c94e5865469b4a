"""The desk of a lesson: a tutor with its lights, for the loops that know a desk of games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from boardfw.game.events import Action, Event
from boardfw.game.view import View
from boardfw.learning.lesson import Lesson, Result, Told
from boardfw.learning.tutor import Tutor
from boardfw.lights.lesson_scene import lesson_scene
from boardfw.lights.scene import Scene
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk


class LessonDesk(Desk):
    """Takes events as a ``Desk`` does; listeners hear what is said, keepers what was solved."""

    def __init__(self, tutor: Tutor, settings: Settings) -> None:
        self.teacher = tutor
        self.lesson: Lesson = tutor.lesson()
        self._listeners: list[Callable[[Told], None]] = []
        self._keepers: list[Callable[[Result], None]] = []
        self._counted = 0
        """Results that the keepers have been told."""
        super().__init__(tutor.session, settings)

    def hear(self, listener: Callable[[Told], None]) -> None:
        """Tell this listener every sentence from now on."""
        self._listeners.append(listener)

    def keep(self, keeper: Callable[[Result], None]) -> None:
        """Tell this keeper what becomes of every exercise from now on."""
        self._keepers.append(keeper)

    def take(self, event: Event) -> list[Action]:
        """Let the tutor handle an event; the lights follow."""
        said = self.teacher.handle(event)
        self._touched(event)
        self._follow()
        return said

    def hint(self) -> None:
        """The learner asks for help by a word."""
        self.teacher.help()
        self._follow()

    def show(self) -> None:
        """The learner gives up and wants to see the answer."""
        self.teacher.show()
        self._follow()

    def skip(self) -> None:
        """The learner wants the next exercise."""
        self.teacher.skip()
        self._follow()

    def finish(self) -> list[Action]:
        """The board is watched no longer."""
        return []

    @property
    def deadline_us(self) -> int | None:
        """When the tutor wants a Tick if nothing happens before."""
        return self.teacher.deadline_us

    def _follow(self) -> None:
        self.session = self.teacher.session
        self._see()
        for result in self.teacher.results[self._counted :]:
            for keeper in self._keepers:
                keeper(result)
        for told in self.teacher.told():
            for listener in self._listeners:
                listener(told)
        self._counted = len(self.teacher.results)

    def _see(self) -> None:
        lesson = self.teacher.lesson()
        # What the tutor does not know of the board is marked in it.
        lesson = replace(lesson, game=self._marked(lesson.game))
        if lesson != self.lesson:
            self.lesson = lesson
            self._show(self._look())

    def _look(self) -> View:
        return self.lesson.game

    def _draw(self) -> Scene:
        return lesson_scene(self.lesson)
