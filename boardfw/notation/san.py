"""SAN: ``e4``, ``Nbxd7+``, ``O-O``, ``e8=Q#``; written canonically, read tolerantly."""

from __future__ import annotations

import re
from collections.abc import Iterable

from boardfw.notation.errors import AmbiguousMove, IllegalMove, UnreadableMove
from boardfw.rules.board import BLACK, KING, KNIGHT, LETTERS, PAWN
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import BY_NAME, FILES, NAMES, RANKS, Square, distance, file_of, rank_of

_FORM = re.compile(
    r"(?P<kind>[PNBRQK]?)(?P<file>[a-h]?)(?P<rank>[1-8]?)[xX:\-]?(?P<target>[a-h][1-8])"
    r"(?:[=/]?\(?(?P<promotion>[NBRQ])\)?)?"
)
_CASTLING = re.compile(r"[O0o]-?[O0o](?P<long>-?[O0o])?")
_SQUARE = re.compile(r"[a-h][1-8]")
_SUFFIX = re.compile(r"(?:\s*(?:e\.?p\.?|[+#!?]|ch\.?|mate))+\Z")
ANY_PROMOTION = (0, *range(KNIGHT, KING))
_LONGEST = 20
"""Characters; no move text is longer."""
_MOST_SHOWN = 8
"""Legal moves that a message names."""


def format_san(position: Position, move: Move) -> str:
    """The canonical SAN of a legal move, with + or #."""
    after = position.play(move)
    suffix = ""
    if after.checkers():
        suffix = "+" if after.legal_moves() else "#"
    return _stem(position, move) + suffix


def move_number(start: Position, ply: int = 1) -> str:
    """What stands before a ply (1 = the first) of a game from ``start``: ``12.`` or ``12...``."""
    half = start.turn + ply - 1
    return f"{start.fullmove_number + half // 2}{'...' if half % 2 else '.'}"


def numbered_san(start: Position, moves: Iterable[Move]) -> str:
    """Moves in SAN with move numbers, as they are said: ``3...Nf6 4.d3 Bc5``."""
    words: list[str] = []
    position = start
    for ply, move in enumerate(moves, 1):
        number = "" if words and position.turn == BLACK else move_number(start, ply)
        words.append(number + format_san(position, move))
        position = position.play(move)
    return " ".join(words)


def parse_san(position: Position, text: str) -> Move:
    """The legal move that a text means. Raises UnreadableMove, IllegalMove or AmbiguousMove.

    A missing or surplus ``x``, ``+``, ``#`` or disambiguation is no fault, nor are ``0-0``,
    ``e8Q``, ``e8/Q``, ``e8(Q)``, ``e.p.``, ``Pe4``, ``e2-e4``, ``!`` and ``?``.
    """
    core = _SUFFIX.sub("", text.strip()) if len(text) <= _LONGEST else ""
    if castling := _CASTLING.fullmatch(core):
        found = [m for m in position.legal_moves() if m.is_castling]
        found = [m for m in found if (file_of(m.target) == 2) == bool(castling["long"])]
        wanted = "O-O-O" if castling["long"] else "O-O"
        return _the_one(position, wanted, found, KING)
    form = _FORM.fullmatch(core)
    if form is None:
        raise UnreadableMove(f"{text[:_LONGEST]!a}: no move; write one such as e4, Nf3 or O-O")
    kind = LETTERS.index(form["kind"]) if form["kind"] else PAWN
    found = _fitting(position, form, kind)
    if not found and not form["kind"] and form["file"] and form["rank"]:
        # ``g1f3`` names both squares: the man need not be named as well.
        found = _fitting(position, form, None)
    return _the_one(position, core, found, kind)


def _stem(position: Position, move: Move) -> str:
    """SAN without the sign of check."""
    if move.is_castling:
        return "O-O" if file_of(move.target) == 6 else "O-O-O"
    sign = "x" if move.victim is not None else ""
    target = NAMES[move.target]
    if move.kind != PAWN:
        return LETTERS[move.kind] + _distinction(position, move) + sign + target
    promotion = "=" + LETTERS[move.promotion] if move.promotion else ""
    return (FILES[file_of(move.origin)] if sign else "") + sign + target + promotion


def _distinction(position: Position, move: Move) -> str:
    """The file, rank or square that tells this man from others of its kind."""
    alike = position.men_of(move.kind, position.turn) & ~(1 << move.origin)
    if not alike or not alike & position.attackers(move.target, position.turn):
        return ""  # nearly always: the legal moves need not be known
    rivals = [m.origin for m in position.legal_moves() if _is_rival(m, move)]
    if not rivals:
        return ""
    if all(file_of(rival) != file_of(move.origin) for rival in rivals):
        return FILES[file_of(move.origin)]
    if all(rank_of(rival) != rank_of(move.origin) for rival in rivals):
        return RANKS[rank_of(move.origin)]
    return NAMES[move.origin]


def _is_rival(other: Move, move: Move) -> bool:
    return (
        other.target == move.target
        and other.kind == move.kind
        and other.origin != move.origin
        and not other.is_castling
    )


def _fitting(position: Position, form: re.Match[str], kind: int | None) -> list[Move]:
    """Legal moves of this kind of man (None = any) that the text fits."""
    target = BY_NAME[form["target"]]
    # A promotion that names no piece fits all four: it is ambiguous, not illegal.
    promotions = (LETTERS.index(form["promotion"]),) if form["promotion"] else ANY_PROMOTION
    return [
        move
        for move in position.legal_moves()
        if move.target == target
        and kind in (None, move.kind)
        and move.promotion in promotions
        and _starts(move.origin, form["file"], form["rank"])
        and (kind is None or not move.is_castling)
    ]


def _starts(origin: Square, file: str, rank: str) -> bool:
    return NAMES[origin].startswith(file) and NAMES[origin].endswith(rank)


def _the_one(position: Position, wanted: str, found: list[Move], kind: int) -> Move:
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(format_san(position, move) for move in found)
        raise AmbiguousMove(f"{wanted}: more than one move fits; write {names}")
    raise IllegalMove(f"{wanted}: not legal here; {_legal_instead(position, wanted, kind)}")


def _legal_instead(position: Position, wanted: str, kind: int) -> str:
    """Legal moves of this kind of man, those nearest to the square in the text first."""
    moves = [m for m in position.legal_moves() if m.kind == kind] or list(position.legal_moves())
    if not moves:
        return "there is no legal move"
    squares = [BY_NAME[text] for text in _SQUARE.findall(wanted)]
    if squares:
        moves.sort(key=lambda move: distance(move.target, squares[-1]))
    names = [format_san(position, move) for move in moves[:_MOST_SHOWN]]
    more = ", ..." if len(moves) > _MOST_SHOWN else ""
    return f"legal would be {', '.join(names)}{more}"
