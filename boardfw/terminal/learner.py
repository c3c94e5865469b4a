"""The learner: simulated hands that go through lessons on the simulated board.

He puts up the men of each exercise, and solves it; what he knows of the board is what it lights
and says.
"""

from __future__ import annotations

from collections.abc import Iterable

from boardfw.learning.exercise import Exercise
from boardfw.learning.lesson import Kind, Lesson, Phase, Told
from boardfw.learning.task import Line, Place, Play
from boardfw.learning.tutor import Tutor
from boardfw.notation.fen import format_fen
from boardfw.squares import Occupancy, Square
from boardfw.terminal.mind import Choice, Heard, Men
from boardfw.terminal.pupil import Pupil
from hardware.sim.board import SimBoard, men_of
from hardware.sim.gesture import Gesture
from hardware.sim.hands import Hands

SETTLES_US = 5_000_000
"""Men put up who are not seen after so long are taken off and put up once more."""


class Learner:
    """Solves what ``tutor`` asks; to be asked to ``keep_up`` often, or when something is due."""

    def __init__(
        self,
        tutor: Tutor,
        board: SimBoard,
        hands: Hands,
        seed: int = 0,
        choose: Choice | None = None,
    ) -> None:
        self._tutor = tutor
        self._board = board
        self._hands = hands
        self._seed = seed
        self._choose = choose
        self._exercise: Exercise | None = None
        self._done = 0
        """How many exercises were over when this one began: one may be asked twice."""
        self._pupil: Pupil | None = None
        """Solves the exercise; None: the men are put up."""
        self._right: Occupancy = 0
        self._answers = 0
        self._free_us = 0
        """When the hands have done what was planned last."""

    @property
    def due_us(self) -> int | None:
        """When he goes on, whatever he hears; None: there is no exercise any more."""
        if self._tutor.phase is Phase.OVER:
            return None
        pupil_us = self._pupil.due_us if self._pupil else self._free_us + SETTLES_US
        return self._free_us if pupil_us is None else max(self._free_us, pupil_us)

    def hear(self, told: Iterable[Told]) -> None:
        """The tutor has said this."""
        for one in told:
            self._answers += one.kind is Kind.RIGHT

    def keep_up(self, now_us: int) -> None:
        """Plan what the hands do next, if they have done what was planned before."""
        lesson = self._tutor.lesson()
        if len(self._tutor.results) != self._done or lesson.exercise is not self._exercise:
            self._begin(lesson.exercise)
        if lesson.phase is Phase.ASKED and lesson.exercise and not self._pupil:
            self._pupil = Pupil(lesson.exercise, self._hands, self._seed, self._choose)
        if self._pupil:
            self._pupil.hear(self._heard(lesson), now_us)
        if now_us < self._free_us:
            return
        gesture = self._next(lesson, now_us, self._board.men)
        if gesture is not None:
            self._free_us = gesture.end_us
            self._board.schedule(gesture.actions)

    def _begin(self, exercise: Exercise | None) -> None:
        self._exercise, self._pupil = exercise, None
        self._done = len(self._tutor.results)
        self._right = self._answers = 0

    def _next(self, lesson: Lesson, now_us: int, men: Men) -> Gesture | None:
        if self._pupil:
            return self._pupil.next_gesture(now_us, men)
        if lesson.phase is not Phase.SETUP or lesson.exercise is None:
            return None
        wanted = men_of(format_fen(lesson.exercise.position))
        begin_us = now_us + self._hands.think_us()
        if men != wanted:
            return self._hands.set_up(men, wanted, begin_us)
        if now_us < self._free_us + SETTLES_US:
            return None
        return self._hands.clear_away(men, begin_us)

    def _heard(self, lesson: Lesson) -> Heard:
        """What the lights and the voice have said of this exercise."""
        marks, task = lesson.marks, lesson.exercise and lesson.exercise.task
        self._right |= marks.found
        plies = len(self._tutor.session.record.moves)
        shown = marks.asked and marks.put and isinstance(task, Line | Play)
        return Heard(
            right=self._right,
            answers=plies if isinstance(task, Line | Play) else self._answers,
            shown=(_only(marks.asked), _only(marks.put)) if shown else None,
            asked=marks.put if isinstance(task, Place) else 0,
            stars=marks.stars,
            is_astray=bool(lesson.way_home),
            is_over=lesson.phase is not Phase.ASKED,
        )


def _only(square: Occupancy) -> Square:
    return square.bit_length() - 1
