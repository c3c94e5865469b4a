"""What trainers say, as sentences that are heard in one breath, and the exercise of a shown ply."""

from __future__ import annotations

from boardfw.learning.course import Exercise, Words
from boardfw.learning.source import UNKEPT
from boardfw.learning.task import Line
from boardfw.notation.fen import format_fen
from boardfw.notation.san import format_san, move_number
from boardfw.rules import Color, Move, Position
from boardfw.rules.board import COLOR_NAMES, PIECE_NAMES
from boardfw.squares import NAMES

LONGEST = 140
"""Characters that are said at once."""


def sentences(*parts: str, at_most: int = LONGEST) -> str:
    """The parts in one text; what an author wrote too long ends in dots."""
    text = " ".join(filter(None, parts))
    if len(text) <= at_most:
        return text
    kept = text[: at_most - 1]
    return (kept.rpartition(" ")[0] or kept) + "…"


def numbered(position: Position, move: Move) -> str:
    """``3.Bb5`` or ``3...a6``."""
    return move_number(position) + format_san(position, move)


def plays(position: Position, move: Move) -> str:
    """``Black plays 3...a6``."""
    return f"{COLOR_NAMES[position.turn]} plays {numbered(position, move)}"


def nudge(move: Move) -> str:
    """Which piece moves, and no more."""
    return (
        f"Move a {PIECE_NAMES[move.piece_type]}." if not move.is_castling else "Think of the king."
    )


def narrower(move: Move) -> str:
    """The piece and the square that it leaves, without the target."""
    return f"The {PIECE_NAMES[move.piece_type]} on {NAMES[move.origin]} moves."


def card_of(position: Position) -> str:
    """A position's card, the key under which answers are kept: the first four fields of its FEN.

    The moves that led to it don't count; en passant only where the capture is legal.

    Positions with equal keys (``Position.key``) have the same card.
    """
    return " ".join(format_fen(position).split(" ")[:4])


def shown(
    position: Position, move: Move, you: Color, before: str = "", after: str = ""
) -> Exercise:
    """The exercise of making this move as it is shown, for either side.

    ``you``: the side that the stream is for; ``before`` and ``after``: what is said besides.
    """
    said = f"{plays(position, move)}: follow the lights."
    before = sentences(before, at_most=LONGEST - len(said) - 1)
    # The task asks the side that is not to move, so that this ply is shown, not asked for.
    task = Line(((move,),), you=1 - position.turn)
    words = Words(say=sentences(before, said), solved=sentences(after))
    return Exercise(UNKEPT, position, task, words, you=you)
