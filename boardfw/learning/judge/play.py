"""Judge of ``play``: a game for a goal, the board's replies shown by lights."""

from __future__ import annotations

from collections.abc import Iterable

from boardfw.learning.goals import Fate, Played
from boardfw.learning.judge.base import Answer, Marks, Solved, Wrong, YourTurn
from boardfw.learning.judge.line import NOT_SHOWN
from boardfw.learning.judge.plies import PlyJudge
from boardfw.learning.sparring import reply
from boardfw.learning.task import Play
from boardfw.rules import Move, Position
from boardfw.squares import Bitboard


class PlayJudge(PlyJudge):
    """Any legal ply of the learner's is right that does not spoil the goal.

    After one that does the board leads back to where the goal was still within reach.
    """

    def __init__(self, task: Play, position: Position, t_us: int) -> None:
        super().__init__(position, t_us)
        self._task = task
        self._played = Played.begin(task, position)
        self._advised: tuple[Position, Move] | None = None
        """A sound move, and where."""
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
            self._is_over = True
            mine = sum(ply % 2 == 0 for ply in range(len(self._counted)))
            return [Solved(t_us, move.target, mine)]
        if standing.fate is Fate.SPOILED:
            self._go_back(standing.back)
            word = standing.cause.value if standing.cause else ""
            return self._refuse(Wrong(t_us, 1 << move.target, word=word))
        self._answer()
        return [YourTurn(t_us)] if self._reply is None else []

    def _answer(self) -> None:
        is_mine = self._here.turn == self._task.you
        self._reply = None if is_mine else reply(self._here)

    def _count(self, move: Move) -> None:
        super()._count(move)
        self._played = self._played.after(move)

    def _go_back(self, plies: int) -> None:
        self._played = Played.begin(self._task, self._start)
        super()._go_back(plies)
        self._answer()

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        return Wrong(t_us, 1 << move.target, word=NOT_SHOWN)

    def answering(self) -> Bitboard:
        """Squares of pieces that may be lifted as an answer."""
        return 1 << self._start.king(self._task.you)

    def marks(self) -> Marks:
        """The reply that the lights show."""
        marks = super().marks()
        if self._reply is None:
            return marks
        return marks._replace(asked=1 << self._reply.origin, put=1 << self._reply.target)

    def solution(self) -> Marks:
        """A sound move; it need not be the best."""
        if self._advised is None or self._advised[0] is not self._here:  # lights ask often
            self._advised = self._here, reply(self._here)
        move = self._reply or self._advised[1]
        return Marks(asked=1 << move.origin, put=1 << move.target)
