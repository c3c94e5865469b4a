"""Placeholders: what a text leaves open, and the chess names that go there for each variant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from boardfw.learning.course import Exercise
from boardfw.learning.queries import meant
from boardfw.learning.task import (
    All,
    Find,
    Line,
    May,
    OneMove,
    Place,
    Play,
    Reach,
    Stars,
    Touch,
    Verdict,
)
from boardfw.notation.descriptive import format_descriptive
from boardfw.notation.san import format_san, move_number, numbered_san
from boardfw.rules import BLACK, KING, PAWN, Move, Position
from boardfw.rules.board import COLOR_NAMES, LETTERS, PIECE_NAMES
from boardfw.squares import FILES, NAMES, Square, distance, file_of, joined, squares_in

PLACEHOLDERS = ("you", "they", "square", "squares", "piece", "move", "n")
_OPEN = re.compile(r"\{([^{}]*)\}|[{}]")


def open_places(text: str) -> list[str]:
    """What stands in braces; an empty name for a brace that stands alone."""
    return [found[1] or "" for found in _OPEN.finditer(text)]


def filled(text: str, names: Mapping[str, str]) -> str:
    """The text with these names in its places; a place without a name stays open."""
    return _OPEN.sub(lambda found: names.get(found[1] or "", found[0]), text)


def names_of(exercise: Exercise, *, is_descriptive: bool = False) -> dict[str, str]:
    """What each placeholder means in this exercise; those that mean nothing are left out."""
    square, count = subject(exercise), number(exercise)
    piece = None if square is None else exercise.position.piece_at(square)
    shown = shown_squares(exercise)
    move = _move(exercise, is_descriptive=is_descriptive)
    found = {
        "you": COLOR_NAMES[exercise.you],
        "they": COLOR_NAMES[1 - exercise.you],
        "square": None if square is None else NAMES[square],
        "squares": joined(NAMES[square] for square in shown) if shown else None,
        "piece": PIECE_NAMES[piece.piece_type] if piece else None,
        "move": move,
        "n": None if count is None else str(count),
    }
    return {name: text for name, text in found.items() if text}


def subject(exercise: Exercise) -> Square | None:
    """The square that an exercise is about: of the one piece that moves, or the one named."""
    match exercise.task:
        case Reach(origin, _) | May(origin, _, _):
            return origin
        case OneMove(accepted) | All(accepted):
            return _only({move.origin for move in accepted})
        case Touch(squares) if squares:
            return _only(set(squares_in(squares)))
        case Find(squares):
            return _only(set(squares))
        case _:
            return _lone_piece(exercise)


def number(exercise: Exercise) -> int | None:
    """How many answers there are; of stars the par, of a line the plies asked for."""
    match exercise.task:
        case Find(squares):
            return len(squares)
        case Touch(squares) | Reach(_, squares):
            return squares.bit_count()
        case Stars(_, par):
            return par
        case OneMove(accepted) | All(accepted):
            return len(accepted)
        case Line(plies, you, _):
            turn = exercise.position.turn
            return sum(you in (None, (turn + ply) % 2) for ply in range(len(plies)))
        case Play(_, _, plies):
            return plies
        case May() | Verdict() | Place():
            return None


def shown_squares(exercise: Exercise) -> tuple[Square, ...]:
    """The squares that are asked for, or that are the answer."""
    match exercise.task:
        case Find(squares):
            return squares
        case Stars(squares, _) | Touch(squares) | Reach(_, squares):
            return tuple(squares_in(squares))
        case _:
            return ()


def _only(squares: set[Square]) -> Square | None:
    return next(iter(squares)) if len(squares) == 1 else None


def _lone_piece(exercise: Exercise) -> Square | None:
    pieces = exercise.position.pieces(exercise.you) & ~exercise.position.placement[KING]
    return _only(set(squares_in(pieces)))


def _move(exercise: Exercise, *, is_descriptive: bool) -> str | None:
    position = exercise.position
    match exercise.task:
        case May(origin, target, _):
            move = meant(position, origin, target)
            return format_san(position, move) if move else tried(position, origin, target)
        case OneMove(accepted) | All(accepted):
            return format_san(position, accepted[0])
        case Line(plies, _, _):
            moves = [accepted[0] for accepted in plies]
            return (
                _descriptive(position, moves) if is_descriptive else numbered_san(position, moves)
            )
        case _:
            return None


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


def _descriptive(position: Position, moves: Iterable[Move]) -> str:
    words: list[str] = []
    start = position
    for ply, move in enumerate(moves, 1):
        number = "" if words and position.turn == BLACK else move_number(start, ply)
        words.append(number + format_descriptive(position, move))
        position = position.play_unchecked(move)
    return " ".join(words)
