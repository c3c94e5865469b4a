"""What python-chess says to the tasks of lessons."""

from __future__ import annotations

import chess

from boardfw.notation.fen import format_fen
from boardfw.rules import Position
from boardfw.squares import Bitboard


def board_of(position: Position) -> chess.Board:
    board = chess.Board(format_fen(position))
    assert board.is_valid(), board.fen()
    return board


def moves(board: chess.Board, query: str) -> set[str] | None:
    """The moves of a query in UCI; None: the oracle knows no exchanges."""
    word, _, about = query.partition(":")
    legal = list(board.legal_moves)
    if word == "san":
        return {board.parse_san(san).uci() for san in about.split("/")}
    if word == "mate":
        found = [move for move in legal if "#" in board.san(move)]
    elif word == "check":
        found = [move for move in legal if board.gives_check(move)]
    elif word == "capture":
        found = [move for move in legal if board.is_capture(move)]
    elif word == "castle":
        found = [move for move in legal if board.is_castling(move)]
    elif word == "en_passant":
        found = [move for move in legal if board.is_en_passant(move)]
    elif word == "legal":
        found = legal
    else:
        assert word in ("safe", "best_capture")
        return None
    return {move.uci() for move in found}


def squares(board: chess.Board, query: str) -> Bitboard | None:
    """The squares of a query; None: the oracle knows no exchanges."""
    word, _, about = query.partition(":")
    if word == "checkers":
        return int(board.checkers())
    if word == "pinned":
        own = chess.SquareSet(board.occupied_co[board.turn])
        return int(chess.SquareSet(s for s in own if board.is_pinned(board.turn, s)))
    if word == "kind":
        return _kind(board, *about.split(":"))
    if word == "captures_of":
        origin = chess.parse_square(about)
        taking = [m for m in board.legal_moves if m.from_square == origin and board.is_capture(m)]
        assert not any(map(board.is_en_passant, taking))
        return int(chess.SquareSet(move.to_square for move in taking))
    if word == "comes_to":
        return _bishops_of_the_colour_of(board, chess.parse_square(about))
    if word == "squares":
        return int(chess.SquareSet(map(chess.parse_square, about.split())))
    assert word in ("attacked_own", "hanging_enemy")
    return None


def _kind(board: chess.Board, letter: str, side: str = "") -> Bitboard:
    kind = chess.Piece.from_symbol(letter).piece_type
    colors = {"": chess.COLORS, "w": [chess.WHITE], "b": [chess.BLACK]}[side]
    return sum(int(board.pieces(kind, color)) for color in colors)


def _bishops_of_the_colour_of(board: chess.Board, square: chess.Square) -> Bitboard:
    """Lessons ask so of bishops alone."""
    assert board.occupied_co[board.turn] & ~board.kings & ~board.bishops == 0
    alike = (
        chess.BB_LIGHT_SQUARES if chess.BB_LIGHT_SQUARES >> square & 1 else chess.BB_DARK_SQUARES
    )
    return int(board.pieces(chess.BISHOP, board.turn)) & alike


def reach(board: chess.Board, origin: chess.Square) -> Bitboard:
    found = [m for m in board.legal_moves if m.from_square == origin and not board.is_castling(m)]
    return int(chess.SquareSet(move.to_square for move in found))


def is_legal(board: chess.Board, origin: chess.Square, target: chess.Square) -> bool:
    return any(m.from_square == origin and m.to_square == target for m in board.legal_moves)


def verdict(board: chess.Board) -> str:
    if board.is_checkmate():
        return "mate"
    if board.is_stalemate() or board.is_insufficient_material():
        return "draw"
    return "claim" if board.is_fifty_moves() or board.is_repetition(3) else "goes_on"


def par(board: chess.Board, stars: Bitboard) -> int:
    """Moves of the side to move, kings apart, until all stars are visited."""
    first = board.copy(stack=False)
    first.clear_stack()
    first.castling_rights, first.ep_square = 0, None
    level, seen, moves = [(first, stars)], {(first.board_fen(), stars)}, 0
    while level:
        if any(not left for _, left in level):
            return moves
        moves += 1
        level = [state for here in level for state in _after(*here) if _is_new(state, seen)]
    raise AssertionError("no path visits all stars")


def _is_new(state: tuple[chess.Board, Bitboard], seen: set[tuple[str, Bitboard]]) -> bool:
    key = state[0].board_fen(), state[1]
    if key in seen:
        return False
    seen.add(key)
    return True


def _after(board: chess.Board, stars: Bitboard) -> list[tuple[chess.Board, Bitboard]]:
    found = []
    for move in board.generate_pseudo_legal_moves(board.occupied & ~board.kings, ~board.kings):
        after = board.copy(stack=False)
        after.push(move)
        after.turn, after.ep_square = board.turn, None
        found.append((after, stars & ~(1 << move.to_square)))
    return found
