"""The rules of chess as pure values; knows no sensor, no clock, no light."""

from boardfw.rules.board import (
    BISHOP,
    BLACK,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    Color,
    Piece,
    PieceType,
)
from boardfw.rules.move import Move
from boardfw.rules.outcome import Outcome
from boardfw.rules.position import Position

__all__ = [
    "BISHOP",
    "BLACK",
    "KING",
    "KNIGHT",
    "PAWN",
    "QUEEN",
    "ROOK",
    "WHITE",
    "Color",
    "Move",
    "Outcome",
    "Piece",
    "PieceType",
    "Position",
]
