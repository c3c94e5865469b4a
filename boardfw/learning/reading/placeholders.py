"""Placeholders: what a text leaves open, and the chess names that go there for each variant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from boardfw.learning.course import Exercise
from boardfw.learning.queries import meant
from boardfw.learning.task import All, Find, Line, May, OneMove, Play, Reach, Stars, Touch
from boardfw.notation.descriptive import format_descriptive
from boardfw.notation.san import format_san, numbered_san
from boardfw.phrase import joined
from boardfw.rules import KING, PAWN, Position
from boardfw.rules.board import COLOR_NAMES, LETTERS, PIECE_NAMES
from boardfw.squares import FILES, NAMES, Square, distance, file_of, squares_in

PLACEHOLDERS = ("you", "they", "square", "squares", "piece", "move", "n")
_OPEN = re.compile(r"\{([^{}]*)\}|[{}]")


def open_places(text: str) -> list[str]:
    """What stands in braces; an empty name for a brace that stands alone."""
    return [found[1] or "" for found in _OPEN.finditer(text)]


class About(NamedTuple):
    """What an exercise is about."""

    square: Square | None
    """That of the one piece that moves, or the one that is named; None: there is no such one."""
    squares: tuple[Square, ...] = ()
    """Those that are asked for, or that are the answer."""
    number: int | None = None
    """How many answers there are; of stars the par, of a line the plies asked for."""
    move: str = ""


def names_of(exercise: Exercise, *, is_descriptive: bool = False) -> dict[str, str]:
    """What each placeholder means in this exercise; those that mean nothing are left out."""
    square, squares, count, move = about(exercise, is_descriptive=is_descriptive)
    piece = None if square is None else exercise.position.piece_at(square)
    found = {
        "you": COLOR_NAMES[exercise.you],
        "they": COLOR_NAMES[1 - exercise.you],
        "square": None if square is None else NAMES[square],
        "squares": joined(NAMES[one] for one in squares) if squares else None,
        "piece": PIECE_NAMES[piece.piece_type] if piece else None,
        "move": move,
        "n": None if count is None else str(count),
    }
    return {name: text for name, text in found.items() if text}


def about(exercise: Exercise, *, is_descriptive: bool = False) -> About:
    """What an exercise is about; ``is_descriptive``: how the moves of a line are written."""
    position = exercise.position
    lone = _only(squares_in(position.pieces(exercise.you) & ~position.placement[KING]))
    match exercise.task:
        case Find(squares):
            found = About(_only(squares), squares, len(squares))
        case Touch(squares):
            touched = tuple(squares_in(squares))
            found = About(_only(touched) if touched else lone, touched, len(touched))
        case Reach(origin, targets):
            found = About(origin, tuple(squares_in(targets)), targets.bit_count())
        case Stars(squares, par):
            found = About(lone, tuple(squares_in(squares)), par)
        case OneMove(accepted) | All(accepted):
            moved = _only(move.origin for move in accepted)
            found = About(moved, (), len(accepted), format_san(position, accepted[0]))
        case May(origin, target):
            move = meant(position, origin, target)
            san = format_san(position, move) if move else tried(position, origin, target)
            found = About(origin, move=san)
        case Line(plies, you):
            count = sum(you in (None, (position.turn + ply) % 2) for ply in range(len(plies)))
            written = format_descriptive if is_descriptive else format_san
            moves = numbered_san(position, (accepted[0] for accepted in plies), written)
            found = About(lone, (), count, moves)
        case Play(plies=most):
            found = About(lone, number=most)
        case _:
            found = About(lone)
    return found


def _only(squares: Iterable[Square]) -> Square | None:
    """The one square that these are; None: they are several, or none."""
    different = set(squares)
    return different.pop() if len(different) == 1 else None


def tried(position: Position, origin: Square, target: Square) -> str:
    """A move against the rules as SAN would write it: ``Rf5``, ``exd6``, ``O-O-O``."""
    piece = position.piece_at(origin)
    piece_type = piece.piece_type if piece else PAWN
    if piece_type == KING and distance(origin, target) > 1:
        return "O-O" if target > origin else "O-O-O"
    takes = position.pieces(1 - position.turn) >> target & 1
    if piece_type == PAWN:
        slants = file_of(origin) != file_of(target)
        return f"{FILES[file_of(origin)]}x{NAMES[target]}" if slants else NAMES[target]
    return f"{LETTERS[piece_type]}{'x' if takes else ''}{NAMES[target]}"
