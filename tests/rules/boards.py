"""Positions drawn as boards, and what may be played in them.

Each rank is drawn behind its number; a rank left out is empty, the line of files is for the eye::

    8 ....k...
    5 .**R**..
    1 ....K...
      abcdefgh

Letters are those of FEN. ``.`` is an empty square, ``*`` an empty one that the text is about.
"""

from __future__ import annotations

from collections.abc import Iterator

from boardfw.notation.fen import parse_fen
from boardfw.notation.san import format_san, parse_san
from boardfw.rules import Position
from boardfw.rules.position import Key

EMPTY = "." * 8


def drawn_ranks(diagram: str) -> list[str]:
    """The eight ranks from the eighth to the first, a letter a square."""
    ranks = [EMPTY] * 8
    for line in diagram.splitlines():
        number, _, rank = line.strip().partition(" ")
        if number.isdigit():
            assert len(rank) == 8, f"rank {number} has {len(rank)} squares"
            ranks[8 - int(number)] = rank
    return ranks


def board(
    diagram: str, turn: str = "w", castling: str = "-", en_passant: str = "-", clock: int = 0
) -> Position:
    """The position that is drawn; the other fields as in FEN."""
    pieces = "/".join(drawn_ranks(diagram)).replace(".", "1").replace("*", "1")
    return parse_fen(f"{pieces} {turn} {castling} {en_passant} {clock} 80")


def starred(diagram: str) -> set[str]:
    """Names of the squares that bear a star."""
    ranks = drawn_ranks(diagram)
    return {
        f"{'abcdefgh'[file]}{8 - row}"
        for row, rank in enumerate(ranks)
        for file, letter in enumerate(rank)
        if letter == "*"
    }


def sans(position: Position) -> set[str]:
    """Every legal move in SAN."""
    return {format_san(position, move) for move in position.legal_moves()}


def goes(position: Position, origin: str) -> set[str]:
    """Where the piece on a square may move, promotions named: ``a8q``."""
    return {m.uci()[2:] for m in position.legal_moves() if m.uci().startswith(origin)}


def line(position: Position, moves: str) -> Iterator[Position]:
    """The position, and each one that these moves in SAN lead to."""
    yield position
    for text in moves.split():
        position = position.play(parse_san(position, text))
        yield position


def play(position: Position, moves: str) -> Position:
    """The position after these moves in SAN."""
    return [*line(position, moves)][-1]


def history(position: Position, moves: str) -> tuple[Position, list[Key]]:
    """The position after these moves, and the keys of all before it, oldest first."""
    *before, last = line(position, moves)
    return last, [earlier.key for earlier in before]
