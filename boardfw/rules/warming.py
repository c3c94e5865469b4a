"""Filling the tables of the rules in advance, so that the first moves of a game are quick as well.

Tables fill when entries are first needed, which in a new process is often. A program that waits
anyway, as a board does for its first touch, can fill them in that time.
"""

from __future__ import annotations

from collections.abc import Iterator

from boardfw.rules.move import Move
from boardfw.rules.position import Position

OPENINGS = (
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1g5 e7e6 f2f4 f8e7 d1f3 d8c7 e1c1 b8d7",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 b8d7 a1c1 c7c6 f1d3 d5c4 d3c4 f6d5",
    "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6 g1f3 e8g8 f1e2 e7e5 e1g1 b8c6 d4d5 c6e7 f3e1 f6d7",
    "e2e4 e7e6 d2d4 d7d5 b1c3 f8b4 e4e5 c7c5 a2a3 b4c3 b2c3 g8e7 d1g4 d8c7 g4g7 h8g8 g7h7 c5d4",
    "e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5 e4g3 f5g6 h2h4 h7h6 g1f3 b8d7 h4h5 g6h7 f1d3 h7d3",
)
"""The first moves of common openings: the squares on which pawns and pieces stand in most games."""


def steps() -> Iterator[None]:
    """Fill the tables with what most games need, one position a step: other work goes between."""
    for opening in OPENINGS:
        position = Position.start()
        for text in opening.split():
            position = position.play_unchecked(_move(position, text))
            yield


def _move(position: Position, text: str) -> Move:
    return next(move for move in position.legal_moves() if move.uci() == text)
