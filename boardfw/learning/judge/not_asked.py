"""Why a piece, or a square, is not one of those that are asked for: the reason of a wrong touch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from boardfw.learning.judge.base import Because, illegal
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


def why_not_asked(position: Position, task: Touch, square: Square) -> Because:
    """Why the piece of a square is not one of those of the task; its text is never empty."""
    piece = position.piece_at(square)
    if piece is None:
        return Because(f"{NAMES[square]} is empty")
    other = Other(position, square, piece, square if task.about is None else task.about)
    whose, why = _WHY.get(task.asks, (None, None))
    if why is None or square == task.about:
        return Because(f"that is {other.name}")
    if task.squares and piece == Piece(KING, 1 - position.turn):
        return Because(NONE_SAID)
    color = None if whose is None else position.turn ^ whose
    if color not in (None, piece.color):
        theirs, wanted = COLOR_NAMES[piece.color], COLOR_NAMES[1 - piece.color]
        return Because(f"{other.name} is {theirs}'s, and {wanted}'s pieces are asked for")
    found = why(other)
    return Because(found) if isinstance(found, str) else found


Answer: TypeAlias = str | Because


def _gives_no_check(other: Other) -> Answer:
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
    return Because(text, Reason(Why.BLOCKED, nearest))


def _is_not_pinned(other: Other) -> Answer:
    if other.piece.piece_type == KING:
        return "a king is never pinned"
    return f"{other.name} is not pinned: without it no other piece would attack the king"


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
    return Because(wrong.sentence, wrong.reason)


def _does_not_come(other: Other) -> Answer:
    goal = NAMES[other.about]
    if other.piece.piece_type == KING:
        return "the king stays where it is"
    if other.piece.piece_type == BISHOP and is_light(other.square) != is_light(other.about):
        ours, theirs = ("light", "dark") if is_light(other.square) else ("dark", "light")
        return f"{other.name} stays on {ours} squares, and {goal} is a {theirs} one"
    return f"{other.name} never comes to {goal}"


OWN, ENEMY = 0, 1
_WHY: Mapping[str, tuple[int | None, Callable[[Other], Answer]]] = {
    "checkers": (ENEMY, _gives_no_check),
    "pinned": (OWN, _is_not_pinned),
    "attacked_own": (OWN, _wins_nothing),
    "hanging_enemy": (ENEMY, _wins_nothing),
    "captures_of": (None, _is_not_captured),
    "comes_to": (OWN, _does_not_come),
}
"""By the word of a query: of which side it asks pieces (None: that is a reason of its own), and why
one of them is not asked for. Other queries name types of pieces, or squares."""


def wrong_square(asked: Square, square: Square) -> str:
    """What is wrong with a square, where another one was named."""
    is_file, is_rank = file_of(square) == file_of(asked), rank_of(square) == rank_of(asked)
    if is_file or is_rank:
        right, wrong = ("file", "rank") if is_file else ("rank", "file")
        return f"that is {NAMES[square]}; its {right} is right, its {wrong} is not"
    return f"that is {NAMES[square]}; neither its file nor its rank is right"
