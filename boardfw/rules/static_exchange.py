"""The static exchange: both sides take on one square in turn, the cheapest man first.

Who stands behind a man of the same line comes in when that one has taken; whoever is pinned takes
only along the line of his pin while the pinner stands; a king takes only what nobody guards any
more. Either side stops when going on would cost it. What happens elsewhere is not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from boardfw.rules.attacks import (
    BETWEEN,
    DIAGONAL_LINES,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    LAST_RANKS,
    LINE,
    PAWN_ATTACKS,
    SQUARES,
    STRAIGHT_LINES,
    diagonal_attacks,
    straight_attacks,
)
from boardfw.rules.board import (
    BISHOP,
    BLACK,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    SIDE,
    WHITE,
    Color,
    PieceType,
    Placement,
    attacked,
)
from boardfw.rules.move import Move
from boardfw.rules.outcome import mates
from boardfw.rules.position import Position
from boardfw.squares import NAMES, Occupancy, Square

# FROM contacts.py: The exchange map: of every man who is attacked, by whom, who guards him, what would be lost.

# FROM pins.py: Who is pinned to his king, by whom, and the line on which he still may go.


class Pin(NamedTuple):
    """One man before his king (FIDE 3.9.2), as sets of squares."""

    piece: Occupancy
    pinner: Occupancy
    line: Occupancy
    """The whole line, on which he may go to and fro."""


def pins(position: Position) -> tuple[Pin, ...]:
    """Everybody of either colour who is pinned."""
    return pins_of(position.placement)


def pins_of(placement: Placement) -> tuple[Pin, ...]:
    """As ``pins``, without a position."""
    return (*_pins(placement, WHITE), *_pins(placement, BLACK))


def _pins(placement: Placement, color: Color) -> list[Pin]:
    own, enemy = placement[SIDE[color]], placement[SIDE[1 - color]]
    king = (placement[KING] & own).bit_length() - 1
    queens = placement[QUEEN]
    snipers = enemy & (
        STRAIGHT_LINES[king] & (placement[ROOK] | queens)
        | DIAGONAL_LINES[king] & (placement[BISHOP] | queens)
    )
    found: list[Pin] = []
    for sniper in SQUARES[snipers] if snipers else ():
        shields = BETWEEN[king][sniper] & (own | enemy)
        if shields & own and not shields & (shields - 1):
            found.append(Pin(shields, 1 << sniper, LINE[king][sniper]))
    return found


class Contact(NamedTuple):
    """Who looks at one man."""

    attackers: Occupancy
    """Enemies who attack his square at once; pinned men attack, too (FIDE 3.1.2)."""
    defenders: Occupancy
    """Men of his own colour who do."""
    loss: int
    """What his side loses, in pawns, if the enemy may begin to take him now; 0: nothing."""


def contacts(position: Position) -> dict[Square, Contact]:
    """Every attacked man of either colour but the kings, by his square."""
    placement = position.placement
    occupied = position.occupied
    held = pins_of(placement)
    found: dict[Square, Contact] = {}
    for color in (WHITE, BLACK):
        pieces = placement[SIDE[color]] & ~placement[KING]
        pieces &= attacked(placement, 1 - color, occupied)
        for square in SQUARES[pieces]:
            looking = lookers(placement, square, occupied)
            found[square] = _contact(placement, square, color, looking, held)
    return found


def contact(position: Position, square: Square) -> tuple[Contact, Occupancy]:
    """Who looks at the man of a square, attacked or not, and who stands behind those who do.

    Raises LookupError where nobody stands.
    """
    piece = position.piece_at(square)
    if piece is None:
        raise LookupError(f"nobody stands on {NAMES[square]}")
    placement = position.placement
    looking = lookers(placement, square, position.occupied)
    known = _contact(placement, square, piece.color, looking, pins_of(placement))
    return known, behind(placement, square)


def _contact(
    placement: Placement, square: Square, color: Color, looking: Occupancy, held: Sequence[Pin]
) -> Contact:
    attackers = looking & placement[SIDE[1 - color]]
    defenders = looking & placement[SIDE[color]]
    bit = 1 << square
    stake = next((WORTH[kind] for kind in range(1, KING) if placement[kind] & bit), 0)
    lost = won(placement, square, 1 - color, stake, held) if attackers and stake else 0
    return Contact(attackers, defenders, lost)


# FROM worth.py: What the men are worth in pawns, as beginners are taught it; the Laws know no such numbers.

WORTH = (0, 1, 3, 3, 5, 9, 0)
"""By kind. The king has no price: he is never taken, and takes only what nobody guards."""


def promotion_worth(kind: PieceType) -> int:
    """What a pawn gains in becoming this; 0 if it becomes nothing."""
    return WORTH[kind] - WORTH[PAWN] if kind else 0


def taken_worth(position: Position, move: Move) -> int:
    """What a move wins at once: the man it takes, and what its pawn becomes."""
    captured = None if move.captured is None else position.piece_at(move.captured)
    return (WORTH[captured.piece_type] if captured else 0) + promotion_worth(move.promotion)


def lookers(placement: Placement, square: Square, occupied: Occupancy) -> Occupancy:
    """Men of both colours, among ``occupied``, who attack a square."""
    white, pawns, knights, bishops, rooks, queens, kings, black = placement
    return occupied & (
        (PAWN_ATTACKS[BLACK][square] & white | PAWN_ATTACKS[WHITE][square] & black) & pawns
        | KNIGHT_ATTACKS[square] & knights
        | KING_ATTACKS[square] & kings
        | straight_attacks(square, occupied) & (rooks | queens)
        | diagonal_attacks(square, occupied) & (bishops | queens)
    )


def won(placement: Placement, square: Square, taker: Color, stake: int, held: Sequence[Pin]) -> int:
    """What ``taker`` wins at most, in pawns, by taking first a man worth ``stake``; 0: nothing.

    ``held``: the pins of both sides.
    """
    occupied = placement[0] | placement[7]
    looking = lookers(placement, square, occupied)
    becomes = QUEEN if 1 << square & LAST_RANKS else 0
    stakes: list[int] = []
    while pieces := looking & placement[SIDE[taker]]:
        for pinned, pinner, line in held:
            if pinned & pieces and occupied & pinner and not line >> square & 1:
                pieces ^= pinned
        piece, kind = _cheapest(placement, pieces)
        if not piece or (kind == KING and looking & placement[SIDE[1 - taker]]):
            break
        promotion = becomes if kind == PAWN else 0
        stakes.append(stake + promotion_worth(promotion))
        stake = WORTH[promotion or kind]
        occupied ^= piece
        # Only who goes along a line leaves it open to one behind.
        looking = (
            looking ^ piece if kind in (KNIGHT, KING) else lookers(placement, square, occupied)
        )
        taker = 1 - taker
    best = 0
    for stake in reversed(stakes):
        best = max(0, stake - best)
    return best


def _cheapest(placement: Placement, pieces: Occupancy) -> tuple[Occupancy, int]:
    for kind in range(PAWN, KING + 1):
        if among := placement[kind] & pieces:
            return among & -among, kind
    return 0, 0


def behind(placement: Placement, square: Square) -> Occupancy:
    """Men of both colours who will look at a square when those before them have taken there."""
    occupied = placement[0] | placement[7]
    looking = found = lookers(placement, square, occupied)
    while looking:
        occupied ^= looking
        looking = lookers(placement, square, occupied)
        found |= looking
    return found & ~lookers(placement, square, placement[0] | placement[7])


# FROM loss.py: What a move loses by exchange: the best capture that it allows, less what is won and won back.
#
#   Two plies are played and the rest is counted out square by square, so threats and combinations are
#   not seen, but for mate in one. It warns of what hangs; what is good it does not know.

GRAVE = 2
"""From so many pawns on a loss is worth a warning; a single one may be a gambit."""


class Loss(NamedTuple):
    """What a move costs."""

    pawns: int = 0
    """How much, in pawns; never less than 0."""
    reply: Move | None = None
    """The capture, or the promotion, that wins it."""


NOTHING = Loss()


def static_exchange(position: Position, move: Move) -> int:
    """What a move wins on its own square, in pawns, if the enemy takes back as well as he can.

    Less than 0: the man is lost, wholly or in part.
    """
    after = position.play_unchecked(move)
    placement = after.placement
    risked = WORTH[move.promotion or move.piece_type]
    back = won(placement, move.target, after.turn, risked, pins_of(placement)) if risked else 0
    return taken_worth(position, move) - back


def loss(position: Position, move: Move) -> Loss:
    """What ``move`` loses if the enemy takes what costs most, and is answered by a capture.

    A capture that is answered by mate costs nothing. A man who hung before counts while he hangs.
    """
    after, gained = position.play_unchecked(move), taken_worth(position, move)
    worst = NOTHING
    for reply in _greedy(after):
        taken = taken_worth(after, reply) - gained
        if taken <= worst.pawns:
            continue
        answered = after.play_unchecked(reply)
        pawns = taken - _best(answered)
        if pawns > worst.pawns and not mates(answered):
            worst = Loss(pawns, reply)
    return worst


def needless_loss(position: Position, move: Move, at_least: int = GRAVE) -> Loss:
    """The ``loss`` of a move where another move would have lost ``at_least`` less; else none.

    Where one of two men is lost whatever is played, nobody needs a warning.
    """
    found = loss(position, move)
    spared = found.pawns - at_least
    if spared < 0 or all(loss(position, other).pawns > spared for other in position.legal_moves()):
        return NOTHING
    return found


def _best(position: Position) -> int:
    """The most that one capture wins; 0: none does."""
    return max((0, *(static_exchange(position, move) for move in _greedy(position))))


def _greedy(position: Position) -> list[Move]:
    """Captures and promotions."""
    return [m for m in position.legal_moves() if m.captured is not None or m.promotion]
