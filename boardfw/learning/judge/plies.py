"""What judges of plies have in common: a ply is read as in any game, half-made ones included.

The session that reads games says what was played; what the board shows beside that is one of few
things, each a ``Rule`` that says how long it has to rest, and what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum, auto
from itertools import takewhile
from typing import Any, NamedTuple, TypeVar

from boardfw.game.mismatch import meant
from boardfw.inference import CHOICE_US
from boardfw.learning.course import Exercise
from boardfw.learning.judge.base import (
    NO_PIECE_LEFT,
    UNSURE,
    Answer,
    Heard,
    Judge,
    Look,
    Notice,
    Plies,
    Solved,
    Stand,
    Wrong,
    illegal,
)
from boardfw.learning.judge.consequence import consequence
from boardfw.learning.judge.touches import (
    HALF_WAY_US,
    POOR_US,
    RIGHT_US,
    TAKEN_US,
    WRONG_US,
)
from boardfw.learning.lesson import Marks
from boardfw.learning.lone_piece import carried
from boardfw.learning.task import Task
from boardfw.rules import KING, ROOK, Move, Piece
from boardfw.rules.board import SIDE, Placement, piece_at
from boardfw.rules.move import Step, castling_move
from boardfw.squares import Bitboard, Square, bitboard_of, only_in


def is_half_of(move: Move, gone: Bitboard, extra: Bitboard) -> bool:
    """Whether what has left and come is part of a ply of more than one piece off the target."""
    steps = move.steps()
    if len(steps) == 1 and not move.is_en_passant:
        return False
    lifted = bitboard_of(origin for origin, _ in steps)
    if move.captured is not None:
        lifted |= 1 << move.captured
    return not gone & ~lifted and not extra & ~bitboard_of(target for _, target in steps)


def parts_of(move: Move) -> tuple[Step, ...]:
    """The steps of a move; a king that is put on its rook's square means castling, too."""
    steps = move.steps()
    return (*steps, (steps[0][0], steps[1][0])) if move.is_castling else steps


def shown_by(pieces: Placement, step: Step, standing: Bitboard) -> Placement:
    """What stands where after a piece was carried, or, where the board shows that, two pieces."""
    king, rook = (piece_at(pieces, square) for square in step)
    is_castling = king is not None and rook == Piece(ROOK, king.color) and king.piece_type == KING
    both = pieces
    for origin, target in castling_move(*step).steps() if is_castling else (step,):
        both = carried(both, origin, target)
    return both if both[SIDE[0]] | both[SIDE[1]] == standing else carried(pieces, *step)


ANOTHER_PIECE = "the pawn goes there, but is to become another piece"
HALF_CASTLED = "castling is not done before the rook stands on the other side of the king"
CHOOSES_US = CHOICE_US + WRONG_US
"""So long the piece of a promotion may still be chosen."""


class Stage(Enum):
    """Where a judge of plies is."""

    ASKED = auto()
    """A ply is waited for."""
    REFUSED = auto()
    """A wrong answer stands, and everything has to stand as before it."""
    TAKING_BACK = auto()
    """A right ply stands that is to be taken back."""
    OVER = auto()


T = TypeVar("T", bound=Task)


class PlyJudge(Judge[T]):
    """Knows the plies that count; asks its subclass what to think of the next one.

    A subclass says what it ``accepts``, and what follows from a right ply; some know what it means
    to lift a piece and put it back.
    """

    reads_plies = True
    waits_us = (RIGHT_US, WRONG_US, TAKEN_US, POOR_US, HALF_WAY_US, CHOOSES_US)

    def __init__(self, exercise: Exercise, task: T, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us)
        self.stage = Stage.ASKED
        self._moves: tuple[Move, ...] = ()
        self._is_exchanged = self._is_over = False
        """As of the ``Plies``."""
        self._lost_us = 0
        """When the session had lost the game last."""
        self._here = self._last = self.position
        """After the plies that count, and after all that were played."""
        self._unsure: Move | None = None
        """The capture of which it was asked whether it is one."""

    # --- what each subclass says

    def _accepted(self) -> Iterable[Move]:
        """The plies that are right now."""
        raise NotImplementedError

    def _right(self, t_us: int, move: Move) -> list[Answer]:
        """What follows from a right ply."""
        self.stage = Stage.OVER
        return [Solved(t_us, move.target)]

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        """What is said of a legal ply that is not right: what it does instead."""
        does = consequence(self._here, move, [*self._accepted()])
        return does.wrong(t_us, 1 << move.target)

    def _put_back(self, t_us: int, square: Square) -> list[Answer]:
        """A lifted piece is put back: if one of the mover's is away, it was perhaps captured."""
        return self._refuse_taking(t_us, square)

    def _marks(self, marks: Marks) -> Marks:
        """What lights may show beside the pieces whose answer ripens, without helping."""
        return marks

    @property
    def _is_own(self) -> bool:
        """Whether the ply that comes is the learner's own answer."""
        return True

    # --- fed and asked

    def look(self, heard: Heard) -> Look:
        """How it looks, once what was touched is known."""
        if heard.plies is not None:
            self._follow(heard.plies)
        answers = self._judge(heard.t_us) if heard.judges else []
        marks = self._marks(Marks(ripening=self.touches.ripening & self._here.occupied))
        is_lost = heard.plies is not None and self._is_lost(heard.t_us)
        return Look(answers, marks, self.stand(), is_lost)

    def _follow(self, plies: Plies) -> None:
        """The moves played since the exercise began."""
        if plies.moves != self._moves:
            self._last = self.position
            for move in plies.moves:
                self._last = self._last.play_unchecked(move)
        self._moves, self._is_exchanged, self._is_over = plies

    def _is_lost(self, t_us: int) -> bool:
        """Whether pieces were handled and stand again as after the plies that count, while other
        plies seem to have been played, or the game to be over. Told once; a dead switch does not
        tell."""
        touches = self.touches
        is_home = touches.seen == touches.expected and not touches.dead
        is_other = self._is_over or self._moves != self.counted
        if not (is_other and is_home and touches.changed_us > self._lost_us):
            return False
        if t_us - touches.changed_us < POOR_US:
            return False
        self._lost_us = t_us
        return True

    @property
    def taken_off(self) -> Bitboard:
        """Pieces of the side not to move that are off the board, while all the others stand."""
        gone = self.touches.gone
        is_all = self._moves == self.counted and not self.touches.come
        return gone if is_all and not gone & self._here.pieces(self._here.turn) else 0

    def _judge(self, t_us: int) -> list[Answer]:
        if self.stage is Stage.OVER:
            return []
        is_home = self.touches.seen == self.touches.expected
        if is_home:
            self.touches.opened, self._unsure = 0, None
        if self.stage is not Stage.ASKED:
            if is_home:
                self.stage, self._strayed = Stage.ASKED, None
                self.touches.forget()
            return []
        touched = self.touches.ripe(t_us)
        news = [answer for square in touched for answer in self._put_back(t_us, square)]
        if news or is_home:  # a game remembers a ply for a while that was taken back already
            return news
        rule, rests_us = self._shows(), t_us - self.touches.changed_us
        if rests_us < rule.rests_us or (rests_us < rule.half_us and self._is_half_way()):
            return []
        return rule.then(self, t_us, HALF_WAY_US if rule is GONE_ON else rests_us)

    def _shows(self) -> Rule:
        """What the board shows, compared with the plies that count, where something differs."""
        plies = len(self.counted)
        if self._moves[:plies] != self.counted:
            return TAKEN_BACK
        if len(self._moves) == plies:
            return STRAY if self.touches.come else AWAY
        if len(self._moves) > plies + 1:
            return GONE_ON
        if self._is_own and self._is_unseen(self._next):
            return UNSEEN
        after = self._here.play_unchecked(self._next).occupied
        differs = (self.touches.seen ^ after) & ~self.touches.dead
        return DOUBTFUL if differs or self._is_guessed(self._next) else PLY

    @property
    def _next(self) -> Move:
        """The first ply that does not count yet."""
        return self._moves[len(self.counted)]

    def _accepts(self, move: Move) -> bool:
        return any(move == other for other in self._accepted())

    def _is_guessed(self, move: Move) -> bool:
        """Whether no switch sees the piece arrive: it may as well be in a hand."""
        return bool(bitboard_of(move.targets) & self.touches.dead)

    def _is_unseen(self, move: Move) -> bool:
        if self._is_guessed(move):
            return not self._accepts(move)
        if move.captured is None or self.touches.gone != 1 << move.origin or self.touches.come:
            return False
        return not (self.touches.opened | self.touches.dead) >> move.captured & 1

    def _is_half_way(self) -> bool:
        """Whether one piece has been moved where two are to be touched."""
        return any(
            is_half_of(move, self.touches.gone, self.touches.come) for move in self._accepted()
        )

    # --- what follows from what the board shows

    def take_back(self, t_us: int, _rests_us: int) -> list[Answer]:
        """Only the plies that are still there count on, and what stands may be another one."""
        same = zip(self._moves, self.counted, strict=False)
        self._go_back(sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], same)))
        return self._judge(t_us)

    def ask_about(self, t_us: int, _rests_us: int) -> list[Answer]:
        """Ask once whether it is a capture."""
        was_asked, self._unsure = self._unsure == self._next, self._next
        return [] if was_asked or self._next.captured is None else [Notice(t_us, UNSURE)]

    def judge_ply(self, t_us: int, rests_us: int) -> list[Answer]:
        """Whether the ply is right, once it has rested for long enough."""
        move = self._next
        least_us = RIGHT_US if move.captured is None else TAKEN_US
        if self._accepts(move):
            return self._right(t_us, move) if rests_us >= least_us else []
        is_twin = any(other.steps() == move.steps() for other in self._accepted())
        patience_us = CHOOSES_US if is_twin else self._patience_us(move)
        if rests_us < max(least_us, patience_us):
            return []
        wrong = self._wrong(t_us, move)
        sentence = ANOTHER_PIECE if is_twin else wrong.sentence
        return self._refuse(replace(wrong, sentence=sentence, move=move))

    def _patience_us(self, move: Move) -> int:
        """For how long a ply may still become a castling."""
        castling = [other for other in self._accepted() if other.is_castling]
        halves = {step for other in castling for step in other.steps()}
        # A king that is not seen to leave or to come leaves the rook's step to be read alone.
        blind = any(
            self.touches.dead & one.touched and move.target in one.targets for one in castling
        )
        return HALF_WAY_US if blind or halves & set(move.steps()) else WRONG_US

    def refuse_stray(self, t_us: int, _rests_us: int) -> list[Answer]:
        """A piece stands where no ply brings it."""
        if not self.touches.gone:
            return self._refuse(Wrong(t_us, self.touches.come, text=NO_PIECE_LEFT))
        tried = meant(self._here, self.touches.gone, self.touches.come)
        if tried is None:
            return self._refuse(Wrong(t_us, self.touches.come))
        return self._refuse_step(t_us, tried)

    def refuse_away(self, t_us: int, _rests_us: int) -> list[Answer]:
        """A piece has been away for long, and one that it may not capture was touched meanwhile."""
        origin = self._away()
        touched = 0 if origin is None else self.touches.touched_since(origin) & self._here.occupied
        if touched.bit_count() != 1:
            return []
        return self._refuse_taking(t_us, only_in(touched))

    def _away(self) -> Square | None:
        """The mover's one piece that is off its square, while nothing has been played."""
        gone = self.touches.gone & self._here.pieces(self._here.turn)
        is_alone = gone.bit_count() == 1 and self._moves == self.counted
        return only_in(gone) if is_alone else None

    def _refuse_taking(self, t_us: int, target: Square) -> list[Answer]:
        """That the one piece that is away may not capture; where it may, the game has to say so."""
        origin = self._away()
        legal = self._here.legal_moves()
        if origin is None or any((one.origin, one.target) == (origin, target) for one in legal):
            return []
        return self._refuse_step(t_us, (origin, target))

    def _refuse_step(self, t_us: int, step: Step) -> list[Answer]:
        self._strayed = shown_by(self._here.placement, step, self.touches.seen)
        half = next((one for one in self._here.legal_moves() if step in parts_of(one)), None)
        if half is not None:  # a castling of which only the king has moved
            wrong = self._wrong(t_us, half)
            sentence = HALF_CASTLED if self._accepts(half) else wrong.sentence
            return self._refuse(replace(wrong, sentence=sentence, move=half))
        jumped = self.counted[-1].skipped if self.counted else self.exercise.jumped
        return self._refuse(illegal(t_us, self._here, step, jumped))

    def _refuse(self, wrong: Wrong) -> list[Answer]:
        self.stage = Stage.REFUSED
        return [wrong]

    # --- the plies that count

    def _count(self, move: Move) -> None:
        """A ply counts from now on."""
        self.counted += (move,)
        self._here = self._here.play_unchecked(move)
        self.touches.expect(self._here.occupied)

    def _go_back(self, plies: int) -> None:
        """Let only so many plies count."""
        moves = self.counted[:plies]
        self.counted, self._here = (), self.position
        self.touches.expect(self._here.occupied)
        for move in moves:
            self._count(move)

    # --- what others may see

    def due_us(self, t_us: int) -> int | None:
        """When the board has rested for long enough, or a touch counts."""
        return None if self.stage is Stage.OVER else super().due_us(t_us)

    def solution(self) -> Marks:
        """The first right move."""
        move = next(iter(self._accepted()), None)
        return Marks() if move is None else Marks(asked=1 << move.origin, put=1 << move.target)

    def stand(self) -> Stand:
        """The placement after all that was played; after the plies that count pieces go home."""
        pieces = self._strayed or self._last.placement
        if self.stage not in (Stage.REFUSED, Stage.TAKING_BACK):
            return Stand(pieces)
        return Stand(pieces, self._here.placement, self.stage is Stage.REFUSED)


class Rule(NamedTuple):
    """How long what shows has to rest, in microseconds, and what follows then.

    ``half_us``: the same while it is half of a ply of two pieces.
    """

    rests_us: int
    half_us: int
    then: Callable[[PlyJudge[Any], int, int], list[Answer]]


TAKEN_BACK = Rule(WRONG_US, 0, PlyJudge.take_back)
"""Plies that counted have become others, or were taken back."""
GONE_ON = Rule(0, 0, PlyJudge.judge_ply)
"""More than one further ply."""
UNSEEN = Rule(0, 0, PlyJudge.ask_about)
"""A ply of which all that shows is one piece off its square: it may have captured by pushing, or
stand on a dead switch, or be in a hand."""
PLY = Rule(0, 0, PlyJudge.judge_ply)
"""The next ply, and the pieces stand as after it."""
DOUBTFUL = Rule(POOR_US, HALF_WAY_US, PlyJudge.judge_ply)
"""The next ply, which the game has and the pieces do not show: a contact may be poor."""
STRAY = Rule(WRONG_US, HALF_WAY_US, PlyJudge.refuse_stray)
"""No ply, and a piece where none should be."""
AWAY = Rule(POOR_US, 0, PlyJudge.refuse_away)
"""No ply, and pieces only lifted."""
