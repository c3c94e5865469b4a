"""Every single wrong answer of an exercise, as a value; other modules know how hands give it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from boardfw.inference.choice import ORDER
from boardfw.learning.course import Exercise
from boardfw.learning.lone_piece import targets
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
    State,
    Task,
    Touch,
    Verdict,
)
from boardfw.rules import Move, Position
from boardfw.rules.board import KING
from boardfw.squares import NAMES, Bitboard, Square, distance, squares_in


@dataclass(frozen=True, slots=True)
class PutBack:
    """These pieces are held up and put back, all of them in the air at once."""

    squares: tuple[Square, ...]

    def __str__(self) -> str:
        return "put back " + " and ".join(NAMES[square] for square in self.squares)


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece is put on an empty square, rests there, and goes home."""

    origin: Square
    target: Square

    def __str__(self) -> str:
        return f"show {NAMES[self.target]} with the piece of {NAMES[self.origin]}"


@dataclass(frozen=True, slots=True)
class Played:
    """A piece goes to a square, a piece there is taken off; then all go home.

    ``move``: the legal move that it is, if it is one. ``earlier``: right plies before it.
    """

    origin: Square
    target: Square
    move: Move | None = None
    earlier: tuple[Move, ...] = ()

    def __str__(self) -> str:
        told = self.move.uci() if self.move else f"{NAMES[self.origin]}-{NAMES[self.target]}"
        return f"play {told}"


Wrong: TypeAlias = PutBack | Shown | Played


def wrongs_of(exercise: Exercise) -> list[Wrong]:
    """All of them, each once."""
    found = _WRONGS[type(exercise.task)](exercise)
    return [*dict.fromkeys(found)]


def _find(exercise: Exercise) -> Iterator[Wrong]:
    task, position = exercise.task, exercise.position
    assert isinstance(task, Find)
    own = position.pieces(exercise.you) & ~position.placement[KING]
    for square in squares_in(~position.occupied & (1 << 64) - 1 & ~(1 << task.squares[0])):
        yield Shown(min(squares_in(own), key=lambda piece: distance(piece, square)), square)


def _touch(exercise: Exercise) -> Iterator[Wrong]:
    assert isinstance(exercise.task, Touch)
    yield from _other_pieces(exercise, exercise.task.squares)


def _other_pieces(exercise: Exercise, right: Bitboard) -> Iterator[Wrong]:
    """All pieces that are not an answer, the opponent's king too where there is one."""
    position = exercise.position
    right = right or 1 << position.king(1 - exercise.you)
    for square in squares_in(position.occupied & ~right):
        yield PutBack((square,))


def _reach(exercise: Exercise) -> Iterator[Wrong]:
    task, position = exercise.task, exercise.position
    assert isinstance(task, Reach)
    for square in squares_in(~position.occupied & ~task.targets & (1 << 64) - 1):
        yield Shown(task.origin, square)
    for wrong in _other_pieces(exercise, task.targets):
        if wrong != PutBack((task.origin,)):
            yield wrong


def _stars(exercise: Exercise) -> Iterator[Wrong]:
    """Where a piece may not go at all, and every move of the king."""
    position = exercise.position
    for piece in squares_in(position.pieces(exercise.you)):
        is_king = bool(position.placement[KING] >> piece & 1)
        allowed = 0 if is_king else targets(position.placement, piece)
        yield from _elsewhere(position, piece, allowed)


def _elsewhere(position: Position, piece: Square, allowed: Bitboard) -> Iterator[Wrong]:
    """A piece on every square where it may not go; the kings are never captured."""
    for square in squares_in(~(allowed | 1 << piece) & (1 << 64) - 1):
        if not position.placement[KING] >> square & 1:
            yield Played(piece, square)


def _one_move(exercise: Exercise) -> Iterator[Wrong]:
    assert isinstance(exercise.task, OneMove | All)
    yield from _other_moves(exercise.position, exercise.task.accepted)
    yield from _illegal(exercise.position)


def _other_moves(
    position: Position, accepted: Collection[Move], earlier: tuple[Move, ...] = ()
) -> Iterator[Wrong]:
    for move in position.legal_moves():
        if move not in accepted and not any(_comes_by(move, right) for right in accepted):
            yield Played(move.origin, move.target, move, earlier)


def _comes_by(move: Move, right: Move) -> bool:
    """Whether the piece that is chosen stands for the right one first."""
    if move.steps() != right.steps() or not (move.promotion and right.promotion):
        return False
    return ORDER.index(right.promotion) < ORDER.index(move.promotion)


def _illegal(position: Position, earlier: tuple[Move, ...] = ()) -> Iterator[Wrong]:
    """Every pair of squares that is no move of the side to move, from one of its pieces."""
    legal = {(move.origin, move.target) for move in position.legal_moves()}
    for piece in squares_in(position.pieces(position.turn)):
        for wrong in _elsewhere(position, piece, 0):
            if isinstance(wrong, Played) and (wrong.origin, wrong.target) not in legal:
                yield Played(wrong.origin, wrong.target, None, earlier)


def _may(exercise: Exercise) -> Iterator[Wrong]:
    task, position = exercise.task, exercise.position
    assert isinstance(task, May)
    step = task.origin, task.target
    done = [move for move in position.legal_moves() if (move.origin, move.target) == step]
    if task.is_allowed:
        yield PutBack((position.king(1 - position.turn),))
        yield from _other_moves(position, done)
        return
    if not done:
        yield Played(*step)
    yield from _other_moves(position, ())


def _verdict(exercise: Exercise) -> Iterator[Wrong]:
    task, position = exercise.task, exercise.position
    assert isinstance(task, Verdict)
    mine, theirs = position.king(position.turn), position.king(1 - position.turn)
    yield PutBack((theirs,))
    if task.state is not State.MATE:
        yield PutBack((mine,))
    if task.state not in (State.DRAW, State.CLAIM):
        yield PutBack((mine, theirs))
    if task.state is not State.GOES_ON:
        yield from _other_moves(position, ())


def _line(exercise: Exercise) -> Iterator[Wrong]:
    """At the first ply of the side that is asked."""
    task, position = exercise.task, exercise.position
    assert isinstance(task, Line)
    earlier: tuple[Move, ...] = ()
    for moves in task.plies:
        if task.you in (None, position.turn):
            yield from _other_moves(position, moves, earlier)
            yield from _illegal(position, earlier)
            return
        earlier += moves[:1]
        position = position.play(moves[0])


def _play(exercise: Exercise) -> Iterator[Wrong]:
    assert isinstance(exercise.task, Play)
    if exercise.position.turn == exercise.task.you:
        yield from _illegal(exercise.position)


def _place(_exercise: Exercise) -> Iterator[Wrong]:
    """Switches do not tell one piece from another: only a proof can be wrong, when all stand."""
    return iter(())


_WRONGS: dict[type[Task], Callable[[Exercise], Iterator[Wrong]]] = {
    Find: _find,
    Place: _place,
    Touch: _touch,
    Reach: _reach,
    Stars: _stars,
    OneMove: _one_move,
    All: _one_move,
    May: _may,
    Verdict: _verdict,
    Line: _line,
    Play: _play,
}


def before(exercise: Exercise, wrong: Wrong) -> Position:
    """The position in which a wrong answer is given."""
    position = exercise.position
    for move in wrong.earlier if isinstance(wrong, Played) else ():
        position = position.play(move)
    return position
