"""What a move text in algebraic notation says, and the legal moves that it fits.

A text is parsed once and remembered: what is left for a position is to see which pieces of one
type, on some squares, can move to another. What all move notations share is here too: numbers
before a move, signs behind it, dashes and figurines, and the error messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from boardfw.errors import NotationError
from boardfw.notation.errors import AmbiguousMove, IllegalMove, UnreadableMove, quoted
from boardfw.rules.attacks import FILE_A, RANK_1, SQUARES
from boardfw.rules.board import COLOR_NAMES, KING, LETTERS, PAWN, PieceType
from boardfw.rules.memo import Memo
from boardfw.rules.move import Move, Step
from boardfw.rules.position import Position
from boardfw.rules.single_move import Finder, finder, moves_to, pieces_reaching
from boardfw.squares import ALL, BY_NAME, FILES, NAMES, RANKS, Bitboard, Square, distance, file_of

LONGEST = 60
"""Characters of the longest text that is read as a single move."""

_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—−", "-"),
        "×": "x",
        "½": "1/2",
        **dict.fromkeys("♔♚", "K"),
        **dict.fromkeys("♕♛", "Q"),
        **dict.fromkeys("♖♜", "R"),
        **dict.fromkeys("♗♝", "B"),
        **dict.fromkeys("♘♞", "N"),
        **dict.fromkeys("♙♟", "P"),
        # Variation selectors: whether a figurine is shown as text or as a picture.
        "\ufe0e": None,
        "\ufe0f": None,
    }
)
_CHECK = r"\+\+|[+#†‡]|check\s?mate\.?|mate\.?|ch(?:eck)?\.?|(?:disc?|dbl|double)\.?"
_SIGN = rf"""\s*+(?:
    \(?e\.?\s?p\.?\)?                           # en passant
  | \+\s?/?-|-\s?/?\+|\+/=|=/\+|[±∓∞⩲⩱□⨀]|(?<=\s)=   # an evaluation, before check signs
  | {_CHECK}
  | [!?‼⁇⁈⁉:]|\(=\)|\$[0-9]{{1,3}}              # how good it is, a capture, a draw offered, a NAG
)"""
# Patterns are compiled when first used: a program that only writes moves does not need them.
# Possessive: a text of signs must not be tried in all its partitions.
_FORM = rf"\s*+(?:(?:[0-9]{{1,4}}\s?)?[.…][.…\s]*+)?(?P<core>.*?)(?P<signs>(?:{_SIGN})*+)\s*+"
_PASSING = r"\(?e\.?\s?p\.?\)?"
_LOOSELY = re.VERBOSE | re.IGNORECASE | re.DOTALL


class Bare(NamedTuple):
    """A move text without numbers and signs, and what its signs said."""

    core: str
    is_check: bool
    is_en_passant: bool


def bare(text: str) -> Bare | None:
    """``7. ♘d5# !!`` is ``Nd5``, a check; None if nothing is left or the text is too long."""
    if len(text) > LONGEST:
        return None
    form = re.fullmatch(_FORM, text.translate(_LOOKALIKES), _LOOSELY)
    if form is None or not form["core"]:
        return None
    signs = [sign[0].strip() for sign in re.finditer(_SIGN, form["signs"], _LOOSELY)]
    return Bare(
        form["core"],
        any(re.fullmatch(_CHECK, sign, re.IGNORECASE) for sign in signs),
        any(re.fullmatch(_PASSING, sign, re.IGNORECASE) for sign in signs),
    )


def is_sign(text: str) -> bool:
    """Whether a text holds only signs that follow a move, such as ``e.p.`` or ``!?``."""
    if len(text) > LONGEST:
        return False
    form = re.fullmatch(_FORM, text.translate(_LOOKALIKES), _LOOSELY)
    return form is not None and not form["core"] and bool(form["signs"])


Writer: TypeAlias = Callable[[Position, Move], str]
"""Writes a move as messages show it."""

_MOST_SHOWN = 8
"""How many legal moves a message names at most."""


def unreadable(
    position: Position, text: str, write: Writer, why: str = "not a move"
) -> UnreadableMove:
    """The error for a text that is no move at all; legal moves show what one looks like."""
    return UnreadableMove(f"{quoted(text)}: {why}; {_instead(position, write)}")


def ambiguous(
    position: Position, wanted: str, found: Sequence[Move], write: Writer
) -> AmbiguousMove:
    """The error for a text that fits all of these moves."""
    names = ", ".join(write(position, move) for move in found)
    return AmbiguousMove(f"{wanted}: more than one move fits; write {names}")


def illegal(  # everything that the message names
    position: Position,
    wanted: str,
    write: Writer,
    kind: PieceType = 0,
    target: Square | None = None,
    reason: str = "",
) -> IllegalMove:
    """The error for a text that fits no legal move; it names similar ones, nearest the target."""
    why = f"not legal here{', ' if reason else ''}{reason}"
    return IllegalMove(f"{wanted}: {why}; {_instead(position, write, kind, target)}")


def _instead(
    position: Position, write: Writer, kind: PieceType = 0, target: Square | None = None
) -> str:
    """Legal moves, of this piece type if there are any, those nearest to the target first."""
    moves = [m for m in position.legal_moves() if m.piece_type == kind] or list(
        position.legal_moves()
    )
    if not moves:
        return f"there is no legal move: {'checkmate' if position.is_check() else 'stalemate'}"
    if target is not None:
        moves.sort(key=lambda move: distance(move.target, target))
    return f"legal moves are {named_moves(position, moves, write)}"


def named_moves(position: Position, moves: Sequence[Move], write: Writer) -> str:
    """Moves as a message names them: not too many."""
    names = [write(position, move) for move in moves[:_MOST_SHOWN]]
    return ", ".join(names) + (", ..." if len(moves) > _MOST_SHOWN else "")


FILE: dict[str, Bitboard] = {name: FILE_A << index for index, name in enumerate(FILES)}
RANK: dict[str, Bitboard] = {name: RANK_1 << 8 * index for index, name in enumerate(RANKS)}
QUEENSIDE, KINGSIDE = 2, 6
"""Files of the king after castling."""

_PIECE = (
    r"(?P<kind>[PNBRQK]?)(?P<file>[a-h]?)(?P<rank>[1-8]?)(?:\s?(?P<sign>[xX:\-])\s?)?"
    r"(?P<target>[a-h][1-8])(?:\s?[=/]?\s?\(?(?P<promotion>[NBRQnbrq])\)?)?"
)
_CASTLING = r"[O0o]\s?-?\s?[O0o](?P<long>\s?-?\s?[O0o])?"
_BOTH_PIECES = (
    r"(?i:(?:King|K)?\s?([a-h][18])-([a-h][18]),?(?:\s(?:and|then))*\s(?:Rook|R)?\s?"
    r"([a-h][18])-([a-h][18]))"
)


class Form(NamedTuple):
    """What a text says of a move. ``core`` is the text as messages quote it.

    ``kind`` 0 is any piece on the one square ``origins``; ``target`` is None if castling is written
    as ``O-O`` or with both pieces. ``promotion`` 0: none is named.
    """

    core: str
    kind: PieceType = KING
    target: Square | None = None
    origins: Bitboard = ALL
    promotion: PieceType = 0
    castling: int | None = None
    """QUEENSIDE or KINGSIDE; None: not written as ``O-O``."""
    steps: tuple[Step, ...] = ()
    """The king's and the rook's, for castling written with both; else empty."""
    may_take_rook: bool = False
    """``Ke1xh1``, ``e1h1`` and ``Kxh1`` may mean castling; ``Kh1`` names a king's step."""


def _read(text: str) -> Form | None:
    """What a text says, or None if it is no move."""
    words = bare(text)
    if words is None:
        return None
    core = " ".join(words.core.split())
    if castling := re.fullmatch(_CASTLING, core):
        if castling["long"]:
            return Form("O-O-O", castling=QUEENSIDE)
        return Form("O-O", castling=KINGSIDE)
    if both := re.fullmatch(_BOTH_PIECES, core):
        king, king_target, rook, rook_target = (BY_NAME[name.lower()] for name in both.groups())
        return Form(core, origins=1 << king, steps=((king, king_target), (rook, rook_target)))
    piece = re.fullmatch(_PIECE, core)
    if piece is None:
        return None
    return _piece_form(piece, is_capture=piece["sign"] in ("x", "X", ":") or words.is_en_passant)


def _piece_form(piece: re.Match[str], *, is_capture: bool) -> Form:
    origins = FILE.get(piece["file"], ALL) & RANK.get(piece["rank"], ALL)
    kind = LETTERS.index(piece["kind"]) if piece["kind"] else PAWN
    if not piece["kind"] and piece["file"] and piece["rank"]:
        kind = 0
    elif kind == PAWN and not piece["file"] and not is_capture:
        # ``d5`` without a file is a step: it must not be read as a capture.
        origins &= FILE[piece["target"][0]]
    promotion = LETTERS.index(piece["promotion"].upper()) if piece["promotion"] else 0
    target = BY_NAME[piece["target"]]
    may_take_rook = is_capture or bool(piece["file"] and piece["rank"])
    return Form(piece[0], kind, target, origins, promotion, may_take_rook=may_take_rook)


FORMS: Memo[str, Form | None] = Memo(_read, 1 << 13)
"""What texts say; the same texts recur in many games."""


def _finder(text: str) -> Finder:
    """A function that finds the move of a text if that is simple, as it nearly always is."""
    form = FORMS[text]
    if form is None or form.target is None or form.kind == 0:
        return lambda _: None
    return finder(form.kind, form.target, form.origins, form.promotion)


FOUND_BY: Memo[str, Finder] = Memo(_finder, 1 << 13)
"""By text, a function that finds the one move it means; None: use ``read`` and ``fitting``."""


def read(text: str) -> Form | None:
    """What a text says, or None if it is no move or too long to be one."""
    return FORMS[text] if len(text) <= LONGEST else None


def meant(position: Position, text: str, write: Writer) -> Move:
    """The legal move that a text means. Raises UnreadableMove, IllegalMove or AmbiguousMove."""
    form = read(text)
    if form is None:
        raise unreadable(position, text, write)
    found = fitting(position, form)
    if len(found) == 1:
        return found[0]
    raise fault(position, form, found, write)


def fitting(position: Position, form: Form) -> Sequence[Move]:
    """The legal moves that a text fits."""
    _, kind, target, origins, promotion, *_ = form
    if target is None:
        return _castlings(position, form)
    if kind == 0:
        kind = _kind_on(position, origins)
    found = moves_to(position, kind, target, origins)
    if promotion:
        return [move for move in found if move.promotion == promotion]
    if kind == KING and not found:
        return _castlings(position, form)
    return found


def _kind_on(position: Position, origin: Bitboard) -> PieceType:
    piece = position.piece_at(Square(origin.bit_length() - 1))
    return PAWN if piece is None else piece.piece_type


def _castlings(position: Position, form: Form) -> list[Move]:
    return [m for m in position.legal_moves() if m.is_castling and _is_meant(m, form)]


def _is_meant(castling: Move, form: Form) -> bool:
    """Whether a text means this castling; one that names the king may name the rook's square."""
    if form.castling is not None:
        return file_of(castling.target) == form.castling
    if not form.origins >> castling.origin & 1:
        return False
    if form.steps:
        return form.steps == ((castling.origin, castling.target), castling.rook_step)
    if form.target == castling.target:
        return True
    rook = castling.rook_step and castling.rook_step[0]
    return form.may_take_rook and form.target == rook


def fault(position: Position, form: Form, found: Sequence[Move], write: Writer) -> NotationError:
    """Why a text does not mean one move, and what could be written instead."""
    if found:
        return ambiguous(position, form.core, found, write)
    kind = form.kind or _kind_on(position, form.origins)
    reason = _reason(position, form, kind)
    return illegal(position, form.core, write, kind, form.target, reason)


def _reason(position: Position, form: Form, kind: PieceType) -> str:
    """Why no legal move fits, in a few words; empty if there is no short reason."""
    if form.target is None:
        return _castling_reason(position, form)
    if form.kind == 0:
        origin = Square(form.origins.bit_length() - 1)
        piece = position.piece_at(origin)
        if piece is None:
            return f"{NAMES[origin]} is empty"
        if piece.color != position.turn:
            return f"{COLOR_NAMES[position.turn]} is to move"
    if not position.pieces_of(kind, position.turn):
        return "there is no such piece"
    if pieces_reaching(position, kind, form.target) & form.origins and not form.promotion:
        return "the king would be in check"
    return ""


def _castling_reason(position: Position, form: Form) -> str:
    king = position.king(position.turn)
    rooks = position.castling & position.pieces(position.turn)
    side = form.castling if form.castling is not None else file_of(form.steps[0][1])
    if not any((rook > king) == (side == KINGSIDE) for rook in SQUARES[rooks]):
        return "there is no right to castle on that side"
    if position.is_check():
        return "the king is in check"
    return "a piece or an attack is in the way"
