"""What judges of plies have in common: a ply is read as in any game, half-made ones included."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from boardfw.game.mismatch import meant
from boardfw.inference.evidence import CHOICE_US
from boardfw.learning.judge.base import Answer, Marks, Unsure, Wrong, illegal
from boardfw.learning.judge.consequence import consequence
from boardfw.learning.judge.surface import Surface
from boardfw.learning.judge.times import HELD_US, RIGHT_US, WRONG_US, first_after
from boardfw.learning.lone_piece import carried
from boardfw.rules import KING, ROOK, Move, Piece, Position
from boardfw.rules.board import SIDE, Placement, kept, piece_at
from boardfw.rules.move import Step, castling_move
from boardfw.squares import ALL, Bitboard, Square, bitboard_of, only_in


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
    both = _castled(pieces, step)
    return both if both[SIDE[0]] | both[SIDE[1]] == standing else carried(pieces, *step)


def _castled(pieces: Placement, step: Step) -> Placement:
    king, rook = (piece_at(pieces, square) for square in step)
    is_castling = king is not None and rook == Piece(ROOK, king.color) and king.piece_type == KING
    for origin, target in castling_move(*step).steps() if is_castling else (step,):
        pieces = carried(pieces, origin, target)
    return pieces


HALF_WAY_US = 3_000_000
"""Between touching the two pieces of castling or en passant, hands may rest so long."""
TAKEN_US = HELD_US
"""A capture rests so long before it counts: two pieces touched one after the other look like one
for a moment."""
POOR_US = 2_000_000
"""A ply that the game has and the board does not show is doubted so long: a contact may be poor.
And for so long a piece may be held over pieces that are touched meanwhile."""
ANOTHER_PIECE = "the pawn goes there, but is to become another piece"
HALF_CASTLED = "castling is not done before the rook stands on the other side of the king"
NO_PIECE_LEFT = "nobody_left"
"""The word for an extra piece: it came from the box, or the switch that it left is dead."""
WAITS_US = (RIGHT_US, WRONG_US, TAKEN_US, POOR_US, HALF_WAY_US, CHOICE_US + WRONG_US)


class PlyJudge:
    """Knows the plies that ``count``; asks its subclass what to think of the next one.

    A subclass says what it ``accepts``, and what follows from a right ply; some know what it means
    to lift a piece and put it back.
    """

    def __init__(self, position: Position, t_us: int) -> None:
        self.is_misplaced = False
        self.jumped: Square | None = None
        """As of the ``Exercise``."""
        self.surface = Surface(position.occupied, t_us)
        self._start = position
        self._moves: tuple[Move, ...] = ()
        self._is_exchanged = False
        """Whether the last of these promotes, and a piece was put in the pawn's place."""
        self._counted: tuple[Move, ...] = ()
        self._here = position
        """After the plies that count."""
        self._is_over = False
        self._opened: Bitboard = 0
        """Squares that have opened since the pieces stood as after the plies that count."""
        self._unsure: Move | None = None
        """The capture of which it was asked whether it is one."""
        self._returns = False
        """What was played is to be taken back, though it was right."""
        self._misplaced_pieces: Placement | None = None
        """The placement after an illegal move; None: as the game says."""

    # --- what each subclass says

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

    def _wrong_for(self, t_us: int, move: Move, accepted: Collection[Move]) -> Wrong:
        """That the move is not one of these, and what it does instead."""
        does = consequence(self._here, move, accepted)
        return Wrong(t_us, 1 << move.target, sentence=does.text, reply=does.reply)

    @property
    def goes_home(self) -> bool:
        """Whether pieces have to go back to where they stood."""
        return self.is_misplaced or self._returns

    @property
    def _is_own(self) -> bool:
        """Whether the ply that comes is the learner's own answer."""
        return True

    # --- fed and asked

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        self.surface.feed(t_us, square, closed=closed)
        self._opened |= (not closed) << square
        if (
            self._misplaced_pieces is not None and not closed
        ):  # what comes there next is another piece
            self._misplaced_pieces = kept(self._misplaced_pieces, ALL ^ 1 << square)

    def follow(self, moves: Sequence[Move], *, is_exchanged: bool = False) -> None:
        """The moves played since the exercise began."""
        self._moves, self._is_exchanged = tuple(moves), is_exchanged

    @property
    def counted(self) -> tuple[Move, ...]:
        """The plies that count."""
        return self._counted

    def is_home_since(self, since_us: int, t_us: int) -> bool:
        """Whether something was touched since then, and now all pieces rest as after the plies
        that count; a dead switch does not tell."""
        is_home = self._standing == self._here.occupied and not self.surface.dead
        rests_us = self.surface.rests_us(t_us)
        return is_home and POOR_US <= rests_us < t_us - since_us

    @property
    def _standing(self) -> Bitboard:
        return self.surface.seen(self._here.occupied)

    @property
    def taken_off(self) -> Bitboard:
        """Pieces of the side not to move that are off the board, while all the others stand.

        It may be the beginning of a capture, by a learner who thinks.
        """
        gone = self._here.occupied & ~self._standing
        is_all = self._moves == self._counted and not self._standing & ~self._here.occupied
        return gone if is_all and not gone & self._here.pieces(self._here.turn) else 0

    def judge(self, t_us: int) -> list[Answer]:
        """What counts by now."""
        if self._is_over:
            return []
        is_home = self._standing == self._here.occupied
        if is_home:
            self._opened, self._unsure = 0, None
        if self.is_misplaced or self._returns:
            if is_home:
                self.is_misplaced = self._returns = False
                self._misplaced_pieces = None
                self.surface.forget()
            return []
        touched = self.surface.ripe(t_us)
        news = [answer for square in touched for answer in self._put_back(t_us, square)]
        # A game remembers a ply for a while that has been taken back already.
        return news if news or is_home else self._judge_board(t_us)

    def _judge_board(self, t_us: int) -> list[Answer]:
        plies = len(self._counted)
        if self._moves[:plies] != self._counted:
            return self._take_back(t_us)
        rests_us = self.surface.rests_us(t_us)
        has_gone_on = len(self._moves) > plies + 1
        if len(self._moves) > plies:
            move = self._moves[plies]
            if not has_gone_on and self._is_own and self._is_unseen(move):
                return self._ask_about(t_us, move)
            if has_gone_on or self._shows(move) or rests_us >= self._doubt_us():
                return self._judge_ply(t_us, move, HALF_WAY_US if has_gone_on else rests_us)
            return []
        extra = self._standing & ~self._here.occupied
        if not extra:
            return self._refuse_capture(t_us) if rests_us >= POOR_US else []
        patience_us = HALF_WAY_US if self._is_half_way() else WRONG_US
        return self._refuse_illegal(t_us, extra) if rests_us >= patience_us else []

    def _is_unseen(self, move: Move) -> bool:
        """Whether all that shows is one piece off its square. It may have captured by pushing,
        or stand on a dead switch, or be in a hand."""
        if self._is_guessed(move):
            return not self._accepts(move)
        is_away = self._here.occupied & ~self._standing == 1 << move.origin
        if move.captured is None or not is_away or self._standing & ~self._here.occupied:
            return False
        return not (self._opened | self.surface.dead) >> move.captured & 1

    def _ask_about(self, t_us: int, move: Move) -> list[Answer]:
        """Ask once whether it is a capture."""
        was_asked, self._unsure = self._unsure == move, move
        return [] if was_asked or move.captured is None else [Unsure(t_us)]

    def _judge_ply(self, t_us: int, move: Move, rests_us: int) -> list[Answer]:
        least_us = RIGHT_US if move.captured is None else TAKEN_US
        if self._accepts(move):
            return self._right(t_us, move) if rests_us >= least_us else []
        if rests_us < max(least_us, self._patience_us(move)):
            return []
        wrong = self._wrong(t_us, move)
        sentence = ANOTHER_PIECE if self._is_twin(move) else wrong.sentence
        return self._refuse(replace(wrong, sentence=sentence, move=move))

    def _take_back(self, t_us: int) -> list[Answer]:
        """Plies that counted have become others, or were taken back: they do not count any more."""
        if self.surface.rests_us(t_us) >= WRONG_US:
            same = zip(self._moves, self._counted, strict=False)
            self._go_back(sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], same)))
        return []

    def _go_back(self, plies: int) -> None:
        """Let only so many plies count."""
        moves = self._counted[:plies]
        self._counted, self._here = (), self._start
        for move in moves:
            self._count(move)

    def _shows(self, move: Move) -> bool:
        """Whether the board stands as after this ply."""
        if self._is_guessed(move):
            return False
        return not (self._standing ^ self._here.play_unchecked(move).occupied) & ~self.surface.dead

    def _is_guessed(self, move: Move) -> bool:
        """Whether no switch sees the piece arrive: it may as well be in a hand."""
        return bool(bitboard_of(move.targets) & self.surface.dead)

    def _doubt_us(self) -> int:
        """How long a ply is doubted that the board does not show."""
        return HALF_WAY_US if self._is_half_way() else POOR_US

    def _is_half_way(self) -> bool:
        """Whether one piece has been moved where two are to be touched."""
        gone = self._here.occupied & ~self._standing
        extra = self._standing & ~self._here.occupied
        return any(is_half_of(move, gone, extra) for move in self._accepted())

    def _patience_us(self, move: Move) -> int:
        """For how long a ply may still become another one."""
        if self._is_twin(move):
            return CHOICE_US + WRONG_US  # the piece of a promotion is still to be chosen
        castling = [other for other in self._accepted() if other.is_castling]
        halves = {step for other in castling for step in other.steps()}
        # A king that is not seen to leave or to come leaves the rook's step to be read alone.
        blind = any(
            self.surface.dead & one.touched and move.target in one.targets for one in castling
        )
        return HALF_WAY_US if blind or halves & set(move.steps()) else WRONG_US

    def _is_twin(self, move: Move) -> bool:
        """Whether only the choice of the promoted piece keeps a ply from being right."""
        return any(other.steps() == move.steps() for other in self._accepted())

    def _put_back(self, t_us: int, square: Square) -> list[Answer]:
        """A lifted piece is put back: if one of the mover's is away, it was perhaps captured."""
        gone = self._away()
        return [] if gone is None else self._refuse_taking(t_us, gone, square)

    def _refuse_capture(self, t_us: int) -> list[Answer]:
        """A piece has been away for long, and one that it may not capture was touched meanwhile."""
        gone = self._away()
        if gone is None:
            return []
        touched = self.surface.touched_since(gone) & self._here.occupied
        if touched.bit_count() != 1:
            return []
        return self._refuse_taking(t_us, gone, only_in(touched))

    def _away(self) -> Square | None:
        """The mover's one piece that is off its square, while nothing has been played."""
        gone = self._here.pieces(self._here.turn) & ~self._standing
        is_alone = gone.bit_count() == 1 and self._moves == self._counted
        return only_in(gone) if is_alone else None

    def _refuse_taking(self, t_us: int, origin: Square, target: Square) -> list[Answer]:
        legal = self._here.legal_moves()
        if any((move.origin, move.target) == (origin, target) for move in legal):
            return []  # it is for the game to say so
        return self._refuse_step(t_us, (origin, target))

    def _refuse_illegal(self, t_us: int, extra: Bitboard) -> list[Answer]:
        gone = self._here.occupied & ~self._standing
        if not gone:
            return self._refuse(Wrong(t_us, extra, word=NO_PIECE_LEFT))
        tried = meant(self._here, gone, extra)
        return self._refuse(Wrong(t_us, extra)) if tried is None else self._refuse_step(t_us, tried)

    def _refuse_step(self, t_us: int, step: Step) -> list[Answer]:
        self._misplaced_pieces = shown_by(self._here.placement, step, self._standing)
        half = next((one for one in self._here.legal_moves() if step in parts_of(one)), None)
        if half is not None:  # a castling of which only the king has moved
            wrong = self._wrong(t_us, half)
            sentence = HALF_CASTLED if self._accepts(half) else wrong.sentence
            return self._refuse(replace(wrong, sentence=sentence, move=half))
        jumped = self._counted[-1].skipped if self._counted else self.jumped
        return self._refuse(illegal(t_us, self._here, step, jumped))

    def _refuse(self, wrong: Wrong) -> list[Answer]:
        self.is_misplaced = True
        return [wrong]

    def _count(self, move: Move) -> None:
        """A ply counts from now on."""
        self._counted += (move,)
        self._here = self._here.play_unchecked(move)

    def due_us(self, t_us: int) -> int | None:
        """When the board has rested for long enough, or a touch counts."""
        if self._is_over:
            return None
        times = [self.surface.changed_us + wait_us for wait_us in WAITS_US]
        return first_after(t_us, *times, self.surface.ripe_us)

    def answering(self) -> Bitboard:
        """Squares of pieces that may be lifted as an answer."""
        return bitboard_of(move.origin for move in self._accepted())

    def forget(self) -> None:
        """What has been touched until now is no answer."""
        self.surface.forget()

    def marks(self) -> Marks:
        """The pieces whose answer ripens."""
        return Marks(ripening=self.surface.ripening & self._here.occupied)

    def solution(self) -> Marks:
        """The first right move."""
        move = next(iter(self._accepted()), None)
        return Marks() if move is None else Marks(asked=1 << move.origin, put=1 << move.target)

    def _here_after(self) -> Position:
        position = self._start
        for move in self._moves:
            position = position.play_unchecked(move)
        return position

    def pieces(self) -> Placement:
        """The placement after all that was played."""
        return self._misplaced_pieces or self._here_after().placement

    def home(self) -> Placement | None:
        """The placement after the plies that count."""
        return self._here.placement
