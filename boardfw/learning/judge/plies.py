"""What judges have in common whose answers are plies, read as those of any game are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from boardfw.game.objection import meant
from boardfw.inference.weights import CHOICE_US
from boardfw.learning.judge.answer import Answer, Wrong, illegal
from boardfw.learning.judge.judge import Marks
from boardfw.learning.judge.surface import Surface
from boardfw.learning.judge.times import RIGHT_US, WRONG_US, first_after
from boardfw.rules import Move, Position
from boardfw.rules.board import Placement
from boardfw.squares import Occupancy, Square, occupancy_of

HALF_WAY_US = 3_000_000
"""Who moves two men may rest so long between them."""
POOR_US = 2_000_000
"""So long a ply is doubted that the game has and the board does not show: a contact may be poor."""
WAITS_US = (RIGHT_US, WRONG_US, POOR_US, HALF_WAY_US, CHOICE_US + WRONG_US)


class PlyJudge:
    """Knows the plies that ``count``; asks its kind what to think of the next one.

    A kind says what it ``accepts``, and what follows from a right one; some know what a man means
    who is lifted and put back.
    """

    def __init__(self, position: Position, t_us: int) -> None:
        self.is_astray = False
        self._surface = Surface(position.occupied, t_us)
        self._start = position
        self._moves: tuple[Move, ...] = ()
        self._counted: tuple[Move, ...] = ()
        self._here = position
        """After the plies that count."""
        self._is_over = False
        self._returns = False
        """What was played is to be taken back, though it was right."""

    # --- what each kind says

    def _accepted(self) -> Iterable[Move]:
        """The plies that are right now."""
        raise NotImplementedError

    def _accepts(self, move: Move) -> bool:
        return any(move == other for other in self._accepted())

    def _right(self, t_us: int, move: Move) -> list[Answer]:
        """What follows from a right ply."""
        raise NotImplementedError

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        """What is said of a legal ply that is not right."""
        return Wrong(t_us, 1 << move.target)

    # --- fed and asked

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        self._surface.feed(t_us, square, closed=closed)

    def follow(self, moves: Sequence[Move]) -> None:
        """This has been played."""
        self._moves = tuple(moves)

    def judge(self, t_us: int) -> list[Answer]:
        """What counts by now."""
        if self._is_over:
            return []
        is_home = self._surface.standing == self._here.occupied
        if self.is_astray or self._returns:
            if is_home:
                self.is_astray = self._returns = False
                self._surface.forget()
            return []
        touched = self._surface.ripe(t_us)
        news = [answer for square in touched for answer in self._put_back(t_us, square)]
        # A game remembers a ply for a while that has been taken back already.
        return news if news or is_home else self._judge_board(t_us)

    def _judge_board(self, t_us: int) -> list[Answer]:
        plies = len(self._counted)
        if len(self._moves) > plies and self._moves[:plies] == self._counted:
            return self._judge_ply(t_us, self._moves[plies])
        extra = self._surface.standing & ~self._here.occupied
        patience_us = HALF_WAY_US if self._is_half_way(extra) else WRONG_US
        rests_us = self._surface.rests_us(t_us)
        if not extra or rests_us < patience_us:
            return []
        return self._refuse_illegal(t_us, extra)

    def _judge_ply(self, t_us: int, move: Move) -> list[Answer]:
        has_gone_on = len(self._moves) > len(self._counted) + 1
        rests_us = self._surface.rests_us(t_us)
        if not has_gone_on and not self._shows(move) and rests_us < POOR_US:
            return []
        if self._accepts(move):
            return self._right(t_us, move) if has_gone_on or rests_us >= RIGHT_US else []
        if rests_us < self._patience_us(move):
            return []
        return self._refuse(replace(self._wrong(t_us, move), move=move))

    def _shows(self, move: Move) -> bool:
        """Whether the board stands as after this ply."""
        return self._surface.standing == self._here.play(move).occupied

    def _is_half_way(self, extra: Occupancy) -> bool:
        """Whether one of two men has been moved who are to be moved together."""
        gone = self._here.occupied & ~self._surface.standing
        for move in self._accepted():
            steps = move.steps()
            origins, targets = (occupancy_of(squares) for squares in zip(*steps, strict=True))
            if len(steps) > 1 and not gone & ~origins and not extra & ~targets:
                return True
        return False

    def _patience_us(self, move: Move) -> int:
        """For how long a ply may still become another one."""
        accepted = [*self._accepted()]
        if any(other.steps() == move.steps() for other in accepted):
            return CHOICE_US + WRONG_US  # the man of a promotion is still to be chosen
        halves = {step for other in accepted if other.is_castling for step in other.steps()}
        return HALF_WAY_US if halves & set(move.steps()) else WRONG_US

    def _put_back(self, t_us: int, square: Square) -> list[Answer]:
        """Somebody rests who was lifted: with a man of the mover's away, he was perhaps taken."""
        here = self._here
        gone = here.men(here.turn) & ~self._surface.standing
        if gone.bit_count() != 1 or self._moves != self._counted:
            return []
        wrong = illegal(t_us, here, gone.bit_length() - 1, square)
        return self._refuse(wrong) if wrong.reason else []

    def _refuse_illegal(self, t_us: int, extra: Occupancy) -> list[Answer]:
        gone = self._here.occupied & ~self._surface.standing
        tried = meant(self._here, gone, extra)
        if tried is None:
            return self._refuse(Wrong(t_us, extra))
        return self._refuse(illegal(t_us, self._here, *tried, extra))

    def _refuse(self, wrong: Wrong) -> list[Answer]:
        self.is_astray = True
        return [wrong]

    def _count(self, move: Move) -> None:
        """A ply counts from now on."""
        self._counted += (move,)
        self._here = self._here.play(move)

    def due_us(self, t_us: int) -> int | None:
        """When the board has rested for long enough, or a touch counts."""
        if self._is_over:
            return None
        times = [self._surface.changed_us + wait_us for wait_us in WAITS_US]
        return first_after(t_us, *times, self._surface.ripe_us)

    def answering(self) -> Occupancy:
        """Squares of men who may be lifted as an answer."""
        return occupancy_of(move.origin for move in self._accepted())

    def forget(self) -> None:
        """What has been touched until now is no answer."""
        self._surface.forget()

    def marks(self) -> Marks:
        """Who ripens."""
        return Marks(ripening=self._surface.ripening & self._here.occupied)

    def solution(self) -> Marks:
        """The first right move."""
        move = next(iter(self._accepted()), None)
        return Marks() if move is None else Marks(asked=1 << move.origin, put=1 << move.target)

    def _here_after(self) -> Position:
        position = self._start
        for move in self._moves:
            position = position.play(move)
        return position

    def men(self) -> Placement:
        """Who stands after all that was played."""
        return self._here_after().placement

    def home(self) -> Placement | None:
        """Who stood after the plies that count."""
        return self._here.placement
