"""Why a piece, or a square, is not one of those that are asked for: the reason of a wrong touch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from boardfw.learning.judge.base import Because, illegal
from boardfw.learning.task import Touch
from boardfw.phrase import Phrase
from boardfw.rules import BISHOP, KING, PAWN, Piece, Position
from boardfw.rules.attacks import BETWEEN
from boardfw.rules.board import COLOR_NAMES, attacks_of
from boardfw.rules.reasons import Reason, Why, piece_on
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
    def name(self) -> Phrase:
        """``the rook on d8``."""
        return self.at(self.square)

    def at(self, square: Square) -> Phrase:
        """The same of any square of the position."""
        return piece_on(self.position, square)


def why_not_asked(position: Position, task: Touch, square: Square) -> Because:
    """Why the piece of a square is not one of those of the task; its text is never empty."""
    piece = position.piece_at(square)
    if piece is None:
        return Because(Phrase("{0} is empty", NAMES[square]))
    other = Other(position, square, piece, square if task.about is None else task.about)
    whose, why = _WHY.get(task.asks, (None, None))
    if why is None or square == task.about:
        return Because(Phrase("that is {0}", other.name))
    if task.squares and piece == Piece(KING, 1 - position.turn):
        return Because(NONE_SAID)
    color = None if whose is None else position.turn ^ whose
    if color not in (None, piece.color):
        theirs, wanted = COLOR_NAMES[piece.color], COLOR_NAMES[1 - piece.color]
        text = "{0} is {1}'s, and {2}'s pieces are asked for"
        return Because(Phrase(text, other.name, theirs, wanted))
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
        return Phrase("{0} does not attack the king on {1}", other.name, NAMES[king])
    between = BETWEEN[other.square][king] & position.occupied
    nearest = between & -between if king > other.square else 1 << between.bit_length() - 1
    blocking = other.at(only_in(nearest))
    text = "{0} does not reach the king on {1}: {2} is in the way"
    return Because(Phrase(text, other.name, NAMES[king], blocking), Reason(Why.BLOCKED, nearest))


def _is_not_pinned(other: Other) -> Answer:
    if other.piece.piece_type == KING:
        return "a king is never pinned"
    text = "{0} is not pinned: without it no other piece would attack the king"
    return Phrase(text, other.name)


def _wins_nothing(other: Other) -> Answer:
    if other.piece.piece_type == KING:
        return "a king is never captured"
    known, _behind = contact(other.position, other.square)
    if not known.attackers:
        color = COLOR_NAMES[1 - other.piece.color].lower()
        return Phrase("no {0} piece attacks {1}", color, other.name)
    if known.defenders:
        return Phrase("{0} is defended: capturing it wins nothing", other.name)
    return Phrase("capturing {0} wins nothing", other.name)


def _is_not_captured(other: Other) -> Answer:
    wrong = illegal(0, other.position, (other.about, other.square))
    return Because(wrong.sentence, wrong.reason)


def _does_not_come(other: Other) -> Answer:
    goal = NAMES[other.about]
    if other.piece.piece_type == KING:
        return "the king stays where it is"
    if other.piece.piece_type == BISHOP and is_light(other.square) != is_light(other.about):
        ours, theirs = ("light", "dark") if is_light(other.square) else ("dark", "light")
        text = "{0} stays on {1} squares, and {2} is a {3} one"
        return Phrase(text, other.name, ours, goal, theirs)
    return Phrase("{0} never comes to {1}", other.name, goal)


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
        text = "that is {0}; its {1} is right, its {2} is not"
        return Phrase(text, NAMES[square], right, wrong)
    return Phrase("that is {0}; neither its file nor its rank is right", NAMES[square])
