"""English descriptive: ``P-K4``, ``N-KB3``, ``BxPch``, ``P-K8(Q)``, ``QR-K1``, ``O-O``.

Squares are named from the mover's own side: files after the pieces that start on them, ranks from
the mover's first. A position remembers no origins, so a piece is named after its present square: a
knight or rook is the king's on files e to h, a bishop is the king's on the colour of the
king's bishop's first square, a pawn is named by its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from boardfw.notation.move_text import LONGEST, ambiguous, bare, illegal, unreadable
from boardfw.notation.san import castling_text, check_sign
from boardfw.rules.attacks import FILE_A, RANK_1, SQUARES
from boardfw.rules.board import BISHOP, KING, LETTERS, PAWN, Color, PieceType
from boardfw.rules.memo import Memo
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import ALL, LIGHT, Bitboard, Square, file_of, rank_of

FILE_NAMES = ("QR", "QN", "QB", "Q", "K", "KB", "KN", "KR")
"""Names of the files, a to h, for both players."""

FLIP = (0, 56)
"""By colour: ``square ^ FLIP`` is the square as seen from the mover's side of the board."""

_KINGS_HALF: Bitboard = 0xF0F0_F0F0_F0F0_F0F0
_FILE = "(?:[KQ]?[RNB]|[KQ])"
_SQUARE = f"{_FILE}[1-8]"
_SPOT = rf"(?:[(/](?P<{{0}}spot>{_FILE}?[1-8])\)?)?"
_PIECE = rf"(?P<{{0}}side>[KQ]??)(?P<{{0}}file>[RNB]?)(?P<{{0}}kind>[KQRNBP]){_SPOT}"
_MOVE = re.compile(
    rf"{_PIECE.format('')}\s?(?:-\s?(?P<target>{_SQUARE})"
    rf"|X\s?(?:(?P<taken>{_SQUARE})|{_PIECE.format('captured_')}))"
    r"(?:\s?(?:[=/(]\s?|(?<=[1-8]))(?P<promotion>[QRBN])\)?)?"
)
_CASTLING = re.compile(
    r"[O0]\s?-?\s?[O0](?P<third>\s?-?\s?[O0])?"
    r"|CASTLES?(?:\s?\(?(?P<side>[KQ])(?:R|(?:ING|UEEN)?-?SIDE)?\)?)?"
)


class Piece(NamedTuple):
    """What a text says of a piece: ``side`` K or Q, or empty; ``squares`` where it may be.

    Squares are as seen by the mover, also for an enemy piece.
    """

    kind: PieceType
    side: str
    squares: Bitboard


class Description(NamedTuple):
    """What a text says of a move. ``castlings`` are the files on which the king may end."""

    core: str
    is_check: bool
    is_en_passant: bool
    castlings: tuple[int, ...] = ()
    piece: Piece = Piece(KING, "", ALL)
    target: Bitboard = ALL
    is_capture: bool = False
    captured: Piece | None = None
    promotion: PieceType = 0


def format_descriptive(position: Position, move: Move) -> str:
    """The shortest usual text that fits no other legal move, with ``ch`` or ``Mate``.

    Target squares are always named in full (``B-QB4``); pieces only as far as needed.
    """
    sign = check_sign(position, move, "ch", "Mate")
    if move.is_castling:
        return castling_text(move) + sign
    for text in _namings(position, move):
        form = _FORMS[text]
        if form is not None and _fitting(position, form) == [move]:
            break
    else:
        raise ValueError(f"{move!r} is not legal in {position!r}")
    return f"{text} e.p.{sign and ' '}{sign}" if move.is_en_passant else text + sign


def parse_descriptive(position: Position, text: str) -> Move:
    """The legal move that a text means. Raises UnreadableMove, IllegalMove or AmbiguousMove.

    A text may say less or more than needed, if it fits one legal move. ``ch`` and ``Mate`` are
    never required, but decide between moves of which one gives check. If nothing fits
    literally, a piece's side (``KN``) and ``-`` before a capture are not insisted on. ``Kt``,
    ``Castles``, small letters, signs such as ``!`` and a move number are read.
    """
    form = _FORMS[text] if len(text) <= LONGEST else None
    if form is None:
        raise unreadable(position, text, format_descriptive)
    found = _fitting(position, form)
    if len(found) > 1 and form.is_check:
        found = [move for move in found if position.play_unchecked(move).is_check()] or found
    if len(found) == 1:
        return found[0]
    if found:
        raise ambiguous(position, form.core, found, format_descriptive)
    near = SQUARES[form.target][0] ^ FLIP[position.turn] if form.target != ALL else None
    raise illegal(position, form.core, format_descriptive, form.piece.kind, near)


def square_name(square: Square, color: Color) -> str:
    """A square as the player of this colour calls it: e5 is K5 for White and K4 for Black."""
    square ^= FLIP[color]
    return f"{FILE_NAMES[file_of(square)]}{rank_of(square) + 1}"


def _namings(position: Position, move: Move) -> Iterator[str]:
    """Possible texts of a move, the shortest first."""
    turn = position.turn
    movers = _piece_names(move.piece_type, move.origin, turn, turn)
    targets = [f"-{square_name(move.target, turn)}"]
    captured = None if move.captured is None else position.piece_at(move.captured)
    if move.captured is not None and captured is not None:
        targets = [
            f"x{name}" for name in _piece_names(captured.piece_type, move.captured, 1 - turn, turn)
        ]
    promotion = f"({LETTERS[move.promotion]})" if move.promotion else ""
    texts = [mover + target + promotion for mover, target in product(movers, targets)]
    yield from sorted(texts, key=len)


def _piece_names(kind: PieceType, square: Square, color: Color, viewer: Color) -> list[str]:
    """Names of a piece, the plainest first; squares are as seen by ``viewer``."""
    letter = LETTERS[kind]
    if kind == KING:
        return [letter]
    place = square_name(square, viewer)
    names = [letter, f"{letter}({place[-1]})", f"{letter}({place})"]
    if kind == PAWN:
        names += [place[-2] + letter, place[:-1] + letter]
    elif letter != "Q":
        names.append(_side_of(kind, square ^ FLIP[color]) + letter)
    return names


def _side_of(kind: PieceType, square: Square) -> str:
    """K or Q: the side a piece is of, by its square as seen from its own side of the board."""
    half = LIGHT if kind == BISHOP else _KINGS_HALF
    return "K" if half >> square & 1 else "Q"


def _read(text: str) -> Description | None:
    """What a text says, or None if it is no move."""
    words = bare(text)
    if words is None:
        return None
    core, is_check, is_en_passant = words
    plain = " ".join(core.upper().replace("KT", "N").split())
    if castling := _CASTLING.fullmatch(plain):
        castlings = {"K": (6,), "Q": (2,), None: (2, 6)}[castling["side"]]
        if not plain.startswith("C"):
            castlings = (2,) if castling["third"] else (6,)
        return Description(plain, is_check, is_en_passant, castlings)
    move = _MOVE.fullmatch(plain)
    piece = move and _piece(move, "")
    if move is None or piece is None:
        return None
    square = move["target"] or move["taken"]
    captured = None if square else _piece(move, "captured_")
    if not square and captured is None:
        return None
    return Description(
        plain.replace("X", "x"),
        is_check,
        is_en_passant,
        piece=piece,
        target=_squares(square) if square else ALL,
        is_capture=not move["target"],
        captured=captured,
        promotion=LETTERS.index(move["promotion"]) if move["promotion"] else 0,
    )


def _piece(move: re.Match[str], role: str) -> Piece | None:
    """The piece with this role in a text, or None if no piece can have that name."""
    side, file, letter = move[role + "side"], move[role + "file"], move[role + "kind"]
    spot = _squares(move[role + "spot"] or "")
    if letter == "P":
        return Piece(PAWN, "", spot & _squares(side + file))
    if file or (side and letter in "KQ"):
        return None
    return Piece(LETTERS.index(letter), side, spot)


def _squares(name: str) -> Bitboard:
    """The squares of a name: ``KB3`` one, ``B3`` two, ``KB`` a file, ``3`` a rank, "" all."""
    file, rank = name.rstrip("12345678"), name.lstrip("KQRNB")
    squares = 0
    for index, full in enumerate(FILE_NAMES):
        if file in (full, full[-1] if len(full) > 1 else full, ""):
            squares |= FILE_A << index
    return squares & RANK_1 << 8 * (int(rank) - 1) if rank else squares


_FORMS: Memo[str, Description | None] = Memo(_read, 1 << 12)
"""What texts say; not to be asked for a text beyond LONGEST."""


def _fitting(position: Position, form: Description) -> list[Move]:
    """The legal moves that a text fits: literally, else as closely as possible."""
    moves = [move for move in position.legal_moves() if _may_be(position, form, move)]
    if form.is_en_passant:
        moves = [move for move in moves if move.is_en_passant] or moves
    named = [move for move in moves if _is_named(position, form, move)]
    literal = [move for move in named if move.is_castling or _is_signed(form, move)]
    return literal or named or moves


def _may_be(position: Position, form: Description, move: Move) -> bool:
    if form.castlings or move.is_castling:
        return move.is_castling and file_of(move.target) in form.castlings
    flip = FLIP[position.turn]
    if move.piece_type != form.piece.kind or not form.piece.squares >> (move.origin ^ flip) & 1:
        return False
    if not form.target >> (move.target ^ flip) & 1:
        return False
    if form.promotion not in (0, move.promotion):
        return False
    if move.captured is None or form.captured is None:
        return move.captured is not None or not form.is_capture
    piece = position.piece_at(move.captured)
    is_kind = piece is not None and piece.piece_type == form.captured.kind
    return is_kind and bool(form.captured.squares >> (move.captured ^ flip) & 1)


def _is_named(position: Position, form: Description, move: Move) -> bool:
    """Whether the side of each piece is as the text says."""
    own, enemy = FLIP[position.turn], FLIP[1 - position.turn]
    if form.piece.side not in ("", _side_of(move.piece_type, move.origin ^ own)):
        return False
    if move.captured is None or form.captured is None:
        return True
    return form.captured.side in ("", _side_of(form.captured.kind, move.captured ^ enemy))


def _is_signed(form: Description, move: Move) -> bool:
    """Whether the move is a capture if and only if the text says so."""
    return form.is_capture == (move.captured is not None)
