"""Legal positions that games hardly reach: sparse, crowded, with castling or en passant."""

from __future__ import annotations

import random

import chess

THEMES = (
    *("QQQqqq", "QQQQRRqqqqrr", "BBRRQbbrrq", "NNNNnnnnBb", "QRBNqrbn", "PPPPPPpppppp"),
    *("PPPpppQq", "PPPPppppRrBb", "RRrr", "RRBNrrbnPPpp", "Pp", "Rr", "Bb", "Nn", ""),
)
"""Pieces beside the kings."""
MOST_TRIES = 2_000


def scramble(seed: int) -> chess.Board:
    """A random legal position; every other one with the castling of Chess960."""
    chance = random.Random(seed)
    for _ in range(MOST_TRIES):
        board = _thrown(chance, chess960=bool(seed % 2))
        if board.is_valid():
            return board
    raise AssertionError(f"no legal position from seed {seed}")


def _thrown(chance: random.Random, *, chess960: bool) -> chess.Board:
    """A random placement."""
    board = chess.Board(None, chess960=chess960)
    board.turn = chance.random() < 0.5
    wants_castling = chance.random() < 0.4
    for color in chess.COLORS:
        _place(board, chance, chess.Piece(chess.KING, color), _home(color, chance, wants_castling))
    for letter in chance.choice(THEMES):
        piece = chess.Piece.from_symbol(letter)
        is_at_home = wants_castling and piece.piece_type == chess.ROOK
        _place(
            board, chance, piece, _squares(piece, chance, chess960=chess960, is_at_home=is_at_home)
        )
    if wants_castling:
        board.castling_rights = board.rooks & (chess.BB_RANK_1 | chess.BB_RANK_8)
    board.castling_rights = board.clean_castling_rights()
    board.ep_square = _jumped(board, chance)
    board.halfmove_clock = 0 if board.ep_square else chance.choice((0, 1, 98, 99, 100, 149, 150))
    board.fullmove_number = chance.randint(1, 200)
    return board


def _place(
    board: chess.Board, chance: random.Random, piece: chess.Piece, squares: chess.SquareSet
) -> None:
    free = [square for square in squares if not board.piece_at(square)]
    if free:
        board.set_piece_at(chance.choice(free), piece)


def _home(color: chess.Color, chance: random.Random, wants_castling: bool) -> chess.SquareSet:
    if not wants_castling:
        return chess.SquareSet(chess.BB_ALL)
    rank = chess.BB_RANK_1 if color else chess.BB_RANK_8
    files = chess.BB_FILE_E if chance.random() < 0.5 else ~(chess.BB_FILE_A | chess.BB_FILE_H)
    return chess.SquareSet(rank & files)


def _squares(
    piece: chess.Piece, chance: random.Random, *, chess960: bool, is_at_home: bool
) -> chess.SquareSet:
    """A random square; pawns are placed ready to promote or to capture en passant."""
    if is_at_home:
        rank = chess.BB_RANK_1 if piece.color else chess.BB_RANK_8
        return chess.SquareSet(rank & (chess.BB_ALL if chess960 else chess.BB_CORNERS))
    if piece.piece_type != chess.PAWN:
        return chess.SquareSet(chess.BB_ALL)
    fourth, fifth, seventh = (3, 4, 6) if piece.color else (4, 3, 1)
    rank_index = chance.choice((fourth, fifth, seventh, chance.randint(1, 6)))
    return chess.SquareSet(chess.BB_RANKS[rank_index])


def _jumped(board: chess.Board, chance: random.Random) -> chess.Square | None:
    """A square that a pawn of the side not to move may just have jumped over."""
    rank, ahead = (5, -8) if board.turn else (2, 8)
    squares = [
        square
        for square in chess.SquareSet(chess.BB_RANKS[rank] & ~board.occupied)
        if board.piece_at(square + ahead) == chess.Piece(chess.PAWN, not board.turn)
        and not board.piece_at(square - ahead)
    ]
    return chance.choice(squares) if squares and chance.random() < 0.8 else None
