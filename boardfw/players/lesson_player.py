"""Simulated hands that go through lessons on the simulated board.

A ``Learner`` sets up each exercise and lets a ``Pupil`` solve it, one gesture at a time. A pupil
knows the answers; what it learns from the lights and sentences of the board is whether the board
has seen them, and if not, it answers again.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from random import Random

from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Kind, Lesson, Phase, Told
from boardfw.learning.task import Line, Play
from boardfw.learning.tutor import Tutor
from boardfw.players.game_player import pieces_on
from boardfw.players.solutions import REPLY_US, Choice, Heard, Mind, Pieces, Wait, acts
from boardfw.rules import Move, Position
from boardfw.squares import Bitboard, only_in
from hardware.sim.between_games import clear_away, set_up
from hardware.sim.board import SimBoard
from hardware.sim.gesture import Gesture
from hardware.sim.hands import Hands


class Pupil:
    """Solves one exercise with these hands; ``choose``: chooses its moves in a game.

    Ask for the ``next_gesture`` whenever time has passed or something was heard; none is planned
    before the last one has ended. Attentive hands (``HandProfile.attentive``) make no mistakes.
    """

    def __init__(
        self, exercise: Exercise, hands: Hands, seed: int = 0, choose: Choice | None = None
    ) -> None:
        random = Random(f"{exercise.key} {exercise.variant} {seed}")

        def anything(position: Position) -> Move:
            return random.choice(position.legal_moves())

        self._mind = Mind(exercise, hands, random, choose or anything)
        self._acts = acts(exercise.task, self._mind)
        self._wait: Wait | None = None
        self._since_us = 0
        """When the pupil last did or heard anything."""

    @property
    def due_us(self) -> int | None:
        """When the pupil goes on without hearing anything; None: the exercise is over."""
        if self._mind.heard.is_over:
            return None
        return self._since_us + (self._wait.patience_us if self._wait else 0)

    def hear(self, heard: Heard, now_us: int) -> None:
        """Take note of what the board has said."""
        if heard != self._mind.heard:
            self._mind.heard = heard
            self._since_us = max(self._since_us, now_us)

    def next_gesture(self, now_us: int, pieces: Pieces) -> Gesture | None:
        """The next gesture, given the pieces on the board; None: wait, or everything is done."""
        while not self._mind.heard.is_over and self._goes_on(now_us):
            act = next(self._acts, None) or Wait(lambda: False, REPLY_US)
            if not isinstance(act, Wait):
                gesture = act(now_us + self._mind.hands.think_us(), pieces)
                self._wait, self._since_us = None, gesture.end_us
                return gesture
            self._wait, self._since_us = act, max(self._since_us, now_us)
        return None

    def _goes_on(self, now_us: int) -> bool:
        if now_us < self._since_us:
            return False
        if self._wait is None or self._wait.until():
            return True
        return now_us >= self._since_us + self._wait.patience_us


SETTLES_US = 5_000_000
"""If the board has not seen the set-up after this time, the pieces are set up again."""


class Learner:
    """Solves what ``tutor`` asks; call ``keep_up`` often, or whenever something is due."""

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
        """Number of exercises over when this one began: one may be asked twice."""
        self._pupil: Pupil | None = None
        """Solves the exercise; None: the pieces are being set up."""
        self._right: Bitboard = 0
        self._answers = 0
        self._free_us = 0
        """When the gesture planned last ends."""

    @property
    def due_us(self) -> int | None:
        """When the learner goes on without hearing anything; None: the lesson is over."""
        if self._tutor.phase is Phase.OVER:
            return None
        pupil_us = self._pupil.due_us if self._pupil else self._free_us + SETTLES_US
        return self._free_us if pupil_us is None else max(self._free_us, pupil_us)

    def hear(self, told: Iterable[Told]) -> None:
        """Take note of what the tutor has said."""
        for one in told:
            self._answers += one.kind is Kind.RIGHT

    def keep_up(self, now_us: int) -> None:
        """Plan the next gesture, if the last one has ended."""
        lesson = self._tutor.lesson()
        if len(self._tutor.results) != self._done or lesson.exercise is not self._exercise:
            self._begin(lesson.exercise)
        if lesson.phase is Phase.ASKED and lesson.exercise and not self._pupil:
            self._pupil = Pupil(lesson.exercise, self._hands, self._seed, self._choose)
        if self._pupil:
            self._pupil.hear(self._heard(lesson), now_us)
        if now_us < self._free_us:
            return
        gesture = self._next(lesson, now_us, self._board.pieces)
        if gesture is not None:
            self._free_us = gesture.end_us
            self._board.schedule(gesture.actions)

    def _begin(self, exercise: Exercise | None) -> None:
        self._exercise, self._pupil = exercise, None
        self._done = len(self._tutor.results)
        self._right = self._answers = 0

    def _next(self, lesson: Lesson, now_us: int, pieces: Pieces) -> Gesture | None:
        if self._pupil:
            return self._pupil.next_gesture(now_us, pieces)
        if lesson.phase is not Phase.SETUP or lesson.exercise is None:
            return None
        wanted = pieces_on(lesson.exercise.position)
        begin_us = now_us + self._hands.think_us()
        if pieces != wanted:
            return self._hands.do(partial(set_up, wanted=wanted), begin_us, pieces)
        if now_us < self._free_us + SETTLES_US:
            return None
        return self._hands.do(clear_away, begin_us, pieces)

    def _heard(self, lesson: Lesson) -> Heard:
        """What the lights and the voice have said of this exercise."""
        marks, task = lesson.marks, lesson.exercise and lesson.exercise.task
        self._right |= marks.found
        plies = len(self._tutor.session.record.moves)
        shown = marks.asked and marks.put
        return Heard(
            right=self._right,
            answers=plies if isinstance(task, Line | Play) else self._answers,
            shown=(only_in(marks.asked), only_in(marks.put)) if shown else None,
            asked=0 if shown else marks.put,
            stars=marks.stars,
            is_misplaced=bool(lesson.way_home),
            is_over=lesson.phase is not Phase.ASKED,
        )
