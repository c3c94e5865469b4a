"""Every single wrong answer of an exercise: what hands do, and how it is put right again.

A wrong answer is a value. The judge is given it as plain lifts and drops, the whole board as the
gestures of simulated hands. Each wrong answer ends with the men as they stood before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from boardfw.learning.exercise import Exercise
from boardfw.learning.solo import targets
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
from boardfw.squares import NAMES, Occupancy, Square, distance, squares_in
from boardfw.terminal.player import hand_move
from hardware.sim.gesture import Gesture
from hardware.sim.hands import Hands
from hardware.sim.moving import HandMove
from tests.dances import PROMOTING

Edge: TypeAlias = tuple[int, Square, bool]
"""(time in us, square, whether it is closed)."""

CARRY_US = 300_000
HELD_US = 1_000_000
"""A man who is an answer is up for so long."""
RIPENS_US = 1_900_000
"""An answer rests for so long before anybody touches the board again."""
SHOWN_US = 900_000
"""A wrong square, and a wrong move, are looked at for so long."""
PUT_BACK_US = 400_000
"""Each step of choosing a man."""


@dataclass(frozen=True, slots=True)
class PutBack:
    """These men are held up and put back, all of them in the air at once."""

    squares: tuple[Square, ...]

    def __str__(self) -> str:
        return "put back " + " and ".join(NAMES[square] for square in self.squares)


@dataclass(frozen=True, slots=True)
class Shown:
    """A man is put on an empty square, rests there, and goes home."""

    origin: Square
    target: Square

    def __str__(self) -> str:
        return f"show {NAMES[self.target]} with the man of {NAMES[self.origin]}"


@dataclass(frozen=True, slots=True)
class Played:
    """A man goes to a square, whoever stands there is taken off; then all go home.

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


# --------------------------------------------------------------------------------- enumeration


def wrongs_of(exercise: Exercise) -> list[Wrong]:
    """All of them, each once."""
    found = _WRONGS[type(exercise.task)](exercise)
    return [*dict.fromkeys(found)]


def _find(exercise: Exercise) -> Iterator[Wrong]:
    task, position = exercise.task, exercise.position
    assert isinstance(task, Find)
    own = position.men(exercise.you) & ~position.placement[KING]
    for square in squares_in(~position.occupied & (1 << 64) - 1 & ~(1 << task.squares[0])):
        yield Shown(min(squares_in(own), key=lambda man: distance(man, square)), square)


def _touch(exercise: Exercise) -> Iterator[Wrong]:
    assert isinstance(exercise.task, Touch)
    yield from _other_men(exercise, exercise.task.squares)


def _other_men(exercise: Exercise, right: Occupancy) -> Iterator[Wrong]:
    """Everybody who is not an answer, the opponent's king too where there is one."""
    position = exercise.position
    right = right or 1 << position.king(1 - exercise.you)
    for square in squares_in(position.occupied & ~right):
        yield PutBack((square,))


def _reach(exercise: Exercise) -> Iterator[Wrong]:
    task, position = exercise.task, exercise.position
    assert isinstance(task, Reach)
    for square in squares_in(~position.occupied & ~task.targets & (1 << 64) - 1):
        yield Shown(task.origin, square)
    for wrong in _other_men(exercise, task.targets):
        if wrong != PutBack((task.origin,)):
            yield wrong


def _stars(exercise: Exercise) -> Iterator[Wrong]:
    """Where a man may not go at all, and every move of the king."""
    position = exercise.position
    for man in squares_in(position.men(exercise.you)):
        is_king = bool(position.placement[KING] >> man & 1)
        allowed = 0 if is_king else targets(position.placement, man)
        yield from _elsewhere(position, man, allowed)


def _elsewhere(position: Position, man: Square, allowed: Occupancy) -> Iterator[Wrong]:
    """A man on every square where he may not go; the kings are nowhere taken."""
    for square in squares_in(~(allowed | 1 << man) & (1 << 64) - 1):
        if not position.placement[KING] >> square & 1:
            yield Played(man, square)


def _one_move(exercise: Exercise) -> Iterator[Wrong]:
    assert isinstance(exercise.task, OneMove | All)
    yield from _other_moves(exercise.position, exercise.task.accepted)
    yield from _illegal(exercise.position)


def _other_moves(
    position: Position, accepted: Iterable[Move], earlier: tuple[Move, ...] = ()
) -> Iterator[Wrong]:
    for move in position.legal_moves():
        if move not in accepted:
            yield Played(move.origin, move.target, move, earlier)


def _illegal(position: Position, earlier: tuple[Move, ...] = ()) -> Iterator[Wrong]:
    """Every pair of squares that is no move of the side to move, from one of its men."""
    legal = {(move.origin, move.target) for move in position.legal_moves()}
    for man in squares_in(position.men(position.turn)):
        for wrong in _elsewhere(position, man, 0):
            if isinstance(wrong, Played) and (wrong.origin, wrong.target) not in legal:
                yield Played(wrong.origin, wrong.target, None, earlier)


def _may(exercise: Exercise) -> Iterator[Wrong]:
    task, position = exercise.task, exercise.position
    assert isinstance(task, May)
    step = task.origin, task.target
    done = [move for move in position.legal_moves() if (move.origin, move.target) == step]
    if task.is_allowed:
        yield PutBack((task.origin,))
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
    """At the first ply of whoever is asked."""
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
    """Who is put up wrongly is told from nobody: only a proof can be wrong, when all stand."""
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


# ------------------------------------------------------------------------------------ as edges


class Touches:
    """Plain lifts and drops, one after the other."""

    def __init__(self, t_us: int) -> None:
        self.now_us = t_us
        self.edges: list[Edge] = []

    def wait(self, duration_us: int) -> None:
        self.now_us += duration_us

    def lift(self, square: Square) -> None:
        self.edges.append((self.now_us, square, False))

    def drop(self, square: Square) -> None:
        self.edges.append((self.now_us, square, True))

    def carry(self, origin: Square, target: Square) -> None:
        self.lift(origin)
        self.wait(CARRY_US)
        self.drop(target)

    def hold_up(self, squares: Iterable[Square], held_us: int = HELD_US) -> None:
        for square in squares:
            self.lift(square)
            self.wait(50_000)
        self.wait(held_us)
        for square in squares:
            self.drop(square)
            self.wait(50_000)

    def play(self, move: Move) -> None:
        """A legal move in its plainest order."""
        if move.victim is not None:
            self.lift(move.victim)
            self.wait(CARRY_US)
        for origin, target in move.steps():
            self.carry(origin, target)
            self.wait(CARRY_US)
        for _ in range(PROMOTING[move.uci()[4]] if move.promotion else 0):
            self.hold_up((move.target,), PUT_BACK_US)
            self.wait(PUT_BACK_US)

    def undo(self, move: Move) -> None:
        for origin, target in reversed(move.steps()):
            self.carry(target, origin)
            self.wait(CARRY_US)
        if move.victim is not None:
            self.drop(move.victim)


def earlier_edges(wrong: Wrong, t_us: int) -> list[Edge]:
    """The right plies before a wrong one, each looked at for a while."""
    touches = Touches(t_us)
    for move in wrong.earlier if isinstance(wrong, Played) else ():
        touches.play(move)
        touches.wait(RIPENS_US)
    return touches.edges


def edges(exercise: Exercise, wrong: Wrong, t_us: int) -> tuple[list[Edge], int]:
    """The wrong answer from ``t_us`` on, without its going home, and when it must be judged."""
    touches = Touches(t_us)
    if isinstance(wrong, PutBack):
        touches.hold_up(wrong.squares)
        touches.wait(RIPENS_US)
    elif isinstance(wrong, Shown):
        touches.carry(wrong.origin, wrong.target)
        touches.wait(SHOWN_US)
    else:
        _play_wrong(touches, _standing(exercise, wrong), wrong)
        touches.wait(SHOWN_US)
    return touches.edges, touches.now_us


def home_edges(exercise: Exercise, wrong: Wrong, t_us: int) -> tuple[list[Edge], int]:
    """All men back where they stood before the wrong answer, and when that is surely seen."""
    touches = Touches(t_us)
    if isinstance(wrong, Shown):
        touches.carry(wrong.target, wrong.origin)
    elif isinstance(wrong, Played) and wrong.move is not None:
        touches.undo(wrong.move)
    elif isinstance(wrong, Played):
        touches.carry(wrong.target, wrong.origin)
        if _standing(exercise, wrong) >> wrong.target & 1:
            touches.wait(CARRY_US)
            touches.drop(wrong.target)
    touches.wait(SHOWN_US)
    return touches.edges, touches.now_us


def _play_wrong(touches: Touches, standing: Occupancy, wrong: Played) -> None:
    if wrong.move is not None:
        touches.play(wrong.move)
        return
    if standing >> wrong.target & 1:
        touches.lift(wrong.target)
        touches.wait(CARRY_US)
    touches.carry(wrong.origin, wrong.target)


def _standing(exercise: Exercise, wrong: Played) -> Occupancy:
    return before(exercise, wrong).occupied


def before(exercise: Exercise, wrong: Wrong) -> Position:
    """The position in which a wrong answer is given."""
    position = exercise.position
    for move in wrong.earlier if isinstance(wrong, Played) else ():
        position = position.play(move)
    return position


# --------------------------------------------------------------------------------- as gestures


def gestures(
    exercise: Exercise, wrong: Wrong, hands: Hands, t_us: int, men: Mapping[Square, str]
) -> list[Gesture]:
    """The wrong answer by hands, and its going home; ``men`` stand as before it."""
    if isinstance(wrong, PutBack) and len(wrong.squares) > 1:
        return [hands.put_back_together(wrong.squares, t_us, men)]
    if isinstance(wrong, PutBack):
        return [hands.put_back(wrong.squares, t_us, men)]
    move = _hand_move(before(exercise, wrong), wrong)
    away = hands.play(move, t_us, men)
    back_us = away.settled_us + RIPENS_US
    return [away, hands.undo(move, back_us, men, away.performed(men))]


def _hand_move(position: Position, wrong: Shown | Played) -> HandMove:
    if isinstance(wrong, Played) and wrong.move is not None:
        return hand_move(position, wrong.move)
    victim = (wrong.target,) if position.occupied >> wrong.target & 1 else ()
    return HandMove(((wrong.origin, wrong.target),), victim)
