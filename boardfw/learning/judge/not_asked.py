"""Why a piece, or a square, is not one of those that are asked for: the reason of a wrong touch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from boardfw.learning.judge.base import illegal
from boardfw.learning.task import Touch
from boardfw.rules import BISHOP, KING, PAWN, Piece, Position
from boardfw.rules.attacks import BETWEEN
from boardfw.rules.board import COLOR_NAMES, PIECE_NAMES, attacks_of
from boardfw.rules.reasons import Reason, Why
from boardfw.rules.static_exchange import contact
from boardfw.squares import NAMES, Square, file_of, is_light, only_in, rank_of

NONE_SAID = "that king says that there is no such piece, and there is one"


class Other(NamedTuple):
    """A piece that was lifted and is not asked for."""

    position: Position
    square: Square
    piece: Piece
    about: Square
    """The square that the question is about; the piece's own where it is about none."""

    @property
    def name(self) -> str:
        """``the rook on d8``."""
        return self.at(self.square)

    def at(self, square: Square) -> str:
        """The same of any square of the position."""
        piece = self.position.piece_at(square)
        return f"the {PIECE_NAMES[piece.piece_type] if piece else 'piece'} on {NAMES[square]}"

    @property
    def is_own(self) -> bool:
        """Whether it belongs to the side to move."""
        return self.piece.color == self.position.turn

    def of_wrong_side(self) -> str:
        """That pieces of the other colour are asked for."""
        whose, wanted = COLOR_NAMES[self.piece.color], COLOR_NAMES[1 - self.piece.color]
        return f"{self.name} is {whose}'s, and {wanted}'s pieces are asked for"


class NotAsked(NamedTuple):
    """``text`` is a part of a sentence, ``reason`` what lights can show of it."""

    text: str
    reason: Reason | None = None


def why_not_asked(position: Position, task: Touch, square: Square) -> NotAsked:
    """Why the piece of a square is not one of those of the task; its text is never empty."""
    piece = position.piece_at(square)
    if piece is None:
        return NotAsked(f"{NAMES[square]} is empty")
    other = Other(position, square, piece, square if task.about is None else task.about)
    why = _WHY.get(task.asks)
    if why is None or square == task.about:
        return NotAsked(f"that is {other.name}")
    if task.squares and piece == Piece(KING, 1 - position.turn):
        return NotAsked(NONE_SAID)
    found = why(other)
    return NotAsked(found) if isinstance(found, str) else found


Answer: TypeAlias = str | NotAsked


def _gives_no_check(other: Other) -> Answer:
    if other.is_own:
        return other.of_wrong_side()
    position = other.position
    king = position.king(position.turn)
    moves_so = other.piece.piece_type not in (PAWN, KING) and (
        attacks_of(other.piece.piece_type, other.square, 0) >> king & 1
    )
    if not moves_so:
        return f"{other.name} does not attack the king on {NAMES[king]}"
    between = BETWEEN[other.square][king] & position.occupied
    nearest = between & -between if king > other.square else 1 << between.bit_length() - 1
    blocking = other.at(only_in(nearest))
    text = f"{other.name} does not reach the king on {NAMES[king]}: {blocking} is in the way"
    return NotAsked(text, Reason(Why.BLOCKED, nearest))


def _is_not_pinned(other: Other) -> Answer:
    if not other.is_own:
        return other.of_wrong_side()
    if other.piece.piece_type == KING:
        return "a king is never pinned"
    return f"{other.name} is not pinned: without it no other piece would attack the king"


def _is_not_lost(other: Other) -> Answer:
    return _wins_nothing(other) if other.is_own else other.of_wrong_side()


def _does_not_hang(other: Other) -> Answer:
    return other.of_wrong_side() if other.is_own else _wins_nothing(other)


def _wins_nothing(other: Other) -> Answer:
    if other.piece.piece_type == KING:
        return "a king is never captured"
    known, _behind = contact(other.position, other.square)
    if not known.attackers:
        return f"no {COLOR_NAMES[1 - other.piece.color].lower()} piece attacks {other.name}"
    defended = f"{other.name} is defended: " if known.defenders else ""
    return f"{defended}capturing {'it' if defended else other.name} wins nothing"


def _is_not_captured(other: Other) -> Answer:
    wrong = illegal(0, other.position, (other.about, other.square))
    return NotAsked(wrong.sentence, wrong.reason)


def _does_not_come(other: Other) -> Answer:
    if not other.is_own:
        return other.of_wrong_side()
    goal = NAMES[other.about]
    if other.piece.piece_type == KING:
        return "the king stays where it is"
    if other.piece.piece_type == BISHOP and is_light(other.square) != is_light(other.about):
        ours, theirs = ("light", "dark") if is_light(other.square) else ("dark", "light")
        return f"{other.name} stays on {ours} squares, and {goal} is a {theirs} one"
    return f"{other.name} never comes to {goal}"


_WHY: Mapping[str, Callable[[Other], Answer]] = {
    "checkers": _gives_no_check,
    "pinned": _is_not_pinned,
    "attacked_own": _is_not_lost,
    "hanging_enemy": _does_not_hang,
    "captures_of": _is_not_captured,
    "comes_to": _does_not_come,
}
"""By the word of a query; other queries name types of pieces, or squares."""


def wrong_square(asked: Square, square: Square) -> str:
    """What is wrong with a square, where another one was named."""
    is_file, is_rank = file_of(square) == file_of(asked), rank_of(square) == rank_of(asked)
    if is_file or is_rank:
        right, wrong = ("file", "rank") if is_file else ("rank", "file")
        return f"that is {NAMES[square]}; its {right} is right, its {wrong} is not"
    return f"that is {NAMES[square]}; neither its file nor its rank is right"
