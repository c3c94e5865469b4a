"""The player: lets simulated hands play a game of chess on the simulated board.

Hands know squares and no rules; the rules know moves and no hands. Here the two meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from boardfw.inference.choice import ORDER
from boardfw.rules import Move, Piece, Position
from boardfw.squares import occupancy_of, squares_in
from hardware.sim.board import SimBoard
from hardware.sim.hands import Hands
from hardware.sim.motion import Gesture
from hardware.sim.moving import HandMove

BEGIN_US = 1_500_000
"""The board is watched untouched for so long before the first hand comes."""
WRONG_SQUARES = 3
"""Illegal targets offered to hands that err."""


def hand_move(position: Position, move: Move) -> HandMove:
    """A legal move as the squares that hands touch."""
    removed = () if move.victim is None else (move.victim,)
    return HandMove(
        steps=move.steps(),
        removed=removed,
        promotion=ORDER.index(move.promotion) if move.promotion else None,
        promoted=Piece(move.promotion, position.turn).letter if move.promotion else "",
        illegal=_illegal_targets(position, move),
    )


def hand_moves(start: Position, moves: Iterable[Move]) -> Iterator[HandMove]:
    """The moves of a game as the squares that hands touch."""
    position = start
    for move in moves:
        yield hand_move(position, move)
        position = position.play(move)


class Player:
    """Plays moves on a simulated board, one gesture ahead, until somebody takes over."""

    def __init__(self, board: SimBoard, kind: str, seed: int = 0) -> None:
        self._board = board
        self._hands = Hands(kind, seed)
        self._gestures: Iterator[Gesture] = iter(())
        self._last: Gesture | None = None

    def begin(self, start: Position, moves: Iterable[Move], now_us: int) -> None:
        """Play these moves from now on, from the men as they stand on the board."""
        men = self._board.men
        self._gestures = self._hands.game(hand_moves(start, moves), now_us + BEGIN_US, men)
        self._last = None

    def keep_up(self, now_us: int) -> None:
        """Plan the next gesture when the one planned last has begun; to be called often."""
        while self._last is None or self._last.actions[0].t_us <= now_us:
            gesture = next(self._gestures, None)
            if gesture is None:
                return
            self._last = gesture
            self._board.schedule(gesture.actions)

    def play_all(self) -> None:
        """Plan everything at once."""
        for gesture in self._gestures:
            self._last = gesture
            self._board.schedule(gesture.actions)

    def play_one(self, position: Position, move: Move, now_us: int) -> None:
        """Play one move now."""
        gesture = self._hands.play(hand_move(position, move), now_us, self._board.men)
        self._board.schedule(gesture.actions)

    def take_over(self) -> None:
        """Stop playing: somebody else's hand is on the board."""
        self._gestures = iter(())
        self._board.cancel()


def _illegal_targets(position: Position, move: Move) -> tuple[int, ...]:
    """Empty squares next to the right one on which the man may not land."""
    legal = occupancy_of(m.target for m in position.legal_moves() if m.origin == move.origin)
    empty = ~(position.occupied | legal) & (1 << 64) - 1
    near = sorted(squares_in(empty), key=lambda s: (abs(s - move.target), s))
    return tuple(islice(near, WRONG_SQUARES))
