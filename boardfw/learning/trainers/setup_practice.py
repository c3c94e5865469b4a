"""Trainer of setting up positions: all pieces to their squares, and the proof of which is which."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TypeAlias

from boardfw.errors import NotationError
from boardfw.learning.course import Exercise, Words
from boardfw.learning.source import Counted
from boardfw.learning.task import Place
from boardfw.learning.trainers.sentences import card_of, sentences
from boardfw.notation.fen import parse_fen
from boardfw.rules import (
    BISHOP,
    BLACK,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    WHITE,
    Color,
    PieceType,
    Position,
)
from boardfw.rules.board import COLOR_NAMES, PIECE_NAMES

LOOK_ALIKE = ((KING, QUEEN), (BISHOP, KNIGHT))
"""Types of one colour that are put on each other's squares."""
Pieces: TypeAlias = tuple[PieceType, Color]
"""All pieces of a type and a colour."""


def read_positions(name: str, text: str) -> tuple[Position, ...]:
    """The positions of a text with a FEN in each line; empty lines and those with # are passed.

    ``name``: of its file. Raises NotationError with ``FILE:LINE:`` and the remedy.
    """
    positions = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                positions.append(parse_fen(line))
            except NotationError as error:
                raise NotationError(f"{name}:{number}: {error}") from error
    if not positions:
        raise NotationError(f"{name}:1: there is no position in it; write a FEN in each line")
    return tuple(positions)


def proof_of(position: Position) -> tuple[Pieces, ...]:
    """Types and colours to be touched, few of them, after which no two pieces can be confused.

    Switches do not see which piece stands on a square. Touching the white king and no queen tells
    both apart; so every pair of pieces that are confused is parted by some touch. The king of the
    side that has moved is never touched: to lift it means that there is no answer.
    """
    silent = KING, 1 - position.turn
    pairs = _pairs(position)
    proof: list[Pieces] = []
    while pairs:
        there = sorted({pieces for pair in pairs for pieces in pair} - {silent}, reverse=True)
        proof.append(max(there, key=lambda pieces: _use(position, pairs, pieces)))
        pairs = [pair for pair in pairs if proof[-1] not in pair]
    return tuple(proof)


def _use(
    position: Position, pairs: Iterable[tuple[Pieces, Pieces]], pieces: Pieces
) -> tuple[int, int]:
    """How many pairs a touch parts; among equals the one of fewer pieces."""
    return sum(pieces in pair for pair in pairs), -position.pieces_of(*pieces).bit_count()


def _pairs(position: Position) -> list[tuple[Pieces, Pieces]]:
    """Pieces on the board that may be confused, the weaker one first; pawns stand in their own
    camps."""
    kinds = range(PAWN + 1, KING + 1)
    there = [(k, c) for k in kinds for c in (WHITE, BLACK) if position.pieces_of(k, c)]
    return [
        (one, other)
        for one, other in combinations(there, 2)
        if one[0] == other[0] or (one[1] == other[1] and (other[0], one[0]) in LOOK_ALIKE)
    ]


def setup_trainer(positions: Iterable[Position] = (), *, guided: bool = True) -> Counted:
    """Positions to be set up, one after the other.

    ``positions``: empty means the usual start. ``guided``: lights ask type by type.
    """
    exercises = (_exercise(one, guided=guided) for one in [*positions] or [Position.start()])
    closing = "{} of {} positions set up without an error."
    return Counted(exercises, closing, lambda last: last.is_solved and not last.errors)


def _exercise(position: Position, *, guided: bool) -> Exercise:
    how = "as the lights ask" if guided else "on your own"
    proof = proof_of(position)
    touched = ", ".join(_name(position, pieces) for pieces in proof)
    words = Words(
        say=sentences(
            f"Set up {position.occupied.bit_count()} pieces {how}.",
            f"{COLOR_NAMES[position.turn]} is to move.",
            f"Then touch: {touched}." if proof else "",
        ),
        hint1="The lights show what is still missing." if guided else "Kings first.",
        hint2="Compare one rank after the other with the position.",
        solved="Every piece stands on its square.",
    )
    task = Place(guided, tuple(position.pieces_of(*pieces) for pieces in proof))
    return Exercise(f"place {card_of(position)}", position, task, words, you=position.turn)


def _name(position: Position, pieces: Pieces) -> str:
    piece_type, color = pieces
    several = "s" if position.pieces_of(piece_type, color).bit_count() > 1 else ""
    return f"{COLOR_NAMES[color].lower()} {PIECE_NAMES[piece_type]}{several}"
