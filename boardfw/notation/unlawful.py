"""Illegal moves that a game keeps all the same: ``e1e3``, ``e7e8q``, ``e5d6xd5``, ``O-O``.

They are written by their squares, because SAN can write legal moves only. A piece on the target is
captured; ``x`` and a square name another captured piece, as in a capture en passant.
"""

from __future__ import annotations

import re

from boardfw.notation.errors import IllegalMove, UnreadableMove, quoted
from boardfw.rules.board import KING, LETTERS, PAWN, PIECE_NAMES, ROOK, Piece
from boardfw.rules.move import Move, castling_move
from boardfw.rules.position import Position
from boardfw.squares import BY_NAME, NAMES, Square

_FORM = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrq]?)(?:x([a-h][1-8]))?")
_CASTLING = ("O-O", "O-O-O")


def format_unlawful(move: Move) -> str:
    """The text that ``parse_unlawful`` reads as this move."""
    if move.rook_step is not None:
        return _CASTLING[move.rook_step[0] < move.origin]
    letter = LETTERS[move.promotion].lower() if move.promotion else ""
    captured = (
        f"x{NAMES[move.captured]}" if move.is_en_passant and move.captured is not None else ""
    )
    return f"{NAMES[move.origin]}{NAMES[move.target]}{letter}{captured}"


def parse_unlawful(position: Position, text: str) -> Move:
    """The move of a piece of the side to move that a text means, legal or not.

    Raises UnreadableMove, or IllegalMove if the move is physically impossible.
    """
    word = text.strip().replace("0", "O")
    if word in _CASTLING:
        return _castling(position, word)
    form = _FORM.fullmatch(text.strip())
    if form is None or form[1] == form[2]:
        raise UnreadableMove(
            f"{quoted(text)}: an illegal move is written by its squares, such as e1e3, "
            "e7e8q, e5d6xd5 or O-O"
        )
    origin, target = BY_NAME[form[1]], BY_NAME[form[2]]
    piece = _own(position, text, origin)
    promotion = LETTERS.index(form[3].upper()) if form[3] else 0
    if promotion and piece.piece_type != PAWN:
        raise IllegalMove(
            f"{text}: the piece on {form[1]} is a {PIECE_NAMES[piece.piece_type]}, not a pawn"
        )
    captured = _captured(position, text, BY_NAME[form[4]] if form[4] else target, target)
    return Move.of(piece.piece_type, origin, target, promotion, captured)


def _own(position: Position, text: str, square: Square) -> Piece:
    piece = position.piece_at(square)
    if piece is None or piece.color != position.turn:
        raise IllegalMove(f"{text}: there is no piece of the side to move on {NAMES[square]}")
    return piece


def _captured(position: Position, text: str, square: Square, target: Square) -> Square | None:
    for taken in {square, target}:
        piece = position.piece_at(taken)
        if piece is not None and (piece.color == position.turn or piece.piece_type == KING):
            what = "a king" if piece.piece_type == KING else "a piece of the same side"
            raise IllegalMove(f"{text}: {what} on {NAMES[taken]} cannot be captured")
    if square != target and position.piece_at(target) is not None:
        raise IllegalMove(
            f"{text}: this would capture two pieces, on {NAMES[square]} and {NAMES[target]}"
        )
    if square != target and position.piece_at(square) is None:
        raise IllegalMove(f"{text}: there is no piece to capture on {NAMES[square]}")
    return None if position.piece_at(square) is None else square


def _castling(position: Position, text: str) -> Move:
    """Castling with the outermost rook on the king's rank, on that side."""
    king = position.king(position.turn)
    rank = 0xFF << (king & ~7)
    rooks = position.pieces_of(ROOK, position.turn) & rank
    side = rooks >> king << king if text == _CASTLING[0] else rooks & ((1 << king) - 1)
    if not side:
        raise IllegalMove(f"{text}: there is no rook on that side of the king, on its rank")
    rook = side.bit_length() - 1 if text == _CASTLING[0] else (side & -side).bit_length() - 1
    move = castling_move(king, Square(rook))
    needed = sum(1 << target for target in move.targets) & position.occupied
    if needed & ~(1 << king | 1 << rook):
        raise IllegalMove(
            f"{text}: other pieces are on the squares that king and rook would move to"
        )
    return move
