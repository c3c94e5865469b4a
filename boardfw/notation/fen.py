"""FEN: one position in one line.

Pieces are read and written a rank at a time: the eight bitboards of a placement are 64 bytes
together, and every eighth byte belongs to one rank. The same ranks recur game after game, so
each is worked out once.

Rights to castle are ``KQkq``, or the files of the rooks (``HAha``). In X-FEN a ``K`` is the
outermost rook on the king's h-side, whatever its file, and a rook that is not the outermost has its
file; Shredder-FEN always has the file. A small letter is Black's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from struct import Struct

from boardfw.errors import NotationError
from boardfw.notation.errors import quoted
from boardfw.rules.attacks import FILE_A, FILE_H, RANK_1, RANK_8, SQUARES
from boardfw.rules.board import BLACK, KING, PIECES, ROOK, SIDE, WHITE, Color, Placement
from boardfw.rules.faults import Problem, en_passant_faults
from boardfw.rules.memo import Memo
from boardfw.rules.position import Position
from boardfw.rules.setup import Setup, SetupError
from boardfw.squares import BY_NAME, FILES, NAMES, Bitboard, Square, file_of, squares_in

_LETTERS = frozenset("KQkqABCDEFGHabcdefgh")
_SIDES = ((RANK_1, str.upper), (RANK_8, str.lower))


def parse_rights(field: str, placement: Placement) -> Bitboard:
    """The squares of the rooks that may castle. Raises NotationError.

    If the king has no rook on that side, ``K`` or ``Q`` means the corner, a fault that ``Setup``
    finds.
    """
    return _RIGHTS_READ[field, *_castlers(placement)]


def format_rights(castling: Bitboard, placement: Placement, *, shredder: bool) -> str:
    """The rights in their usual order: White's first, the h-side's first; ``-`` for none."""
    return _RIGHTS_WRITTEN[castling, shredder, *_castlers(placement)]


def _castlers(placement: Placement) -> tuple[Bitboard, Bitboard]:
    """Rooks and kings on their home ranks: all that decides what the letters mean."""
    home = RANK_1 & placement[0] | RANK_8 & placement[7]
    return placement[ROOK] & home, placement[KING] & home


def _read_rights(key: tuple[str, Bitboard, Bitboard]) -> Bitboard:
    field, rooks, kings = key
    if not set(field) <= _LETTERS or len(set(field)) < len(field):
        raise NotationError(
            f"FEN, castling {quoted(field)}: write -, or some of KQkq or of the rooks' files "
            f"(HAha), each once"
        )
    castling = 0
    for letter in field:
        rank = RANK_1 if letter.isupper() else RANK_8
        side = letter.lower()
        if side in FILES:
            castling |= rank & FILE_A << FILES.index(side)
        else:
            castling |= _outermost(side, rank, rooks, kings)
    return castling


def _rights_text(key: tuple[Bitboard, bool, Bitboard, Bitboard]) -> str:
    castling, shredder, rooks, kings = key
    text = ""
    for rank, case in _SIDES:
        names = {} if shredder else {_outermost(s, rank, rooks, kings): s for s in "kq"}
        for square in reversed(list(squares_in(castling & rank))):
            text += case(names.get(1 << square, FILES[file_of(square)]))
    return text or "-"


def _outermost(side: str, rank: Bitboard, rooks: Bitboard, kings: Bitboard) -> Bitboard:
    """The bitboard of the rook that ``k`` or ``q`` means on this rank; else that side's corner."""
    king = kings & rank
    if side == "k":
        beside = rooks & rank & -king
        return 1 << beside.bit_length() - 1 if beside else rank & FILE_H
    beside = rooks & rank & (king - 1) if king else 0
    return beside & -beside or rank & FILE_A


_RIGHTS_READ: Memo[tuple[str, Bitboard, Bitboard], Bitboard] = Memo(_read_rights, 1 << 10)
_RIGHTS_WRITTEN: Memo[tuple[Bitboard, bool, Bitboard, Bitboard], str] = Memo(_rights_text, 1 << 10)


_FIELDS = ("pieces", "side to move", "castling", "en passant", "halfmove clock", "move number")
_DEFAULTS = ("w", "-", "-", "0", "1")
_NONE = ("-", "–", "—")
"""How an empty field is written; word processors turn the dash into a longer one."""
_MOST_DIGITS = 6
"""No game is a million moves long, and ``int`` of a longer text may be slow or refused."""
_SETS = Struct("<8Q")


def parse_fen(
    text: str,
    *,
    strict: bool = False,
    ignore: Collection[str] = (),
    tell: Callable[[str], None] | None = None,
) -> Position:
    """The position of a FEN. Raises NotationError: one line with the field and the remedy.

    Fields missing at the end (usually the counters) take their usual values, extra blanks are
    ignored, and ``KQkq`` may mix with the files of the rooks (``HAha``) in any order. An impossible
    en passant square is dropped, like one on which no capture is legal.
    With ``strict`` only six fields as the standard writes them are read, rights to castle as in
    X-FEN or Shredder-FEN, and an en passant square wherever a pawn can just have jumped it.
    ``ignore`` names problems that do not matter, as in ``Setup.position``; ``tell`` is called
    with a line for each of them, and for an en passant square that was dropped.
    """
    setup = parse_setup(text)
    if strict:
        _refuse_loose(text, setup)
    return position_of(setup, f"FEN {quoted(text)}", strict=strict, ignore=ignore, tell=tell)


def position_of(
    setup: Setup,
    what: str,
    *,
    strict: bool = False,
    ignore: Collection[str] = (),
    tell: Callable[[str], None] | None = None,
) -> Position:
    """The position of a set-up that was read, as in ``parse_fen``; ``what`` names the text.

    Raises NotationError.
    """
    told = tell or (lambda _: None)
    if not strict and (problem := _impossible_en_passant(setup, ignore)) is not None:
        told(f"the en passant square is dropped: {problem.text.partition('; drop')[0]}")
        setup = setup._replace(en_passant=None)
    try:
        return setup.position(ignore=ignore, tell=told)
    except SetupError as error:
        raise NotationError(f"{what}: {error}") from error


def parse_setup(text: str) -> Setup:
    """The set-up position of a FEN, which may be nonsense. Raises NotationError."""
    fields = text.split()
    if len(fields) != 6:
        fields = _completed(fields, text)
    pieces, turn, castling, en_passant, clock, number = fields
    placement = _parse_pieces(pieces)
    return Setup(
        placement,
        _parse_turn(turn),
        0 if castling in _NONE else parse_rights(castling, placement),
        None if en_passant in _NONE else _parse_en_passant(en_passant),
        _parse_count(clock, "halfmove clock"),
        # Other programs often write number 0, which does no harm.
        _parse_count(number, "move number") or 1,
    )


def format_fen(position: Position | Setup, *, shredder: bool = False) -> str:
    """The FEN of a position, or of pieces set up, even nonsensically: all six fields.

    The right to castle with the outermost rook is ``KQkq``, with another it is its file; with
    ``shredder`` it is always the file. The en passant square is written only where a capture on
    it is legal.
    """
    return " ".join(_written(position, shredder=shredder))


def format_pieces(placement: Placement) -> str:
    """The first field of a FEN."""
    sets = _SETS.pack(*placement)
    return "/".join([_RANK_TEXTS[sets[rank::8]] for rank in _DOWNWARDS])


def _written(state: Position | Setup, *, shredder: bool) -> tuple[str, ...]:
    en_passant = state.en_passant
    return (
        format_pieces(state.placement),
        "b" if state.turn else "w",
        (
            format_rights(state.castling, state.placement, shredder=shredder)
            if state.castling
            else "-"
        ),
        "-" if en_passant is None else NAMES[en_passant],
        str(state.halfmove_clock),
        str(state.fullmove_number),
    )


# ------------------------------------------------------------------------------------ whole text


def _completed(fields: list[str], text: str) -> list[str]:
    if not fields:
        raise NotationError("FEN: the text is empty; write at least the eight ranks")
    if len(fields) > len(_FIELDS):
        raise NotationError(
            f"FEN {quoted(text)}: {len(fields)} fields, but at most 6 are allowed; "
            f"remove what follows the move number"
        )
    return [*fields, *_DEFAULTS[len(fields) - 1 :]]


def _refuse_loose(text: str, setup: Setup) -> None:
    """Raise NotationError for the first field that the standard writes differently."""
    fields = text.split(" ")
    if len(fields) != len(_FIELDS) or fields != text.split():
        raise NotationError(
            f"FEN {quoted(text)}: {len(text.split())} fields; write six, "
            f"separated by single blanks, with none before or after"
        )
    long = _written(setup, shredder=True)
    for name, field, right, also in zip(
        _FIELDS, fields, _written(setup, shredder=False), long, strict=True
    ):
        if field not in (right, also):
            raise NotationError(f"FEN, {name} {quoted(field)}: write {right}")
    if setup.en_passant is not None and setup.halfmove_clock:
        raise NotationError(
            f"FEN, halfmove clock {setup.halfmove_clock}: write 0, because a pawn has just moved"
        )


def _impossible_en_passant(setup: Setup, ignore: Collection[str]) -> Problem | None:
    if setup.en_passant is None:
        return None
    problems = en_passant_faults(setup.placement, setup.turn, setup.en_passant)
    return next((problem for problem in problems if problem.fault not in ignore), None)


# ---------------------------------------------------------------------------------------- pieces

_DOWNWARDS = range(7, -1, -1)
_GAP = re.compile("1+")
_PIECES = {
    letter: 1 << 64 * kind | 1 << 64 * SIDE[color] for letter, (kind, color) in PIECES.items()
}
"""A piece on the a-file, in the bitboards of its type and its colour."""


def _rank_of_text(row: str) -> int:
    """The eight bitboards of one rank, each 64 bits wide. Raises ValueError: what is wrong."""
    file = sets = 0
    for letter in row:
        if letter in _PIECES:
            # A row that is too long must not make a huge number.
            sets |= _PIECES[letter] << file if file < 8 else 0
            file += 1
        elif letter in "12345678":
            file += int(letter)
        else:
            raise ValueError(f"{letter!a} is not a piece; use one of PNBRQK or pnbrqk")
    if file != 8:
        raise ValueError(f"{file} squares instead of 8")
    return sets


def _text_of_rank(sets: bytes) -> str:
    """A rank as FEN writes it, from the bytes of its eight bitboards."""
    letters = ["1"] * 8
    for letter, (kind, color) in PIECES.items():
        for file in SQUARES[sets[kind] & sets[SIDE[color]]]:
            letters[file] = letter
    return _GAP.sub(lambda gap: str(len(gap[0])), "".join(letters))


# A game has some forty new ranks, but the ranks of pawns and empty ranks recur all the time.
_RANKS: Memo[str, int] = Memo(_rank_of_text, 1 << 13)
_RANK_TEXTS: Memo[bytes, str] = Memo(_text_of_rank, 1 << 13)


def _parse_pieces(field: str) -> Placement:
    rows = field.split("/")
    if len(rows) != 8:
        found = "1 rank" if len(rows) == 1 else f"{len(rows)} ranks"
        raise NotationError(
            f"FEN, pieces {quoted(field)}: {found} where 8 are needed, separated by /"
        )
    sets, row = 0, ""
    try:
        for row in rows:
            sets = sets << 8 | _RANKS[row]
    except ValueError as fault:
        rank = 8 - rows.index(row)
        raise NotationError(f"FEN, rank {rank} {quoted(row)}: {fault}") from None
    return _SETS.unpack(sets.to_bytes(64, "little"))


# --------------------------------------------------------------------------------- other fields


def _parse_turn(field: str) -> Color:
    if field not in ("w", "b"):
        raise NotationError(f"FEN, side to move {quoted(field)}: write w or b")
    return BLACK if field == "b" else WHITE


def _parse_en_passant(field: str) -> Square:
    if field not in BY_NAME:
        raise NotationError(f"FEN, en passant {quoted(field)}: write - or a square such as e3")
    return BY_NAME[field]


def _parse_count(field: str, name: str) -> int:
    if not (field.isascii() and field.isdigit() and len(field) <= _MOST_DIGITS):
        raise NotationError(f"FEN, {name} {quoted(field)}: write a number such as 0 or 1")
    return int(field)
