"""Random games, played side by side with the oracle."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess

from boardfw.rules import Move, Position
from boardfw.rules.position import Key
from boardfw.squares import NAMES, Square

RESTLESS = 0.25
"""How often a player simply moves the last piece back."""


def jumped_of(board: chess.Board) -> Square | None:
    """The square that a pawn has just jumped over; None if none has."""
    return None if board.ep_square is None else Square(board.ep_square)


def position_of(board: chess.Board) -> Position:
    """The oracle's board as a position, without a word of FEN."""
    return Position(
        (
            *(board.occupied_co[chess.WHITE], board.pawns, board.knights, board.bishops),
            *(board.rooks, board.queens, board.kings, board.occupied_co[chess.BLACK]),
        ),
        0 if board.turn else 1,
        board.clean_castling_rights(),
        jumped_of(board) if board.has_legal_en_passant() else None,
        board.halfmove_clock,
        board.fullmove_number,
    )


def oracle_uci(move: Move, board: chess.Board) -> str:
    """What the oracle calls a move: in Chess960 a castling king captures its own rook."""
    if move.rook_step is not None and board.chess960:
        return NAMES[move.origin] + NAMES[move.rook_step[0]]
    return move.uci()


def walk(
    seed: int, plies: int, board: chess.Board | None = None
) -> Iterator[tuple[Position, list[Key], chess.Board]]:
    """Every position of a random game, the keys of those before it, and the oracle's board."""
    chance = random.Random(seed)
    board = board or chess.Board()
    position = position_of(board)
    earlier: list[Key] = []
    played: list[Move] = []
    for _ in range(plies):
        yield position, earlier, board
        moves = position.legal_moves()
        if not moves:
            return
        move = chance.choice(moves)
        if len(played) > 1 and chance.random() < RESTLESS:
            move = position.find(played[-2].target, played[-2].origin) or move
        played.append(move)
        earlier.append(position.key)
        board.push_uci(oracle_uci(move, board))
        position = position.play(move)
