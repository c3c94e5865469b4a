"""Judges of several plies: ``line`` as it is written, ``play`` for a goal."""

from __future__ import annotations

from collections.abc import Iterable

from boardfw.learning.course import Exercise
from boardfw.learning.goals import Fate, Played
from boardfw.learning.judge.base import NOT_SHOWN, Answer, Right, Solved, Wrong, YourTurn
from boardfw.learning.judge.moves import LOOK_AGAIN, Kings
from boardfw.learning.judge.plies import PlyJudge, Stage
from boardfw.learning.lesson import Marks
from boardfw.learning.sparring import reply
from boardfw.learning.task import Line, Play, State
from boardfw.phrase import Phrase
from boardfw.rules import Move
from boardfw.squares import Bitboard, Square


class LineJudge(PlyJudge[Line]):
    """Plies in order, those of the other side as the lights show them.

    At the end a draw is claimed by both kings, or play goes on, where the task says so.
    """

    names_mover = True

    def __init__(self, exercise: Exercise, task: Line, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us)
        self._kings = Kings(self.position)
        """Those at the end, once that is reached."""

    @property
    def _is_at_end(self) -> bool:
        return len(self.counted) >= len(self.task.plies)

    @property
    def _is_own(self) -> bool:
        return self._is_at_end or self.task.you in (None, self._here.turn)

    def _count(self, move: Move) -> None:
        super()._count(move)
        self._kings = Kings(self._here)

    def _accepted(self) -> Iterable[Move]:
        if not self._is_at_end:
            return self.task.plies[len(self.counted)]
        return self._here.legal_moves() if self.task.claims is False else ()

    def _right(self, t_us: int, move: Move) -> list[Answer]:
        was_asked, was_at_end = self._is_own, self._is_at_end
        self._count(move)
        if was_at_end or (self._is_at_end and self.task.claims is None):
            return super()._right(t_us, move)
        left = len(self.task.plies) - len(self.counted)
        if was_asked:
            return [Right(t_us, move.target, left)]
        return [YourTurn(t_us)] if self._is_own else []

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        if self._is_own and not self._is_at_end:
            return super()._wrong(t_us, move)
        text = LOOK_AGAIN[State.CLAIM] if self._is_at_end else NOT_SHOWN
        return Wrong(t_us, 1 << move.target, text=text)

    def _put_back(self, t_us: int, square: Square) -> list[Answer]:
        if not self._is_at_end or not 1 << square & self._kings.both:
            return super()._put_back(t_us, square)
        if self._kings.put_back(square, self.touches) != self._kings.both:
            return []
        if not self.task.claims:
            text = "This is no draw: the positions were not all the same."
            return [Wrong(t_us, self._kings.both, text=text)]
        self.stage = Stage.OVER
        return [Solved(t_us, square)]

    def _marks(self, marks: Marks) -> Marks:
        """With the move that the lights show."""
        if self._is_own:
            return marks
        move = next(iter(self._accepted()))
        return marks._replace(asked=1 << move.origin, put=1 << move.target)

    def solution(self) -> Marks:
        """The next move, or both kings."""
        if self._is_at_end and self.task.claims:
            return Marks(asked=self._kings.both)
        return super().solution()


class PlayJudge(PlyJudge[Play]):
    """A game for a goal, the board's replies shown by lights.

    Any legal ply of the learner's is right that does not spoil the goal.

    After one that does the board leads back to where the goal was still within reach.
    """

    plays_on = True

    def __init__(self, exercise: Exercise, task: Play, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us)
        self._played = Played.begin(task, self.position)
        self._reply: Move | None = None
        """What the board plays now; None: it is the learner's turn."""

    @property
    def _is_own(self) -> bool:
        return self._reply is None

    def _accepted(self) -> Iterable[Move]:
        return self._here.legal_moves() if self._reply is None else (self._reply,)

    def _right(self, t_us: int, move: Move) -> list[Answer]:
        if self._is_guessed(move) and self._played.after(move).standing.fate is Fate.SPOILED:
            return []  # perhaps the piece is in a hand that reconsiders
        self._count(move)
        standing = self._played.standing
        if standing.fate is Fate.REACHED:
            self.stage = Stage.OVER
            mine = sum(ply % 2 == 0 for ply in range(len(self.counted)))
            return [Solved(t_us, move.target, mine)]
        if standing.fate is Fate.SPOILED:
            self._go_back(standing.back)
            cause = standing.cause and standing.cause.value.replace("_", " ")
            text = Phrase("That spoils it: {0}.", cause) if cause else ""
            return self._refuse(Wrong(t_us, 1 << move.target, text=text))
        self._answer()
        return [YourTurn(t_us)] if self._reply is None else []

    def _answer(self) -> None:
        is_mine = self._here.turn == self.task.you
        self._reply = None if is_mine else reply(self._here)

    def _count(self, move: Move) -> None:
        super()._count(move)
        self._played = self._played.after(move)

    def _go_back(self, plies: int) -> None:
        self._played = Played.begin(self.task, self.position)
        super()._go_back(plies)
        self._answer()

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        return Wrong(t_us, 1 << move.target, text=NOT_SHOWN)

    def _marks(self, marks: Marks) -> Marks:
        """With the reply that the lights show."""
        if self._reply is None:
            return marks
        return marks._replace(asked=1 << self._reply.origin, put=1 << self._reply.target)

    def solution(self) -> Marks:
        """A sound move; it need not be the best."""
        move = self._reply or reply(self._here)
        return Marks(asked=1 << move.origin, put=1 << move.target)
