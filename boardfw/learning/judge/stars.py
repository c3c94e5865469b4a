"""Judge of ``stars``: pieces move alone, until they have been on every star.

The other side never moves and no check counts, so no game is played: a move is read from what
stands before and after it, and from the squares that were touched in between.
"""

from __future__ import annotations

from dataclasses import replace

from boardfw.game.mismatch import meant
from boardfw.learning.course import Exercise
from boardfw.learning.judge.base import (
    NO_PIECE_LEFT,
    UNSURE,
    Answer,
    Heard,
    Judge,
    Look,
    Notice,
    Right,
    Solved,
    Stand,
    Wrong,
    illegal,
)
from boardfw.learning.judge.touches import POOR_US, RIGHT_US, TAKEN_US, WRONG_US
from boardfw.learning.lesson import Marks
from boardfw.learning.lone_piece import carried, moved, targets, unseen_path, way
from boardfw.learning.task import Stars
from boardfw.rules import Position
from boardfw.rules.board import KING, SIDE, Placement
from boardfw.rules.move import Step
from boardfw.squares import Bitboard, Square, bitboard_of, only_in, squares_in

UNSEEN_US = 4_000_000
"""After so long away, a piece that may capture one on a dead switch counts as having done so."""
PUSHED_US = 8_000_000
"""After so long away, a piece that may capture is asked about: it may have pushed one off."""
KING_STAYS = "your king stays where it is in this exercise"
MOST_LOOKED_AT = 3_000
"""States searched for the answer while a learner waits: some seconds on a slow machine."""


class StarsJudge(Judge[Stars]):
    """All pieces of the learner's colour may move but the king."""

    waits_us = (RIGHT_US, WRONG_US, TAKEN_US, POOR_US, UNSEEN_US, PUSHED_US)

    def __init__(self, exercise: Exercise, task: Stars, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us)
        self._history: list[Placement] = []
        self._pieces = self.position.placement
        self._found: Bitboard = 0
        self._unsure: Square | None = None
        """The piece of which it was asked whether it has captured."""
        self._is_refused = False
        """A wrong move was made: everything has to stand as before it."""

    @property
    def _occupied(self) -> Bitboard:
        return self._pieces[SIDE[0]] | self._pieces[SIDE[1]]

    def look(self, heard: Heard) -> Look:
        """How it looks, once what was touched is known."""
        answers = self._judge(heard.t_us) if heard.judges else []
        return Look(answers, Marks(stars=self._left, found=self._found), self.stand())

    def _judge(self, t_us: int) -> list[Answer]:
        touched = self.touches.ripe(t_us)
        rests_us, standing = t_us - self.touches.changed_us, self.touches.seen
        if not self._left or rests_us < RIGHT_US:
            return []
        if standing == self.touches.expected:
            was_refused, self._is_refused, self.touches.opened = self._is_refused, False, 0
            self._unsure = self._strayed = None
            return [] if was_refused else self._count_captured(t_us, touched)
        if self._is_refused or self._take_back(standing):
            return []
        gone, come = self.touches.gone, self.touches.come
        step = self._step(gone, come, rests_us)
        if step is not None:
            return self._count(t_us, step)
        if self._is_taking_back(standing):
            return []
        if come and rests_us >= WRONG_US:
            return self._judge_come(t_us, standing)
        refused = self._refuse_capture(t_us, gone, touched, rests_us)
        return refused or self._ask_about(t_us, gone, rests_us)

    def _count_captured(self, t_us: int, touched: list[Square]) -> list[Answer]:
        """A piece away for so long has been captured, if one on a dead switch may capture it."""
        takers = self._movable & self.touches.dead
        steps = [
            (origin, target)
            for target in touched
            for origin in squares_in(takers)
            if targets(self._pieces, origin) >> target & 1
        ]
        return self._count(t_us, steps[0]) if len(steps) == 1 else []

    def _judge_come(self, t_us: int, standing: Bitboard) -> list[Answer]:
        """A piece stands where it could only have come over a dead switch."""
        steps = unseen_path(self._pieces, self._movable, standing, self.touches.dead)
        if not steps:
            return self._refuse(t_us, self.touches.gone, self.touches.come)
        return [answer for step in steps for answer in self._count(t_us, step)]

    def _step(self, gone: Bitboard, come: Bitboard, rests_us: int) -> Step | None:
        """The one move that explains what has stood for so long."""
        if gone.bit_count() != 1 or not gone & self._movable:
            return None
        origin = only_in(gone)
        may = targets(self._pieces, origin)
        if come:
            return (origin, only_in(come)) if come & may == come else None
        seen = self.touches.opened | (self.touches.dead if rests_us >= UNSEEN_US else 0)
        taken = may & self._theirs & seen if rests_us >= TAKEN_US else 0
        return (origin, only_in(taken)) if taken.bit_count() == 1 else None

    @property
    def _theirs(self) -> Bitboard:
        return self._pieces[SIDE[1 - self.exercise.you]]

    @property
    def _movable(self) -> Bitboard:
        return self._pieces[SIDE[self.exercise.you]] & ~self._pieces[KING]

    def _count(self, t_us: int, step: Step) -> list[Answer]:
        self._history.append(self._pieces)
        self._pieces = moved(self._pieces, *step)
        self.touches.expect(self._occupied)
        self.touches.opened = 0
        self.touches.forget()
        is_star = (self.task.squares & ~self._found) >> step[1] & 1
        if not is_star:
            return []
        self._found |= 1 << step[1]
        if not self._left:
            return [Solved(t_us, step[1], len(self._history))]
        return [Right(t_us, step[1], self._left.bit_count())]

    @property
    def _left(self) -> Bitboard:
        """The stars to come; squares of dead switches are not waited for."""
        return self.task.squares & ~self._found & ~self.touches.dead

    def _take_back(self, standing: Bitboard) -> bool:
        """Whether the last move was taken back, by a piece that could not have moved back."""
        if not self._history or self._before ^ standing:
            return False
        if self._step(self.touches.gone, self.touches.come, 0) is not None:
            return False
        self._pieces = self._history.pop()
        self.touches.expect(self._occupied)
        self.touches.opened = 0
        return True

    def _is_taking_back(self, standing: Bitboard) -> bool:
        """Whether the piece is home again, and only the one it captured is still to be put back."""
        if not self._history:
            return False
        them, you = SIDE[1 - self.exercise.you], SIDE[self.exercise.you]
        taken = self._history[-1][them] & self._pieces[you]
        return taken != 0 and self._before ^ standing == taken

    @property
    def _before(self) -> Bitboard:
        """What stood before the last move."""
        return self._history[-1][SIDE[0]] | self._history[-1][SIDE[1]]

    def _refuse(self, t_us: int, gone: Bitboard, come: Bitboard) -> list[Answer]:
        if gone and (tried := meant(self._position_now(), gone, come)):
            is_king = bool(self._pieces[KING] >> tried[0] & 1)
            wrong = self._refuse_step(t_us, tried)
            return [replace(wrong, sentence=KING_STAYS) if is_king else wrong]
        self._is_refused = True
        return [Wrong(t_us, come, text="" if gone else NO_PIECE_LEFT)]

    def _refuse_step(self, t_us: int, step: Step) -> Wrong:
        self._is_refused, self._strayed = True, carried(self._pieces, *step)
        return illegal(t_us, self._position_now(), step)

    def _refuse_capture(
        self, t_us: int, gone: Bitboard, touched: list[Square], rests_us: int
    ) -> list[Answer]:
        """With one piece away, another that was lifted and stands again was to be captured."""
        meant_to_be = bitboard_of(touched)
        if rests_us >= POOR_US and gone:
            meant_to_be |= self.touches.touched_since(only_in(gone))
        there = [square for square in squares_in(meant_to_be) if self._occupied >> square & 1]
        if gone.bit_count() != 1 or len(there) != 1:
            return []
        return [self._refuse_step(t_us, (only_in(gone), there[0]))]

    def _ask_about(self, t_us: int, gone: Bitboard, rests_us: int) -> list[Answer]:
        """A piece has been away for long that may have pushed one off: then no switch opened."""
        origin = only_in(gone & self._movable)
        is_alone = gone.bit_count() == 1 and origin >= 0
        if not is_alone or rests_us < PUSHED_US or self._unsure == origin:
            return []
        if not targets(self._pieces, origin) & self._theirs:
            return []
        self._unsure = origin
        return [Notice(t_us, UNSURE)]

    def _position_now(self) -> Position:
        return Position(self._pieces, self.exercise.you)

    def solution(self) -> Marks:
        """The next move of a shortest path."""
        found = way(self._position_now(), self._left, MOST_LOOKED_AT)
        return Marks(asked=1 << found[0][0], put=1 << found[0][1]) if found else Marks()

    def stand(self) -> Stand:
        """What stands after the moves that count, or after the one that is wrong: it goes home."""
        if not self._is_refused:
            return Stand(self._pieces)
        return Stand(self._strayed or self._pieces, self._pieces, is_misplaced=True)
