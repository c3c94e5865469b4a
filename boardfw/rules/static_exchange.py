"""Static exchange evaluation, and what it is made of: pins, attackers and defenders, piece values.

In an exchange both sides capture on one square in turn, the least valuable piece first. A piece
behind another on the same line joins in once that one has captured (an x-ray); a pinned piece
captures only along the line of its pin while the pinning piece is there; a king captures only a
piece that is no longer defended. Either side stops when going on would cost it. The rest of the
board is not looked at. Values are those that beginners are taught; the Laws know no such numbers.

``loss`` looks one reply further: the best capture that a move allows, less what is won and won
back. Two plies are played and the rest is counted square by square, so threats and combinations are
not seen, except mate in one. It warns of hanging pieces; it does not judge what is good.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from boardfw.rules.attacks import LAST_RANKS, LINE, SQUARES
from boardfw.rules.board import (
    BLACK,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    SIDE,
    WHITE,
    Color,
    PieceType,
    Placement,
    attacked,
    attackers_of_both,
    attacks_of,
)
from boardfw.rules.material import WORTH
from boardfw.rules.move import Move
from boardfw.rules.movegen import checkers_and_pins
from boardfw.rules.outcome import mates
from boardfw.rules.position import Position
from boardfw.squares import NAMES, Bitboard, Square


class Pin(NamedTuple):
    """A piece pinned to its king (FIDE 3.9.2), as bitboards."""

    piece: Bitboard
    pinner: Bitboard
    line: Bitboard
    """The whole line of the pin, along which the piece may move."""


def pins_of(placement: Placement) -> tuple[Pin, ...]:
    """All pins of either colour."""
    return (*_pins(placement, WHITE), *_pins(placement, BLACK))


def _pins(placement: Placement, color: Color) -> list[Pin]:
    own, enemy = placement[SIDE[color]], placement[SIDE[1 - color]]
    king = Square((placement[KING] & own).bit_length() - 1)
    _, pinned = checkers_and_pins(placement, color)
    found: list[Pin] = []
    for square in SQUARES[pinned] if pinned else ():
        line = LINE[king][square]
        pinner = attacks_of(QUEEN, square, own | enemy) & line & enemy
        found.append(Pin(1 << square, pinner, line))
    return found


class Contact(NamedTuple):
    """The attackers and defenders of one piece."""

    attackers: Bitboard
    """Enemy pieces that attack its square directly; pinned pieces attack too (FIDE 3.1.2)."""
    defenders: Bitboard
    """Pieces of its own colour that do."""
    loss: int
    """What its side loses, in pawns, if the enemy may start capturing it now; 0: nothing."""


def contacts(position: Position) -> dict[Square, Contact]:
    """Every attacked piece of either colour except the kings, by its square."""
    placement = position.placement
    occupied = position.occupied
    held = pins_of(placement)
    found: dict[Square, Contact] = {}
    for color in (WHITE, BLACK):
        pieces = placement[SIDE[color]] & ~placement[KING]
        pieces &= attacked(placement, 1 - color, occupied)
        for square in SQUARES[pieces]:
            attacking = attackers_of_both(placement, square, occupied)
            found[square] = _contact(placement, square, color, attacking, held)
    return found


def contact(position: Position, square: Square) -> tuple[Contact, Bitboard]:
    """The contact of the piece on a square, attacked or not, and the x-ray pieces behind it.

    Raises LookupError if the square is empty.
    """
    piece = position.piece_at(square)
    if piece is None:
        raise LookupError(f"{NAMES[square]} is empty")
    placement = position.placement
    attacking = attackers_of_both(placement, square, position.occupied)
    known = _contact(placement, square, piece.color, attacking, pins_of(placement))
    return known, behind(placement, square)


def _contact(
    placement: Placement, square: Square, color: Color, attacking: Bitboard, held: Sequence[Pin]
) -> Contact:
    attackers = attacking & placement[SIDE[1 - color]]
    defenders = attacking & placement[SIDE[color]]
    bit = 1 << square
    stake = next((WORTH[kind] for kind in range(1, KING) if placement[kind] & bit), 0)
    lost = won(placement, square, 1 - color, stake, held) if attackers and stake else 0
    return Contact(attackers, defenders, lost)


def promotion_worth(kind: PieceType) -> int:
    """What a promotion to this piece type gains, in pawns; 0 for no promotion."""
    return WORTH[kind] - WORTH[PAWN] if kind else 0


def taken_worth(position: Position, move: Move) -> int:
    """What a move wins at once, in pawns: the captured piece, and the gain by promotion."""
    captured = None if move.captured is None else position.piece_at(move.captured)
    return (WORTH[captured.piece_type] if captured else 0) + promotion_worth(move.promotion)


def won(placement: Placement, square: Square, taker: Color, stake: int, held: Sequence[Pin]) -> int:
    """What ``taker`` wins at most, in pawns, by capturing a piece worth ``stake``; 0: nothing.

    ``held``: the pins of both sides.
    """
    occupied = placement[0] | placement[7]
    attacking = attackers_of_both(placement, square, occupied)
    becomes = QUEEN if 1 << square & LAST_RANKS else 0
    stakes: list[int] = []
    while pieces := attacking & placement[SIDE[taker]]:
        for pinned, pinner, line in held:
            if pinned & pieces and occupied & pinner and not line >> square & 1:
                pieces ^= pinned
        piece, kind = _cheapest(placement, pieces)
        if not piece or (kind == KING and attacking & placement[SIDE[1 - taker]]):
            break
        promotion = becomes if kind == PAWN else 0
        stakes.append(stake + promotion_worth(promotion))
        stake = WORTH[promotion or kind]
        occupied ^= piece
        # Only a piece that moves along a line opens it for a piece behind.
        attacking = (
            attacking ^ piece
            if kind in (KNIGHT, KING)
            else attackers_of_both(placement, square, occupied)
        )
        taker = 1 - taker
    best = 0
    for stake in reversed(stakes):
        best = max(0, stake - best)
    return best


def _cheapest(placement: Placement, pieces: Bitboard) -> tuple[Bitboard, int]:
    for kind in range(PAWN, KING + 1):
        if among := placement[kind] & pieces:
            return among & -among, kind
    return 0, 0


def behind(placement: Placement, square: Square) -> Bitboard:
    """Pieces of both colours that will attack a square once those in front have captured."""
    occupied = placement[0] | placement[7]
    attacking = found = attackers_of_both(placement, square, occupied)
    while attacking:
        occupied ^= attacking
        attacking = attackers_of_both(placement, square, occupied)
        found |= attacking
    return found & ~attackers_of_both(placement, square, placement[0] | placement[7])


GRAVE = 2
"""The least loss, in pawns, that is worth a warning; a single pawn may be a gambit."""


class Loss(NamedTuple):
    """What a move loses."""

    pawns: int = 0
    """How much, in pawns; at least 0."""
    reply: Move | None = None
    """The capture or promotion that wins it; None: nothing is lost."""


NOTHING = Loss()


def static_exchange(position: Position, move: Move) -> int:
    """What a move wins on its target square, in pawns, if the enemy recaptures as well as possible.

    Negative: the piece is lost, in full or in part.
    """
    after = position.play_unchecked(move)
    placement = after.placement
    risked = WORTH[move.promotion or move.piece_type]
    back = won(placement, move.target, after.turn, risked, pins_of(placement)) if risked else 0
    return taken_worth(position, move) - back


def loss(position: Position, move: Move) -> Loss:
    """What ``move`` loses to the most costly capture, less the best capture in answer to it.

    A capture that is answered by mate costs nothing. A piece that was hanging before counts
    as long as it still hangs.
    """
    after, gained = position.play_unchecked(move), taken_worth(position, move)
    worst = NOTHING
    for reply in _captures_and_promotions(after):
        taken = taken_worth(after, reply) - gained
        if taken <= worst.pawns:
            continue
        answered = after.play_unchecked(reply)
        pawns = taken - _best(answered)
        if pawns > worst.pawns and not mates(answered):
            worst = Loss(pawns, reply)
    return worst


def needless_loss(position: Position, move: Move, at_least: int = GRAVE) -> Loss:
    """The ``loss`` of a move if another move would have lost ``at_least`` pawns less, else NOTHING.

    A loss that no move avoids, as after a fork, needs no warning.
    """
    found = loss(position, move)
    spared = found.pawns - at_least
    if spared < 0 or all(loss(position, other).pawns > spared for other in position.legal_moves()):
        return NOTHING
    return found


def _best(position: Position) -> int:
    """The most that one capture or promotion wins, in pawns; at least 0."""
    return max(
        (0, *(static_exchange(position, move) for move in _captures_and_promotions(position)))
    )


def _captures_and_promotions(position: Position) -> list[Move]:
    """Captures and promotions."""
    return [m for m in position.legal_moves() if m.captured is not None or m.promotion]
