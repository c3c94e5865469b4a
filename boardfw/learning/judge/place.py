"""Judge of ``place``: clear the board, set up all pieces, and prove which piece is which."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from boardfw.game.setup.placing import is_poor, next_asked
from boardfw.learning.course import Exercise
from boardfw.learning.judge.base import Heard, Right, Solved, Wrong
from boardfw.learning.judge.touch import SquaresJudge, TouchJudge
from boardfw.learning.judge.touches import RIGHT_US, WRONG_US, Touches
from boardfw.learning.lesson import Marks
from boardfw.learning.task import Place, Touch
from boardfw.squares import Bitboard, Square, squares_in


class PlaceJudge(SquaresJudge[Place]):
    """All that stands as the exercise begins is to be taken off first."""

    sets_up = True
    waits_us = (RIGHT_US, WRONG_US)

    def __init__(self, exercise: Exercise, task: Place, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us)
        self.touches = Touches(standing, 0, t_us)
        self._is_cleared = False
        self._proof: TouchJudge | None = None
        self._proved = 0
        self._is_over = False

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        if self._proof is not None:
            self._proof.feed(t_us, square, closed=closed)
        super().feed(t_us, square, closed=closed)
        if not self._is_cleared:
            self._clear()
        elif self._wrong is None:
            self._visits.feed(t_us, square, closed=closed, right=0)

    def _clear(self) -> None:
        if not self._is_cleared and not self.touches.seen:
            self._is_cleared = True
            self.touches.expect(self.position.occupied)

    def let_count(self) -> bool:
        """The learner says that the set-up is complete: a contact or two are poor."""
        differing = self.touches.gone | self.touches.come
        if is_poor(self.touches.seen, differing):
            self.touches.ignore(differing)
        return True

    def _judge(self, t_us: int) -> None:
        self._clear()
        if self._is_over or not self._is_cleared:
            return
        if self._proof is not None:
            for answer in self._proof.look(Heard(t_us)).answers:
                if isinstance(answer, Solved):  # the next question, if there is one
                    self._proved += 1
                    self._ask_on(t_us, answer.square)
                else:
                    self._news.append(answer)
            return
        if self._wrong is None and (wrong := self._visits.wrong(t_us)) is not None:
            self._wrong = wrong
            self._news.append(Wrong(t_us, 1 << wrong))
        elif (
            not self.touches.gone | self.touches.come and t_us - self.touches.changed_us >= RIGHT_US
        ):
            self._ask_on(t_us, next(squares_in(self.position.occupied)))

    def _ask_on(self, t_us: int, square: Square) -> None:
        """Ask for the next proof; where there is none all is solved, last by this ``square``."""
        alive = ~self.touches.dead  # a piece on a dead switch cannot be proved
        proof = [pieces & alive for pieces in self.task.proof[self._proved :]]
        self._proved += sum(1 for _ in takewhile(lambda pieces: not pieces, proof))
        if self._proved == len(self.task.proof):
            self._is_over = True
            self._news.append(Solved(t_us, square))
            return
        asked, left = self.task.proof[self._proved], len(self.task.proof) - self._proved
        self._proof = TouchJudge(self.exercise, Touch(asked), self.touches.standing, t_us)
        self._proof.touches.ignore(self.touches.dead)
        self._news.append(Right(t_us, square, left, asked))

    def _due_us(self, t_us: int) -> Iterable[int | None]:
        return (*super()._due_us(t_us), self._proof.due_us(t_us) if self._proof else None)

    def forget(self) -> None:
        """What has been touched until now is no answer."""
        if self._proof:
            self._proof.forget()

    def marks(self) -> Marks:
        """What is to be taken off, or set up where lights may say so, or what has been proved."""
        if not self._is_cleared:
            return Marks(surplus=self.touches.seen)
        if self._proof is not None:
            return self._proof.marks()
        surplus = 0 if self._wrong is None else 1 << self._wrong
        if not self.task.guided:
            return Marks(surplus=surplus)
        return self._wanted(surplus | self.touches.come)

    def _wanted(self, surplus: Bitboard = 0) -> Marks:
        """The pieces to be set up next, one type after the other, and their squares."""
        asked = next_asked(self.position, self.touches.gone)
        if asked is None:
            return Marks(surplus=surplus)
        return Marks(put=asked.squares, piece=asked.piece, surplus=surplus)

    def solution(self) -> Marks:
        """Which pieces come next, and where."""
        if self._proof is not None:
            return self._proof.solution()
        return self._wanted() if self._is_cleared else self.marks()
