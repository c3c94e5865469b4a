"""What can be wrong with a set-up position: every fault by name, with its squares and its remedy.

The lines are for players: a board shows them, and the squares, while pieces are being set up. No
position that legal moves can reach is refused, from whichever start of Chess960, even if White and
Black start differently. Whether a check is possible is found by looking one move back: from which
placements a piece can have come to its square.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from boardfw.phrase import joined
from boardfw.rules.attacks import (
    INNER_FILES,
    KING_ATTACKS,
    LAST_RANKS,
    PAWN_ATTACKS,
    RANK_1,
    RANK_8,
)
from boardfw.rules.board import (
    AHEAD,
    BISHOP,
    COLOR_NAMES,
    HOME_RANK,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    SIDE,
    Color,
    PieceType,
    Placement,
    attackers,
    attacks_of,
    piece_at,
)
from boardfw.squares import LIGHT, NAMES, Bitboard, Square, names_of, rank_of, squares_in

PASSING_RANK = (5, 2)
"""Rank 0..7 to which a colour's pawns capture en passant."""


def can_be_given(placement: Placement, turn: Color, checkers: Bitboard) -> bool:
    """Whether the king was out of check before some last move of the other side.

    A double check needs a checker that discovered another one, or a pawn that, capturing en
    passant, left one line and took its captured pawn off another: no other piece is looked at.
    """
    mover = 1 - turn
    pawns = placement[PAWN] & placement[SIDE[mover]]
    king = Square((placement[KING] & placement[SIDE[turn]]).bit_length() - 1)
    stranded = pawns & LAST_RANKS  # a fault of its own
    return any(
        not attackers(before, king, mover, before[0] | before[7] | taken)
        for target in squares_in((checkers | pawns) & ~stranded)
        for before, taken in _positions_before(placement, mover, target)
    )


def _positions_before(
    placement: Placement, mover: Color, target: Square
) -> Iterator[tuple[Placement, Bitboard]]:
    """Every placement from which a piece can have come to ``target``, and what it captured.

    The second is a bitboard of one square, 0 if it captured nothing.
    """
    piece = piece_at(placement, target)
    if piece is None:
        return
    empty = ~(placement[0] | placement[7])
    if piece.piece_type != PAWN:
        for origin in squares_in(attacks_of(piece.piece_type, target, ~empty) & empty):
            before = taken_back(
                placement, mover, (piece.piece_type, target), (piece.piece_type, origin)
            )
            yield before, 0
            yield before, 1 << target
    if piece.piece_type == PAWN or 1 << target & HOME_RANK[1 - mover]:
        for origin, taken in _pawn_origins(mover, target, empty & ~LAST_RANKS):
            yield taken_back(placement, mover, (piece.piece_type, target), (PAWN, origin)), taken


def _pawn_origins(
    mover: Color, target: Square, empty: Bitboard
) -> Iterator[tuple[Square, Bitboard]]:
    """From where a pawn can have come to a square, and the bitboard of its capture (0: none)."""
    behind = target - AHEAD[mover]
    if empty >> behind & 1:
        yield behind, 0  # a double step opens no line to a king that it attacks
    is_passing = rank_of(target) == PASSING_RANK[mover] and _is_clear(empty, target, behind)
    for origin in squares_in(PAWN_ATTACKS[1 - mover][target] & empty):
        yield origin, 1 << target
        if is_passing:
            yield origin, 1 << behind


def _is_clear(empty: Bitboard, target: Square, behind: Square) -> bool:
    """Whether a pawn captured en passant can have been behind the target, after a double step."""
    path = 1 << behind | 1 << 2 * target - behind
    return not path & ~empty


def taken_back(
    placement: Placement,
    mover: Color,
    now: tuple[PieceType, Square],
    before: tuple[PieceType, Square],
) -> Placement:
    """The placement with one piece changed back to its earlier type and square."""
    sets = list(placement)
    sets[now[0]] ^= 1 << now[1]
    sets[before[0]] ^= 1 << before[1]
    sets[SIDE[mover]] ^= 1 << now[1] | 1 << before[1]
    return tuple(sets)


MOST_PAWNS = 8
MOST_PIECES = 16
PAWNS_START = (RANK_1 << 8, RANK_8 >> 8)
"""By colour: the rank of its pawns at the start."""


class Fault(StrEnum):
    """The kinds of problems, by name."""

    KINGS = "kings"
    """A side has no king, or several, or the kings are next to each other."""
    STRANDED_PAWNS = "stranded-pawns"
    """A pawn is on the first or the eighth rank."""
    TOO_MANY = "too-many"
    """More pieces than a side starts with, or more of a type than promotions allow."""
    KING_EN_PRISE = "king-en-prise"
    """The side to move could capture the king."""
    IMPOSSIBLE_CHECK = "impossible-check"
    """No last move can have given this check."""
    CASTLING = "castling"
    """A right to castle whose king or rook is not in its place."""
    EN_PASSANT = "en-passant"
    """An en passant square that no pawn can just have jumped."""
    EN_PASSANT_CHECK = "en-passant-check"
    """A pawn has just jumped the square, but its enemy would have been in check before."""
    COUNTERS = "counters"
    """A counter below its first value."""


UNREACHABLE = frozenset({Fault.TOO_MANY, Fault.IMPOSSIBLE_CHECK, Fault.EN_PASSANT_CHECK})
"""Faults of positions that no game can reach but that can be played on, as in compositions and in
test suites of move generators."""


class Problem(NamedTuple):
    """One fault: a line that says what is wrong and how to fix it, the squares, its kind."""

    text: str
    squares: Bitboard
    fault: Fault


Faults: TypeAlias = Iterator[Problem]


def listed(squares: Bitboard) -> str:
    """The squares as a sentence names them: ``a1, e4 and h8``."""
    return joined(names_of(squares))


def king_faults(placement: Placement) -> Faults:
    """A side without a king, or with several."""
    for color, name in enumerate(COLOR_NAMES):
        kings = placement[KING] & placement[SIDE[color]]
        if not kings:
            yield Problem(f"{name} has no king: add it", 0, Fault.KINGS)
        elif kings.bit_count() > 1:
            yield Problem(
                f"{name} has kings on {listed(kings)}: leave only one", kings, Fault.KINGS
            )


def pawn_faults(placement: Placement) -> Faults:
    """Pawns where no pawn can be."""
    stranded = placement[PAWN] & LAST_RANKS
    if stranded:
        where = listed(stranded)
        yield Problem(
            f"no pawn can stand on {where}: move it or take it off", stranded, Fault.STRANDED_PAWNS
        )


def number_faults(placement: Placement) -> Faults:
    """More pieces than a side starts with, or more of a type than promotions allow."""
    for color, name in enumerate(COLOR_NAMES):
        pieces = placement[SIDE[color]]
        pawns = placement[PAWN] & pieces
        surplus, text = _promoted(placement, pieces)
        spare = MOST_PAWNS - pawns.bit_count()
        needed = sum(squares.bit_count() - usual for squares, usual in surplus)
        if spare < 0:
            yield Problem(
                f"{name} has {pawns.bit_count()} pawns: take off {-spare}", pawns, Fault.TOO_MANY
            )
        elif pieces.bit_count() > MOST_PIECES:
            over = pieces.bit_count() - MOST_PIECES
            yield Problem(
                f"{name} has {pieces.bit_count()} pieces: take off {over}", pieces, Fault.TOO_MANY
            )
        elif needed > spare:
            concerned = 0
            for squares, _ in surplus:
                concerned |= squares
            yield Problem(
                f"{name} has {text}: {needed} of them must be promoted, but {_lack(spare)} "
                f"missing; take off {needed - spare} of them",
                concerned,
                Fault.TOO_MANY,
            )


def _lack(pawns: int) -> str:
    return "only 1 pawn is" if pawns == 1 else f"only {pawns} pawns are" if pawns else "no pawn is"


def _promoted(placement: Placement, pieces: Bitboard) -> tuple[list[tuple[Bitboard, int]], str]:
    """The groups with more pieces than at the start, each with that number; and in words."""
    bishops = placement[BISHOP] & pieces
    groups = (
        (placement[QUEEN] & pieces, 1, "queens"),
        (placement[ROOK] & pieces, 2, "rooks"),
        (bishops & LIGHT, 1, "bishops on light squares"),
        (bishops & ~LIGHT, 1, "bishops on dark squares"),
        (placement[KNIGHT] & pieces, 2, "knights"),
    )
    surplus = [group for group in groups if group[0].bit_count() > group[1]]
    words = ", ".join(f"{squares.bit_count()} {name}" for squares, _, name in surplus)
    return [(squares, usual) for squares, usual, _ in surplus], words


def check_faults(placement: Placement, turn: Color) -> Faults:
    """Impossible checks: by the side to move, or those that no last move can have given."""
    occupied = placement[0] | placement[7]
    own, idle = (placement[KING] & placement[SIDE[color]] for color in (turn, 1 - turn))
    king, idle_king = Square(own.bit_length() - 1), Square(idle.bit_length() - 1)
    if own & KING_ATTACKS[idle_king]:
        where = listed(own | idle)
        yield Problem(
            f"the kings on {where} are next to each other: move one of them",
            own | idle,
            Fault.KINGS,
        )
    capturers = attackers(placement, idle_king, turn, occupied) & ~own
    if capturers:
        mover, waiting = COLOR_NAMES[turn], COLOR_NAMES[1 - turn]
        yield Problem(
            f"{mover} is to move and could capture the king on {NAMES[idle_king]} from "
            f"{listed(capturers)}: let {waiting} move first, or end the check",
            idle | capturers,
            Fault.KING_EN_PRISE,
        )
    checkers = attackers(placement, king, 1 - turn, occupied) & ~idle
    yield from _given_faults(placement, turn, checkers)


def _given_faults(placement: Placement, turn: Color, checkers: Bitboard) -> Faults:
    own = placement[KING] & placement[SIDE[turn]]
    king = NAMES[own.bit_length() - 1]
    if checkers.bit_count() > 2:
        yield Problem(
            f"the king on {king} is in check from {listed(checkers)}: no move gives check with "
            f"more than two pieces; end all checks but one",
            own | checkers,
            Fault.IMPOSSIBLE_CHECK,
        )
    elif unmoved := checkers & placement[PAWN] & PAWNS_START[1 - turn]:
        yield Problem(
            f"the king on {king} cannot be in check from {listed(unmoved)}: pawns there have not "
            f"moved yet; move the king or the pawns",
            own | unmoved,
            Fault.IMPOSSIBLE_CHECK,
        )
    elif checkers.bit_count() == 2 and not can_be_given(placement, turn, checkers):
        yield Problem(
            f"no single move gives check to the king on {king} from {listed(checkers)} at once: "
            f"end one of the two checks",
            own | checkers,
            Fault.IMPOSSIBLE_CHECK,
        )


def castling_faults(placement: Placement, castling: Bitboard) -> Faults:
    """Rights to castle without a king or a rook in its place, in standard chess or Chess960."""
    for color, name in enumerate(COLOR_NAMES):
        rights = castling & HOME_RANK[color]
        if rights:
            king = placement[KING] & placement[SIDE[color]]
            rooks = placement[ROOK] & placement[SIDE[color]]
            yield from _right_faults(name, HOME_RANK[color], rights, king, rooks)
    if stray := castling & ~LAST_RANKS:
        yield Problem(
            f"no rook castles from {listed(stray)}: drop this right to castle",
            stray,
            Fault.CASTLING,
        )


def _right_faults(
    name: str, home: Bitboard, rights: Bitboard, king: Bitboard, rooks: Bitboard
) -> Faults:
    where = NAMES[king.bit_length() - 1]
    # The king starts between two rooks, in Chess960 too.
    if not king & home & INNER_FILES:
        place = f"{NAMES[(home & -home).bit_length()]} to {NAMES[home.bit_length() - 2]}"
        yield Problem(
            f"{name} cannot castle: the king is on {where}, not on one of {place}, where "
            f"it may have started; drop the right to castle",
            king | rights,
            Fault.CASTLING,
        )
    elif bare := rights & ~rooks:
        yield Problem(
            f"{name} cannot castle with {listed(bare)}: {name} has no rook there; put "
            f"it there or drop the right to castle",
            bare,
            Fault.CASTLING,
        )
    else:
        for side in (rights & king - 1, rights & -king):
            if side.bit_count() > 1:
                yield Problem(
                    f"{name} cannot have the right to castle with both {listed(side)}, on one "
                    f"side of the king: keep one",
                    king | side,
                    Fault.CASTLING,
                )


def en_passant_faults(placement: Placement, turn: Color, target: Square | None) -> Faults:
    """An en passant square that no pawn can just have jumped."""
    if target is None:
        return
    if rank_of(target) != PASSING_RANK[turn]:
        yield Problem(
            f"{NAMES[target]} is no en passant square when {COLOR_NAMES[turn]} is to move: "
            f"it must lie on rank {PASSING_RANK[turn] + 1}; drop the en passant square",
            1 << target,
            Fault.EN_PASSANT,
        )
        return
    origin, stop = target - AHEAD[1 - turn], target + AHEAD[1 - turn]
    pawns = placement[PAWN] & placement[SIDE[1 - turn]]
    path = 1 << origin | 1 << target
    if not pawns >> stop & 1 or (placement[0] | placement[7]) & path:
        yield Problem(
            f"no pawn can just have jumped {NAMES[target]}: en passant needs one on "
            f"{NAMES[stop]}, and nothing on {listed(path)}; drop the en passant square",
            path | 1 << stop,
            Fault.EN_PASSANT,
        )
        return
    yield from _jump_faults(placement, turn, origin, stop)


def _jump_faults(placement: Placement, turn: Color, origin: Square, stop: Square) -> Faults:
    """A check that would have existed before the double step, with the other side to move."""
    king = placement[KING] & placement[SIDE[turn]]
    before = taken_back(placement, 1 - turn, (PAWN, stop), (PAWN, origin))
    square = Square(king.bit_length() - 1)
    earlier = attackers(before, square, 1 - turn, before[0] | before[7])
    if king and earlier:
        yield Problem(
            f"the pawn on {NAMES[stop]} cannot just have come from {NAMES[origin]}: the king on "
            f"{NAMES[square]} would already have been in check from {listed(earlier)}; "
            f"drop the en passant square",
            king | earlier | 1 << stop,
            Fault.EN_PASSANT_CHECK,
        )


def counter_faults(halfmove_clock: int, fullmove_number: int) -> Faults:
    """Counters below their first value.

    A halfmove clock larger than the game is long, or not 0 after a double step, is no fault: there
    are such files, and only claims of a draw depend on it.
    """
    if halfmove_clock < 0:
        yield Problem(f"the halfmove clock is {halfmove_clock}: write 0 or more", 0, Fault.COUNTERS)
    if fullmove_number < 1:
        yield Problem(f"the move number is {fullmove_number}: write 1 or more", 0, Fault.COUNTERS)
