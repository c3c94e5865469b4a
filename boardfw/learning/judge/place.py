"""Judge of ``place``: clear the board, set up all pieces, and prove which piece is which."""

from __future__ import annotations

from itertools import takewhile

from boardfw.game.setup.placing import NextPieces, is_poor, next_asked
from boardfw.learning.course import Exercise
from boardfw.learning.judge.base import Answer, Judge, Right, Solved, Stand, Wrong
from boardfw.learning.judge.touch import TouchJudge
from boardfw.learning.judge.touches import RIGHT_US, WRONG_US, Touches, Visits
from boardfw.learning.lesson import Marks
from boardfw.learning.task import Place, Touch
from boardfw.ports import earliest
from boardfw.squares import ALL, Bitboard, Square, squares_in


class PlaceJudge(Judge[Place]):
    """All that stands as the exercise begins is to be taken off first."""

    sets_up = True

    def __init__(self, exercise: Exercise, task: Place, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us)
        self.touches = Touches(standing, 0, t_us)
        self._is_cleared = False
        self._visits = Visits(ALL & ~self.position.occupied)
        self._wrong: Square | None = None
        """A square that should be empty, and has to be emptied first."""
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
            return
        if square == self._wrong and not closed:
            self._wrong = None
        if self._wrong is None:
            self._visits.feed(t_us, square, closed=closed, right=0)

    def _clear(self) -> None:
        if not self.touches.seen:
            self._is_cleared = True
            self.touches.expect(self.position.occupied)

    @property
    def _asked(self) -> NextPieces | None:
        """The pieces to be set up next, one type after the other; None if all stand."""
        return next_asked(self.position, self.touches.gone)

    def let_count(self) -> bool:
        """The learner says that the set-up is complete: a contact or two are poor."""
        differing = self.touches.gone | self.touches.come
        if is_poor(self.touches.seen, differing):
            self.touches.ignore(differing)
        return True

    def judge(self, t_us: int) -> list[Answer]:
        """What counts by now."""
        if not self._is_cleared:
            self._clear()
        if self._is_over or not self._is_cleared:
            return []
        if self._proof is not None:
            return [one for answer in self._proof.judge(t_us) for one in self._prove(t_us, answer)]
        if self._wrong is None and (wrong := self._visits.wrong(t_us)) is not None:
            self._wrong = wrong
            return [Wrong(t_us, 1 << wrong)]
        if self.touches.gone | self.touches.come or t_us - self.touches.changed_us < RIGHT_US:
            return []
        last = next(squares_in(self.position.occupied))
        return self._ask_on(t_us, last)

    def _prove(self, t_us: int, answer: Answer) -> list[Answer]:
        """An answer to the question which piece is which; the last one asks the next question."""
        if not isinstance(answer, Solved):
            return [answer]
        self._proved += 1
        return self._ask_on(t_us, answer.square)

    def _ask_on(self, t_us: int, square: Square) -> list[Answer]:
        alive = ~self.touches.dead  # a piece on a dead switch cannot be proved
        proof = [pieces & alive for pieces in self.task.proof[self._proved :]]
        self._proved += sum(1 for _ in takewhile(lambda pieces: not pieces, proof))
        if self._proved == len(self.task.proof):
            self._is_over = True
            return [Solved(t_us, square)]
        asked, left = self.task.proof[self._proved], len(self.task.proof) - self._proved
        self._proof = TouchJudge(self.exercise, Touch(asked), self.touches.standing, t_us)
        self._proof.touches.ignore(self.touches.dead)
        return [Right(t_us, square, left, asked)]

    def due_us(self, t_us: int) -> int | None:
        """When what stands, a wrong square or a touch counts."""
        changed_us = self.touches.changed_us
        proof_us = self._proof.due_us(t_us) if self._proof else None
        times = (changed_us + RIGHT_US, changed_us + WRONG_US, self._visits.wrong_us, proof_us)
        return earliest(*times, after_us=t_us)

    def answering(self) -> Bitboard:
        """Squares of pieces that may be lifted as an answer."""
        return ALL  # kings are carried about here, too

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
        asked = self._asked if self.task.guided else None
        surplus = self.touches.come if self.task.guided else 0
        surplus |= 0 if self._wrong is None else 1 << self._wrong
        return Marks(
            put=asked.squares if asked else 0, surplus=surplus, piece=asked and asked.piece
        )

    def solution(self) -> Marks:
        """Which pieces come next, and where."""
        if self._proof is not None:
            return self._proof.solution()
        if not self._is_cleared:
            return self.marks()
        asked = self._asked
        return Marks(put=asked.squares, piece=asked.piece) if asked else Marks()

    def stand(self) -> Stand:
        """The pieces of the position, once all stand; they come from the box."""
        return Stand(self.position.placement, is_misplaced=self._wrong is not None)
