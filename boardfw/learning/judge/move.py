"""Judges of ``move``, ``all`` and ``may``: one ply from the position, right or not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from boardfw.learning.judge.base import Answer, Marks, Right, Solved, Wrong
from boardfw.learning.judge.plies import PlyJudge
from boardfw.learning.task import All, May, OneMove
from boardfw.notation.san import format_san
from boardfw.rules import Move, Position
from boardfw.rules.board import COLOR_NAMES, KIND_NAMES, KING
from boardfw.rules.outcome import mates
from boardfw.rules.static_exchange import loss
from boardfw.squares import NAMES, Occupancy, Square

# FROM consequence.py: What a legal move does instead of what was asked, in words: the reason why it is not right.

CASTLING_ASKED = "that is not castling"


class Consequence(NamedTuple):
    """What a move does: ``text`` is a part of a sentence, ``reply`` the move that shows it, or None
    where no single move does."""

    text: str
    reply: Move | None = None


def consequence(position: Position, move: Move, accepted: Collection[Move]) -> Consequence:
    """What ``move`` does, which is none of the ``accepted`` ones; its text is never empty."""
    after = position.play_unchecked(move)
    if after.is_stalemate():
        return Consequence("then it is stalemate, and nobody wins")
    wants_mate = _all(accepted, lambda one: position.play_unchecked(one).is_checkmate())
    if wants_mate and after.is_check():
        return _answered(after)
    if _all(accepted, lambda one: one.is_castling) and not move.is_castling:
        return Consequence(CASTLING_ASKED)
    if costs := cost(position, move):
        return costs
    if wants_mate:
        return Consequence(f"that gives no check, so {COLOR_NAMES[after.turn]} may do anything")
    return Consequence(_lacking(position, move, accepted))


def _all(moves: Collection[Move], is_so: Callable[[Move], bool]) -> bool:
    return bool(moves) and all(map(is_so, moves))


def _answered(after: Position) -> Consequence:
    """How a check is answered."""
    reply = min(after.legal_moves(), key=lambda one: (one.kind != KING, one.uci()))
    kind, taken = KIND_NAMES[reply.kind], reply.victim is not None
    if reply.kind == KING:
        where = NAMES[reply.target]
        text = f"the king takes on {where}" if taken else f"the king escapes to {where}"
    elif taken:
        text = f"the {kind} on {NAMES[reply.origin]} takes, and the check is over"
    else:
        where = NAMES[reply.target]
        text = f"the {kind} on {NAMES[reply.origin]} steps in between on {where}"
    return Consequence(text, reply)


def cost(position: Position, move: Move) -> Consequence | None:
    """What the other side wins by its reply; None: nothing that is seen at a glance."""
    after = position.play_unchecked(move)
    for mate in mates(after):
        return Consequence(f"then {_whose(mate)} mates on {NAMES[mate.target]}", mate)
    reply = loss(position, move).reply
    if reply is None:
        return None
    taken = None if reply.victim is None else after.piece_at(reply.victim)
    if taken is None:
        return Consequence(f"then {_whose(reply)} promotes", reply)
    return Consequence(f"it loses the {KIND_NAMES[taken.kind]} to {_whose(reply)}", reply)


def _whose(reply: Move) -> str:
    return f"the {KIND_NAMES[reply.kind]} on {NAMES[reply.origin]}"


def _lacking(position: Position, move: Move, accepted: Collection[Move]) -> str:
    """What the right moves do that this one does not."""
    wanted: tuple[tuple[Callable[[Move], bool], str], ...] = (
        (lambda one: bool(one.promotion), "that does not promote the pawn"),
        (position.gives_check, "that gives no check"),
        (_takes, "that takes nothing"),
    )
    for does, text in wanted:
        if _all(accepted, does) and not does(move):
            return text
    if move.victim is not None:
        return "that takes the wrong piece" if _all(accepted, _takes) else "nothing is to be taken"
    if position.is_check():
        return "that answers the check, but not as it was asked"
    return f"that is {format_san(position, move)}, and another move is asked for"


def _takes(move: Move) -> bool:
    return move.victim is not None


class MoveJudge(PlyJudge):
    """One move of those accepted is played."""

    def __init__(self, task: OneMove, position: Position, t_us: int) -> None:
        super().__init__(position, t_us)
        self._task = task

    def _accepted(self) -> Iterable[Move]:
        return self._task.accepted

    def _right(self, t_us: int, move: Move) -> list[Answer]:
        self._is_over = True
        return [Solved(t_us, move.target)]

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        return self._wrong_for(t_us, move, self._task.accepted)


class AllJudge(PlyJudge):
    """Each of the moves is played, and taken back."""

    def __init__(self, task: All, position: Position, t_us: int) -> None:
        super().__init__(position, t_us)
        self._task = task
        self._found: set[Move] = set()

    def _accepted(self) -> Iterable[Move]:
        """Those that are still to come stand first; one played again is no error."""
        return sorted(self._task.accepted, key=lambda move: move in self._found)

    def _right(self, t_us: int, move: Move) -> list[Answer]:
        if self._is_guessed(move):
            return []  # perhaps he is in a hand that thinks, and nobody waits for this one
        is_new = move not in self._found
        self._found.add(move)
        left = self._left
        self._is_over = not left
        self._returns = bool(left)
        if not left:
            return [Solved(t_us, move.target)]
        return [Right(t_us, move.target, left)] if is_new else []

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        return self._wrong_for(t_us, move, self._task.accepted)

    @property
    def _left(self) -> int:
        """How many are still to come; those that no switch would tell need not."""
        waiting = (move for move in self._task.accepted if move not in self._found)
        return sum(not move.touched & self.surface.dead for move in waiting)

    def marks(self) -> Marks:
        """How many are left."""
        return super().marks()._replace(left=self._left)


class MayJudge(PlyJudge):
    """The move is made if it is allowed, or wise; else ``none``, the other side's king, is lifted
    and put back. A piece that is only held while somebody thinks is no answer."""

    def __init__(self, task: May, position: Position, none: Square, t_us: int) -> None:
        super().__init__(position, t_us)
        self._task = task
        self._none = none

    def _accepted(self) -> Iterable[Move]:
        task = self._task
        return [m for m in self._here.legal_moves() if task.is_allowed and self._is_asked(m)]

    def _is_asked(self, move: Move) -> bool:
        return (move.origin, move.target) == (self._task.origin, self._task.target)

    def _right(self, t_us: int, move: Move) -> list[Answer]:
        self._is_over = True
        return [Solved(t_us, move.target)]

    def _put_back(self, t_us: int, square: Square) -> list[Answer]:
        if square != self._none:
            return super()._put_back(t_us, square)
        if self._task.is_allowed:
            return [Wrong(t_us, 1 << square, word="allowed")]
        self._is_over = True
        return [Solved(t_us, square)]

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        if not self._is_asked(move):
            return Wrong(t_us, 1 << move.target, word="another_move")
        costs = cost(self._here, move)
        if costs is None:
            return Wrong(t_us, 1 << move.target, word="unwise")
        return Wrong(t_us, 1 << move.target, sentence=costs.text, reply=costs.reply)

    def answering(self) -> Occupancy:
        """Squares of the pieces that may be lifted as an answer, or to think with."""
        return 1 << self._task.origin | 1 << self._none

    def marks(self) -> Marks:
        """The man who is asked about."""
        return super().marks()._replace(asked=1 << self._task.origin)

    def solution(self) -> Marks:
        """The move, or the king that says no."""
        if not self._task.is_allowed:
            return Marks(asked=1 << self._none)
        return Marks(asked=1 << self._task.origin, put=1 << self._task.target)
