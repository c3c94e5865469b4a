"""SAN: ``e4``, ``Nbxd7+``, ``O-O``, ``e8=Q#``; written canonically, read tolerantly."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from boardfw.notation.move_text import FOUND_BY, KINGSIDE, LONGEST, meant
from boardfw.rules.board import BLACK, LETTERS, PAWN
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.rules.single_move import may_give_check, moves_to, pieces_reaching
from boardfw.squares import FILES, NAMES, RANKS, file_of, rank_of


def format_san(position: Position, move: Move) -> str:
    """The canonical SAN of a legal move, with + or #."""
    return stem(position, move) + check_sign(position, move, "+", "#")


def format_short(position: Position, move: Move) -> str:
    """The "really short" form: SAN without ``x`` and ``+``; only mate keeps its sign."""
    return stem(position, move).replace("x", "") + check_sign(position, move, "", "#")


def check_sign(position: Position, move: Move, check: str, mate: str) -> str:
    """The text behind a move: empty, or the given sign for check or for mate."""
    if not may_give_check(position, move):
        return ""
    after = position.play_unchecked(move)
    if not after.is_check():
        return ""
    return check if after.legal_moves() else mate


def move_number(start: Position, ply: int = 1) -> str:
    """The number before a ply (1 = the first) of a game from ``start``: ``12.`` or ``12...``."""
    half = start.turn + ply - 1
    return f"{start.fullmove_number + half // 2}{'...' if half % 2 else '.'}"


def numbered_san(
    start: Position,
    moves: Iterable[Move],
    written: Callable[[Position, Move], str] = format_san,
) -> str:
    """Moves with move numbers, each ``written`` so: ``3...Nf6 4.d3 Bc5``."""
    words: list[str] = []
    position = start
    for ply, move in enumerate(moves, 1):
        number = "" if words and position.turn == BLACK else move_number(start, ply)
        words.append(number + written(position, move))
        position = position.play_unchecked(move)
    return " ".join(words)


def parse_san(position: Position, text: str) -> Move:
    """The legal move that a text means. Raises UnreadableMove, IllegalMove or AmbiguousMove.

    A missing or superfluous ``x``, ``+``, ``#`` or disambiguation is no error, nor are ``0-0``,
    ``e8Q``, ``e8/Q``, ``e8(Q)``, ``e.p.``, ``Pe4``, ``e2-e4``, ``♘f3``, ``ch``, ``mate``, signs
    such as ``!`` and ``+-``, and a move number. A pawn without a named file moves straight ahead.
    """
    # Files of millions of moves are read here: a text met before costs a single call.
    if len(text) <= LONGEST:
        move = FOUND_BY[text](position)
        if move is not None:
            return move
    return meant(position, text, format_san)


def stem(position: Position, move: Move) -> str:
    """SAN without the sign for check or mate."""
    if move.is_castling:
        return castling_text(move)
    target = NAMES[move.target] if move.captured is None else "x" + NAMES[move.target]
    if move.piece_type != PAWN:
        return LETTERS[move.piece_type] + _distinction(position, move) + target
    text = target if move.captured is None else FILES[file_of(move.origin)] + target
    return f"{text}={LETTERS[move.promotion]}" if move.promotion else text


def castling_text(move: Move) -> str:
    """Castling as SAN and most notations write it."""
    return "O-O" if file_of(move.target) == KINGSIDE else "O-O-O"


def _distinction(position: Position, move: Move) -> str:
    """The file, rank or square that distinguishes this piece from others of its type."""
    others = position.pieces_of(move.piece_type, position.turn) & ~(1 << move.origin)
    if not others or not pieces_reaching(position, move.piece_type, move.target) & others:
        return ""  # nearly always: no other piece can move there
    rivals = [m.origin for m in moves_to(position, move.piece_type, move.target, others)]
    if not rivals:
        return ""
    if all(file_of(rival) != file_of(move.origin) for rival in rivals):
        return FILES[file_of(move.origin)]
    if all(rank_of(rival) != rank_of(move.origin) for rival in rivals):
        return RANKS[rank_of(move.origin)]
    return NAMES[move.origin]
