"""Rights to castle as FEN writes them: ``KQkq``, or the files of the rooks (``HAha``).

By X-FEN a ``K`` is the outermost rook on the king's h-side, whatever its file, and a rook that is
not the outermost has its file; Shredder-FEN always has the file. A small letter is Black's.
"""

from __future__ import annotations

from boardfw.errors import NotationError
from boardfw.notation.errors import quoted
from boardfw.rules.attacks import FILE_A, FILE_H, RANK_1, RANK_8
from boardfw.rules.board import KING, ROOK, Placement
from boardfw.rules.memo import Memo
from boardfw.squares import FILES, Occupancy, file_of, squares_in

_LETTERS = frozenset("KQkqABCDEFGHabcdefgh")
_SIDES = ((RANK_1, str.upper), (RANK_8, str.lower))


def parse_rights(field: str, placement: Placement) -> Occupancy:
    """The squares of the rooks that may castle. Raises NotationError.

    Where the king has no rook on that side, ``K`` or ``Q`` means the corner, and is a fault of
    the arrangement.
    """
    return _READ[field, *_castlers(placement)]


def format_rights(castling: Occupancy, placement: Placement, *, shredder: bool) -> str:
    """The rights in their usual order: White's first, the h-side's first; ``-`` for none."""
    return _WRITTEN[castling, shredder, *_castlers(placement)]


def _castlers(placement: Placement) -> tuple[Occupancy, Occupancy]:
    """Rooks and kings on their home ranks: all that decides what the letters mean."""
    home = RANK_1 & placement[0] | RANK_8 & placement[7]
    return placement[ROOK] & home, placement[KING] & home


def _read(key: tuple[str, Occupancy, Occupancy]) -> Occupancy:
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


def _written(key: tuple[Occupancy, bool, Occupancy, Occupancy]) -> str:
    castling, shredder, rooks, kings = key
    text = ""
    for rank, case in _SIDES:
        names = {} if shredder else {_outermost(s, rank, rooks, kings): s for s in "kq"}
        for square in reversed(list(squares_in(castling & rank))):
            text += case(names.get(1 << square, FILES[file_of(square)]))
    return text or "-"


def _outermost(side: str, rank: Occupancy, rooks: Occupancy, kings: Occupancy) -> Occupancy:
    """The rook that ``k`` or ``q`` means on this rank, as a set; else that side's corner."""
    king = kings & rank
    if side == "k":
        beside = rooks & rank & -king
        return 1 << beside.bit_length() - 1 if beside else rank & FILE_H
    beside = rooks & rank & (king - 1) if king else 0
    return beside & -beside or rank & FILE_A


_READ: Memo[tuple[str, Occupancy, Occupancy], Occupancy] = Memo(_read, 1 << 10)
_WRITTEN: Memo[tuple[Occupancy, bool, Occupancy, Occupancy], str] = Memo(_written, 1 << 10)
