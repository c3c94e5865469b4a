"""Wrong answers as touches, and how they are put right again.

The tutor is given them as plain lifts and drops, or as the gestures of simulated hands on a
simulated board. Each wrong answer ends with the pieces as they stood before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from boardfw.learning.course import Exercise
from boardfw.notation.fen import format_fen
from boardfw.players.game_player import hand_move
from boardfw.players.solutions import SWITCH
from boardfw.rules import Move, Position
from boardfw.squares import Bitboard, Square, Switch
from hardware.sim.answering import put_back, put_back_together
from hardware.sim.board import pieces_of
from hardware.sim.gesture import Gesture
from hardware.sim.hands import Hands
from hardware.sim.moving import HandMove, undo
from tests.dances import PROMOTING
from tests.learning.wrongs import Played, PutBack, Shown, Wrong, before

Edge: TypeAlias = tuple[int, Square, bool]
"""(time in us, square, whether it is closed)."""

CARRY_US = 300_000
HELD_US = 1_000_000
"""A piece that is an answer is up for so long."""
RIPENS_US = 1_900_000
"""An answer rests for so long before the board is touched again."""
SHOWN_US = 900_000
"""A wrong square is shown for so long."""
LOOKED_AT_US = 6_000_000
"""A wrong move is looked at for so long: by then no piece can be chosen, and no rook come."""
PUT_BACK_US = 400_000
"""Each step of choosing a piece."""


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
        if move.captured is not None:
            self.lift(move.captured)
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
        if move.captured is not None:
            self.drop(move.captured)


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
        touches.wait(LOOKED_AT_US)
    return touches.edges, touches.now_us


def home_edges(exercise: Exercise, wrong: Wrong, t_us: int) -> tuple[list[Edge], int]:
    """All pieces back where they stood before the wrong answer, and when that is surely seen."""
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


def _play_wrong(touches: Touches, standing: Bitboard, wrong: Played) -> None:
    if wrong.move is not None:
        touches.play(wrong.move)
        return
    if standing >> wrong.target & 1:
        touches.lift(wrong.target)
        touches.wait(HELD_US)  # a shorter touch would be adjusting
    touches.carry(wrong.origin, wrong.target)


def _standing(exercise: Exercise, wrong: Played) -> Bitboard:
    return before(exercise, wrong).occupied


def gestures(
    exercise: Exercise, wrong: Wrong, hands: Hands, t_us: int, pieces: Mapping[Switch, str]
) -> list[Gesture]:
    """The wrong answer by hands, and its going home; ``pieces`` stand as before it."""
    if isinstance(wrong, PutBack) and len(wrong.squares) > 1:
        together = partial(put_back_together, squares=[*map(SWITCH, wrong.squares)])
        return [hands.do(together, t_us, pieces)]
    if isinstance(wrong, PutBack):
        one_by_one = partial(put_back, squares=[*map(SWITCH, wrong.squares)])
        return [hands.do(one_by_one, t_us, pieces)]
    move = _hand_move(before(exercise, wrong), wrong)
    away = hands.play(move, t_us, pieces)
    back_us = away.settled_us + LOOKED_AT_US
    back = hands.do(partial(undo, move=move, before=pieces), back_us, away.performed(pieces))
    return [away, back]


def _hand_move(position: Position, wrong: Shown | Played) -> HandMove:
    if isinstance(wrong, Played) and wrong.move is not None:
        return hand_move(position, wrong.move)
    origin, target = SWITCH(wrong.origin), SWITCH(wrong.target)
    captured = (target,) if position.occupied >> wrong.target & 1 else ()
    return HandMove(((origin, target),), captured)


def earlier_gestures(
    exercise: Exercise, wrong: Wrong, hands: Hands, t_us: int
) -> Iterator[Gesture]:
    """The right plies before a wrong answer, by hands, each looked at for a while."""
    position = exercise.position
    for move in wrong.earlier if isinstance(wrong, Played) else ():
        gesture = hands.play(hand_move(position, move), t_us, pieces_of(format_fen(position)))
        yield gesture
        position, t_us = position.play(move), gesture.settled_us + RIPENS_US


def is_capture(exercise: Exercise, wrong: Wrong) -> bool:
    """Whether a piece is captured against the rules."""
    if not isinstance(wrong, Played) or wrong.move is not None:
        return False
    return bool(_standing(exercise, wrong) >> wrong.target & 1)
