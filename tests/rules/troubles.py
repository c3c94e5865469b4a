"""Positions with castling or en passant, and enemy pieces that may prevent it."""

from __future__ import annotations

import random

import chess

ENEMIES = "qqrrbbnp"
MOST_TRIES = 2_000


def trouble(seed: int) -> chess.Board:
    """A random legal position, with either side to move."""
    chance = random.Random(seed)
    throw = _castling if seed % 2 else _en_passant
    for _ in range(MOST_TRIES):
        board = throw(chance)
        for letter in chance.sample(ENEMIES, 3):
            _put(board, chance, letter)
        if seed % 4 > 1:
            board = board.mirror()
        if board.is_valid():
            return board
    raise AssertionError(f"no legal position from seed {seed}")


def _castling(chance: random.Random) -> chess.Board:
    """The king and one rook or both at home."""
    board = _with_kings(chance, chess.E1)
    for corner in chance.choice(((chess.A1,), (chess.H1,), (chess.A1, chess.H1))):
        board.set_piece_at(corner, chess.Piece.from_symbol("R"))
    board.castling_rights = board.rooks
    return board


def _en_passant(chance: random.Random) -> chess.Board:
    """Two pawns side by side, and often a king that needs them there against a rook."""
    rank = chance.sample(range(32, 40), 2)
    board = _with_kings(chance, chance.choice((rank[0], chance.randrange(64))))
    if board.piece_at(rank[1]) is None:
        board.set_piece_at(rank[1], chess.Piece.from_symbol(chance.choice("qr")))
    file = chance.randrange(7)
    ours, theirs = chance.sample((file, file + 1), 2)
    for square, letter in ((32 + ours, "P"), (32 + theirs, "p")):
        if board.piece_at(square) is None:
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.ep_square = 40 + theirs
    return board


def _with_kings(chance: random.Random, square: chess.Square) -> chess.Board:
    board = chess.Board(None)
    board.set_piece_at(square, chess.Piece.from_symbol("K"))
    _put(board, chance, "k")
    return board


def _put(board: chess.Board, chance: random.Random, letter: str) -> None:
    free = [square for square in chess.SQUARES if not board.piece_at(square)]
    if letter == "p":
        free = [square for square in free if 0 < square >> 3 < 7]
    board.set_piece_at(chance.choice(free), chess.Piece.from_symbol(letter))
