"""Trainer of endings with three pieces: won positions, one after the other, to be won."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from boardfw.learning.course import Exercise, Words
from boardfw.learning.source import Counted
from boardfw.learning.task import Goal, Play
from boardfw.learning.trainers.sentences import card_of
from boardfw.rules import BLACK, KING, PAWN, QUEEN, ROOK, WHITE, Piece, PieceType, Position
from boardfw.rules.board import COLOR_NAMES, PIECE_NAMES, placement_of
from boardfw.rules.setup import Setup, SetupError
from boardfw.squares import Square

ENDINGS: dict[str, PieceType] = {"KQK": QUEEN, "KRK": ROOK, "KPK": PAWN}
"""The third piece by the name of the ending."""
PLACEMENTS = 64**3
STRIDE = 100_003
"""A prime: a walk of such strides meets every placement once, and neighbours look different."""
MOST_PLIES = 100
"""Fifty moves of each side."""


def starts(ending: str, is_wanted: Callable[[Position], bool]) -> Iterator[Position]:
    """The positions of an ending that are wanted (won ones, say), White to move; always the same.

    ``ending``: one of ``ENDINGS``. Those in which the game is over are left out. ``is_wanted``
    is asked about one position after the other, as they are asked for.
    """
    piece_type = ENDINGS[ending]
    found = (_position(piece_type, number * STRIDE % PLACEMENTS) for number in range(PLACEMENTS))
    return (one for one in found if one is not None and one.legal_moves() and is_wanted(one))


def _position(piece_type: PieceType, number: int) -> Position | None:
    """The placement of a number, if its pieces have a square each and it is legal."""
    third, king, lone = map(Square, (number % 64, number // 64 % 64, number // 64**2))
    pieces = {third: Piece(piece_type, WHITE), king: Piece(KING, WHITE), lone: Piece(KING, BLACK)}
    try:
        return Setup(placement_of(pieces), WHITE).position() if len(pieces) == 3 else None
    except SetupError:
        return None


def ending_trainer(positions: Iterable[Position], count: int) -> Counted:
    """So many positions to be won against the board.

    ``positions``: won by the side to move, which is asked; see ``starts``.
    """
    exercises = map(_exercise, islice(positions, count))
    return Counted(exercises, "{} of {} endings won.", lambda last: last.is_solved)


def _exercise(position: Position) -> Exercise:
    you = position.turn
    (piece_type,) = (
        piece_type for piece_type in ENDINGS.values() if position.pieces_of(piece_type, you)
    )
    goal = Goal.PROMOTE if piece_type == PAWN else Goal.MATE
    words = Words(
        say=f"You are {COLOR_NAMES[you]}, to move. {_TASKS[goal].format(PIECE_NAMES[piece_type])}",
        hint1=_HINTS[piece_type],
        hint2="Beware of stalemate, and do not let your piece be captured.",
        solved="Won. That is how this ending goes.",
    )
    task = Play(goal, you, MOST_PLIES)
    return Exercise(f"ending {card_of(position)}", position, task, words, you=you)


_TASKS = {
    Goal.MATE: "Mate the king with your king and {}.",
    Goal.PROMOTE: "Bring your {} to the other end; it must not be captured there.",
}
_HINTS = {
    QUEEN: "Fence the king in with the queen, then bring your own king.",
    ROOK: "Cut the king off by a rank or file, and let your king help to push it back.",
    PAWN: "Let your king lead the way: kings that face each other fight for the square ahead.",
}
