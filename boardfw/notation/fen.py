"""FEN: one position in one line."""

from __future__ import annotations

import re

from boardfw.errors import NotationError
from boardfw.notation.errors import quoted
from boardfw.rules.attacks import SQUARES
from boardfw.rules.board import BLACK, EMPTY, PIECES, SIDE, WHITE, Placement
from boardfw.rules.position import Position
from boardfw.rules.setup import Setup, SetupError
from boardfw.squares import BY_NAME, NAMES, Occupancy, Square, occupancy_of, square_at

_ROOKS = {"K": BY_NAME["h1"], "Q": BY_NAME["a1"], "k": BY_NAME["h8"], "q": BY_NAME["a8"]}
_GAP = re.compile("1+")
_DEFAULTS = ("w", "-", "-", "0", "1")
_MOST_DIGITS = 6
"""No game is a million moves long; int() of a longer text may be slow or refused."""


def parse_fen(text: str) -> Position:
    """The position of a FEN. Raises NotationError: one line with the field and the remedy.

    Fields missing at the end (counters above all) take their usual values. The en passant square
    is kept as written, whether or not a capture on it is legal.
    """
    try:
        return parse_setup(text).position()
    except SetupError as error:
        raise NotationError(f"FEN {quoted(text)}: {error}") from error


def parse_setup(text: str) -> Setup:
    """The arrangement of a FEN, which may be nonsense as a position. Raises NotationError."""
    fields = text.split()
    if not fields:
        raise NotationError("FEN: the text is empty; write at least the eight ranks")
    if len(fields) > 6:
        raise NotationError(
            f"FEN {quoted(text)}: {len(fields)} fields, but 6 are the most; "
            f"remove what follows the move number"
        )
    men, turn, castling, en_passant, clock, number = (*fields, *_DEFAULTS[len(fields) - 1 :])
    return Setup(
        _parse_men(men),
        _parse_turn(turn),
        _parse_castling(castling),
        _parse_en_passant(en_passant),
        _parse_count(clock, "halfmove clock"),
        # Number 0 is a common slip of other programs and harms nothing.
        max(1, _parse_count(number, "move number")),
    )


def format_fen(position: Position) -> str:
    """The FEN of a position, all six fields.

    After a double step the en passant square is written only where a capture on it is legal; a
    square that was read from a FEN is written as it was read.
    """
    en_passant = position.en_passant
    return " ".join(
        (
            format_men(position.placement),
            "b" if position.turn else "w",
            _format_castling(position.castling),
            "-" if en_passant is None else NAMES[en_passant],
            str(position.halfmove_clock),
            str(position.fullmove_number),
        )
    )


def format_men(placement: Placement) -> str:
    """The first field of a FEN."""
    letters = ["1"] * 64
    for letter, (kind, color) in PIECES.items():
        for square in SQUARES[placement[kind] & placement[SIDE[color]]]:
            letters[square] = letter
    rows = ("".join(letters[first : first + 8]) for first in range(56, -8, -8))
    return _GAP.sub(lambda gap: str(len(gap[0])), "/".join(rows))


def _format_castling(castling: Occupancy) -> str:
    letters = (letter for letter, rook in _ROOKS.items() if castling >> rook & 1)
    return "".join(letters) or "-"


def _parse_men(field: str) -> Placement:
    rows = field.split("/")
    if len(rows) != 8:
        raise NotationError(
            f"FEN, men {quoted(field)}: {len(rows)} ranks where 8 are needed, parted by /"
        )
    sets = list(EMPTY)
    for rank, row in zip(range(7, -1, -1), rows, strict=True):
        _add_rank(sets, row, rank)
    return tuple(sets)


def _add_rank(sets: list[Occupancy], row: str, rank: int) -> None:
    file = 0
    for letter in row:
        if letter in "12345678":
            file += int(letter)
            continue
        piece = PIECES.get(letter)
        if piece is None:
            raise NotationError(
                f"FEN, rank {rank + 1} {quoted(row)}: {letter!a} is no man; "
                f"use one of PNBRQK or pnbrqk"
            )
        if file < 8:
            man = 1 << square_at(file, rank)
            sets[piece.kind] |= man
            sets[SIDE[piece.color]] |= man
        file += 1
    if file != 8:
        raise NotationError(f"FEN, rank {rank + 1} {quoted(row)}: {file} squares instead of 8")


def _parse_turn(field: str) -> int:
    if field not in ("w", "b"):
        raise NotationError(f"FEN, side to move {quoted(field)}: write w or b")
    return BLACK if field == "b" else WHITE


def _parse_castling(field: str) -> Occupancy:
    if field == "-":
        return 0
    if not set(field) <= set(_ROOKS) or len(set(field)) < len(field):
        raise NotationError(f"FEN, castling {quoted(field)}: write - or some of KQkq, each once")
    return occupancy_of(_ROOKS[letter] for letter in field)


def _parse_en_passant(field: str) -> Square | None:
    if field == "-":
        return None
    if field not in BY_NAME:
        raise NotationError(f"FEN, en passant {quoted(field)}: write - or a square such as e3")
    return BY_NAME[field]


def _parse_count(field: str, name: str) -> int:
    if not (field.isascii() and field.isdigit() and len(field) <= _MOST_DIGITS):
        raise NotationError(f"FEN, {name} {quoted(field)}: write a number such as 0 or 1")
    return int(field)
