"""Games to be played: a few famous ones, and random ones that look like chess."""

from __future__ import annotations

import random

import chess

FAMOUS = {
    "Morphy, Paris 1858": (
        "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ "
        "Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"
    ),
    "Anderssen - Kieseritzky, London 1851": (
        "e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 "
        "h4 Qg6 h5 Qg5 Qf3 Ng8 Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+ Ke2 Na6 Nxg7+ Kd8 "
        "Qf6+ Nxf6 Be7#"
    ),
    "Anderssen - Dufresne, Berlin 1852": (
        "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1 Nge7 Ba3 b5 "
        "Qxb5 Rb8 Qa4 Bb6 Nbd2 Bb7 Ne4 Qf5 Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 Qxf3 Rxe7+ Nxe7 "
        "Qxd7+ Kxd7 Bf5+ Ke8 Bd7+ Kf8 Bxe7#"
    ),
    "Reti - Tartakower, Vienna 1910": (
        "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nf6 Qd3 e5 dxe5 Qa5+ Bd2 Qxe5 O-O-O Nxe4 Qd8+ Kxd8 Bg5+ Kc7 Bd8#"
    ),
    "Byrne - Fischer, New York 1956": (
        "Nf3 Nf6 c4 g6 Nc3 Bg7 d4 O-O Bf4 d5 Qb3 dxc4 Qxc4 c6 e4 Nbd7 Rd1 Nb6 Qc5 Bg4 Bg5 Na4 "
        "Qa3 Nxc3 bxc3 Nxe4 Bxe7 Qb6 Bc4 Nxc3 Bc5 Rfe8+ Kf1 Be6 Bxb6 Bxc4+ Kg1 Ne2+ Kf1 Nxd4+ "
        "Kg1 Ne2+ Kf1 Nc3+ Kg1 axb6 Qb4 Ra4 Qxb6 Nxd1 h3 Rxa2 Kh2 Nxf2 Re1 Rxe1 Qd8+ Bf8 Nxe1 "
        "Bd5 Nf3 Ne4 Qb8 b5 h4 h5 Ne5 Kg7 Kg1 Bc5+ Kf1 Ng3+ Ke1 Bb4+ Kd1 Bb3+ Kc1 Ne2+ Kb1 Nc3+ "
        "Kc1 Rc2#"
    ),
    "Deep Blue - Kasparov, New York 1997": (
        "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nd7 Ng5 Ngf6 Bd3 e6 N1f3 h6 Nxe6 Qe7 O-O fxe6 Bg6+ Kd8 Bf4 "
        "b5 a4 Bb7 Re1 Nd5 Bg3 Kc8 axb5 cxb5 Qd3 Bc6 Bf5 exf5 Rxe7 Bxe7 c4"
    ),
}
VALUE = {
    chess.PAWN: 1,
    chess.KNIGHT: 3,
    chess.BISHOP: 3,
    chess.ROOK: 5,
    chess.QUEEN: 9,
    chess.KING: 4,
}
HOME = (chess.C1, chess.B1, chess.F1, chess.G1, chess.C8, chess.B8, chess.F8, chess.G8)


def game(chance: random.Random) -> list[chess.Move]:
    """Return a game from the usual start; one in six is famous, the others are random."""
    if chance.random() < 1 / 6:
        return famous(chance.choice(sorted(FAMOUS)))
    return random_game(chance, chance.randint(16, 90))


def famous(title: str) -> list[chess.Move]:
    """Return a famous game by its title."""
    board = chess.Board()
    return [board.push_san(san) for san in FAMOUS[title].split()]


def random_game(chance: random.Random, plies: int) -> list[chess.Move]:
    """Return a game of so many plies, or of fewer where it ends before."""
    board = chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves or board.is_insufficient_material():
            break
        weights = [_liking(board, move) for move in moves]
        board.push(chance.choices(moves, weights)[0])
    return list(board.move_stack)


def likely_move(
    board: chess.Board,
    chance: random.Random,
    *,
    origin: chess.Square | None = None,
    captures: bool = False,
) -> chess.Move | None:
    """Return a move that a player might try and regret; None where there is none.

    ``origin``: of the piece on this square. ``captures``: it may capture; en passant it never does.
    """
    moves = [
        move
        for move in board.legal_moves
        if (captures or not board.is_capture(move))
        and not (move.promotion or board.is_castling(move) or board.is_en_passant(move))
        and origin in (None, move.from_square)
    ]
    return chance.choices(moves, [_liking(board, m) for m in moves])[0] if moves else None


def _liking(board: chess.Board, move: chess.Move) -> float:
    """Return how likely somebody plays a move, in no unit: people take, develop and castle."""
    moved = board.piece_type_at(move.from_square) or chess.PAWN
    liking = 1.0
    if board.is_castling(move):
        liking *= 12
    if move.promotion:
        # People take a queen; other pieces are a few per cent of promotions in game collections.
        liking *= 20 if move.promotion == chess.QUEEN else 0.3
    if board.is_capture(move):
        liking *= 2 + VALUE[board.piece_type_at(move.to_square) or chess.PAWN]
    if move.from_square in HOME and moved in (chess.KNIGHT, chess.BISHOP):
        liking *= 3
    if chess.square_file(move.to_square) in (3, 4) and moved == chess.PAWN:
        liking *= 3
    if moved == chess.KING and len(board.piece_map()) > 14:
        liking *= 0.15
    guards = board.attackers(not board.turn, move.to_square)
    if any(VALUE[board.piece_type_at(s) or chess.PAWN] < VALUE[moved] for s in guards):
        liking *= 0.15
    if board.move_stack[-2:-1] == [chess.Move(move.to_square, move.from_square)]:
        liking *= 0.1
    return liking
