"""Random games, played side by side with the oracle."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess

from boardfw.rules import Position
from boardfw.rules.position import Key


def walk(seed: int, plies: int) -> Iterator[tuple[Position, list[Key], chess.Board]]:
    """Every position of a random game, the keys of those before it, and the oracle's board."""
    chance = random.Random(seed)
    position, board = Position.start(), chess.Board()
    earlier: list[Key] = []
    for _ in range(plies):
        yield position, earlier, board
        moves = position.legal_moves()
        if not moves:
            return
        move = chance.choice(moves)
        earlier.append(position.key)
        position = position.play(move)
        board.push_uci(move.uci())
