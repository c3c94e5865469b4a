"""Queries: words of a lesson that mean a set of moves or squares, and what the rules answer.

A query is a word, or a word and what it is about, after a colon: ``mate``, ``kind:N:b``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from boardfw.errors import NotationError
from boardfw.learning.lone_piece import moved, targets
from boardfw.learning.task import State
from boardfw.notation.san import parse_san
from boardfw.rules import KING, QUEEN, Color, Move, Position
from boardfw.rules.board import PIECES
from boardfw.rules.claim import claims
from boardfw.rules.movegen import checkers_and_pins
from boardfw.rules.outcome import outcome
from boardfw.rules.position import Key
from boardfw.rules.static_exchange import contacts, static_exchange
from boardfw.squares import BY_NAME, Bitboard, Square, bitboard_of, squares_in

Moves: TypeAlias = tuple[Move, ...]


def moves(position: Position, query: str) -> Moves:
    """The legal moves that a query means. Raises NotationError."""
    word, colon, about = query.partition(":")
    if word == "san" and about:
        return tuple(dict.fromkeys(parse_san(position, san) for san in about.split("/")))
    if word == "best_capture" and not colon:
        return _best_captures(position)
    if word not in _MOVES or colon:
        raise NotationError(f"no query of moves: {query!r}; there are {', '.join(OF_MOVES)}")
    return tuple(move for move in position.legal_moves() if _MOVES[word](position, move))


def squares(position: Position, query: str) -> Bitboard:
    """The squares that a query means. Raises NotationError."""
    word, colon, about = query.partition(":")
    if word in _SQUARES and not colon:
        return _SQUARES[word](position)
    if word in _SQUARES_ABOUT and about:
        return _SQUARES_ABOUT[word](position, about)
    raise NotationError(f"no query of squares: {query!r}; there are {', '.join(OF_SQUARES)}")


def square(name: str) -> Square:
    """The square of a name. Raises NotationError."""
    if name not in BY_NAME:
        raise NotationError(f"{name!r} is not a square; write one such as 'e4'")
    return BY_NAME[name]


# ----------------------------------------------------------------------------------------- moves


def _safe(position: Position, move: Move) -> bool:
    """Whether no own piece is lost by exchange after it; none is in a game that is over."""
    after = position.play_unchecked(move)
    return not after.legal_moves() or not lost(after, position.turn)


def _best_captures(position: Position) -> Moves:
    """The captures that win most; empty if none wins anything."""
    gains = {move: static_exchange(position, move) for move in moves(position, "capture")}
    best = max(gains.values(), default=0)
    return tuple(move for move, gain in gains.items() if gain == best > 0)


_MOVES: dict[str, Callable[[Position, Move], bool]] = {
    "mate": lambda position, move: position.play_unchecked(move).is_checkmate(),
    "check": lambda position, move: position.play_unchecked(move).is_check(),
    "capture": lambda _, move: move.captured is not None,
    "legal": lambda _position, _move: True,
    "safe": _safe,
    "castle": lambda _, move: move.is_castling,
    "en_passant": lambda _, move: move.is_en_passant,
}
"""Which legal moves they are."""


# --------------------------------------------------------------------------------------- squares


def lost(position: Position, color: Color) -> Bitboard:
    """Pieces of a colour that would be lost by exchange if the other side captured them."""
    pieces = position.pieces(color)
    known = contacts(position).items()
    return bitboard_of(where for where, contact in known if contact.loss) & pieces


def _kind(position: Position, about: str) -> Bitboard:
    """``Q``: all queens; ``Q:w``, ``Q:b``: those of a colour."""
    letter, colon, side = about.partition(":")
    if letter not in PIECES or letter.islower() or (colon and side not in ("w", "b")):
        raise NotationError(f"no type of piece: {about!r}; write one such as 'Q', 'Q:w' or 'Q:b'")
    pieces = position.placement[PIECES[letter].piece_type]
    return pieces & position.pieces("wb".index(side)) if side else pieces


def _captures_of(position: Position, about: str) -> Bitboard:
    """The pieces that the piece of a square may capture."""
    origin = square(about)
    if not position.pieces(position.turn) >> origin & 1:
        raise NotationError(f"no piece of the side to move stands on {about}")
    captured_pieces = (m.captured for m in position.legal_moves() if m.origin == origin)
    return bitboard_of(captured for captured in captured_pieces if captured is not None)


def _comes_to(position: Position, about: str) -> Bitboard:
    """Own pieces but the king that could come to a square if they alone moved, however often."""
    goal = square(about)
    pieces = position.pieces(position.turn) & ~position.placement[KING]
    return bitboard_of(
        piece for piece in squares_in(pieces) if _wanders(position, piece) >> goal & 1
    )


def _wanders(position: Position, origin: Square) -> Bitboard:
    """Where a piece can ever come. What it captures on the way no longer blocks it."""
    seen = 1 << origin
    queue = [origin]
    for here in queue:
        there = moved(position.placement, origin, here) if here != origin else position.placement
        for target in squares_in(targets(there, here) & ~seen):
            seen |= 1 << target
            queue.append(target)
    return seen


_SQUARES: dict[str, Callable[[Position], Bitboard]] = {
    "checkers": Position.checkers,
    "pinned": lambda position: checkers_and_pins(position.placement, position.turn)[1],
    "attacked_own": lambda position: lost(position, position.turn),
    "hanging_enemy": lambda position: lost(position, 1 - position.turn),
}
_SQUARES_ABOUT: dict[str, Callable[[Position, str], Bitboard]] = {
    "kind": _kind,
    "captures_of": _captures_of,
    "comes_to": _comes_to,
    "squares": lambda _, about: bitboard_of(map(square, about.split())),
}

OF_MOVES = (*_MOVES, "best_capture", "san")
"""The words that begin a query of moves."""
OF_SQUARES = (*_SQUARES, *_SQUARES_ABOUT)
"""The words that begin a query of squares."""


def reach(position: Position, origin: Square) -> Bitboard:
    """Where the piece of a square may legally go; castling is no step of the king."""
    moves = (move for move in position.legal_moves() if not move.is_castling)
    return bitboard_of(move.target for move in moves if move.origin == origin)


def meant(position: Position, origin: Square, target: Square) -> Move | None:
    """The legal move that a hand makes by these squares, to a queen if it promotes."""
    return position.find(origin, target) or position.find(origin, target, QUEEN)


def may(position: Position, origin: Square, target: Square, *, by_exchange: bool = False) -> bool:
    """Whether a move is legal; ``by_exchange``: and loses no more than it captures."""
    move = meant(position, origin, target)
    return move is not None and not (by_exchange and static_exchange(position, move) < 0)


def state(position: Position, earlier: Sequence[Key] = ()) -> State:
    """How it stands. ``earlier``: the keys of all earlier positions of the game."""
    ended = outcome(position, earlier)
    if ended is not None:
        return State.MATE if ended.termination == "checkmate" else State.DRAW
    return State.CLAIM if claims(position, earlier) else State.GOES_ON
