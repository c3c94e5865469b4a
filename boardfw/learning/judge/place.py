"""Judge of ``place``: clear the board, set up all pieces, and prove which piece is which."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from boardfw.game.setup.placing import Asked, is_poor, next_asked
from boardfw.learning.judge.base import Answer, Marks, Right, Solved, Wrong
from boardfw.learning.judge.reach import Visits
from boardfw.learning.judge.surface import Surface
from boardfw.learning.judge.times import RIGHT_US, WRONG_US, first_after
from boardfw.learning.judge.touch import TouchJudge
from boardfw.learning.task import Place, Touch
from boardfw.rules import Move, Position
from boardfw.rules.board import Placement
from boardfw.squares import ALL, Bitboard, Square, squares_in


class PlaceJudge:
    """``standing``: what stands as the exercise begins; all of it is to be taken off first."""

    def __init__(self, task: Place, position: Position, standing: Bitboard, t_us: int) -> None:
        self._task = task
        self._position = position
        self.surface = Surface(standing, t_us)
        self._is_cleared = False
        self._visits = Visits(ALL & ~position.occupied)
        self._wrong: Square | None = None
        self._proof: TouchJudge | None = None
        self._proved = 0
        self._is_over = False

    @property
    def is_misplaced(self) -> bool:
        """Whether a piece stands on a square that should be empty."""
        return self._wrong is not None

    @property
    def goes_home(self) -> bool:
        """Only after a wrong answer."""
        return self.is_misplaced

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        if self._proof is not None:
            self._proof.feed(t_us, square, closed=closed)
        self.surface.feed(t_us, square, closed=closed)
        if not self._is_cleared:
            self._clear()
            return
        if square == self._wrong and not closed:
            self._wrong = None
        if not self.is_misplaced:
            self._visits.feed(t_us, square, closed=closed, right=0)

    @property
    def _standing(self) -> Bitboard:
        wanted = self._position.occupied if self._is_cleared else 0
        return self.surface.seen(wanted)

    def _clear(self) -> None:
        self._is_cleared = not self._standing

    @property
    def _asked(self) -> Asked | None:
        """The pieces to be set up next; None if all stand."""
        return next_asked(self._position, self._position.occupied & ~self._standing)

    def let_count(self) -> None:
        """The learner says that the set-up is complete: a contact or two are poor."""
        wanted = self._position.occupied if self._is_cleared else 0
        differing = self._standing ^ wanted
        if is_poor(self._standing, differing):
            self.surface.dead |= differing

    def follow(self, moves: Sequence[Move], *, is_exchanged: bool = False) -> None:
        """No game is played."""

    def judge(self, t_us: int) -> list[Answer]:
        """What counts by now."""
        if not self._is_cleared:
            self._clear()
        if self._is_over or not self._is_cleared:
            return []
        if self._proof is not None:
            return [one for answer in self._proof.judge(t_us) for one in self._prove(t_us, answer)]
        if not self.is_misplaced and (wrong := self._visits.wrong(t_us)) is not None:
            self._wrong = wrong
            return [Wrong(t_us, 1 << wrong)]
        stands = self._standing == self._position.occupied
        if not stands or self.surface.rests_us(t_us) < RIGHT_US:
            return []
        last = next(squares_in(self._position.occupied))
        return self._ask_on(t_us, last)

    def _prove(self, t_us: int, answer: Answer) -> list[Answer]:
        """An answer to the question which piece is which; the last one asks the next question."""
        if not isinstance(answer, Solved):
            return [answer]
        self._proved += 1
        return self._ask_on(t_us, answer.square)

    def _ask_on(self, t_us: int, square: Square) -> list[Answer]:
        alive = ~self.surface.dead  # a piece on a dead switch cannot be proved
        proof = [pieces & alive for pieces in self._task.proof[self._proved :]]
        self._proved += sum(1 for _ in takewhile(lambda pieces: not pieces, proof))
        if self._proved == len(self._task.proof):
            self._is_over = True
            return [Solved(t_us, square)]
        asked, left = self._task.proof[self._proved], len(self._task.proof) - self._proved
        none = self._position.king(1 - self._position.turn)
        self._proof = TouchJudge(Touch(asked), self._position, none, t_us)
        self._proof.surface.dead = self.surface.dead
        return [Right(t_us, square, left, asked)]

    def due_us(self, t_us: int) -> int | None:
        """When what stands, a wrong square or a touch counts."""
        changed_us = self.surface.changed_us
        proof_us = self._proof.due_us(t_us) if self._proof else None
        times = (changed_us + RIGHT_US, changed_us + WRONG_US, self._visits.wrong_us, proof_us)
        return first_after(t_us, *times)

    def answering(self) -> Bitboard:
        """Squares of pieces that may be lifted as an answer."""
        return ALL  # kings are carried about here, too

    def forget(self) -> None:
        """What has been touched until now is no answer."""
        if self._proof:
            self._proof.forget()

    def marks(self) -> Marks:
        """What is to be taken off, or set up where lights may say so, or what has been proved."""
        standing = self._standing
        if not self._is_cleared:
            return Marks(surplus=standing)
        if self._proof is not None:
            return self._proof.marks()
        asked = self._asked if self._task.guided else None
        surplus = standing & ~self._position.occupied if self._task.guided else 0
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

    def pieces(self) -> Placement:
        """The pieces of the position, once all stand."""
        return self._position.placement

    def home(self) -> Placement | None:
        """Pieces come from the box."""
        return None
