"""Whether a colour can still win: by any sequence of legal moves, the worst ones included.

FIDE Laws 5.2.2 ends the game when neither can; 5.1.2 and 6.9 give half a point to a player who
resigns or oversteps the time against an opponent who cannot. That a side cannot win is proved or
not said: by material, by a blockade, or because all that can follow was looked at and holds no
mate.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from boardfw.rules.attacks import KING_ATTACKS
from boardfw.rules.blockade import bars_mate, is_walled
from boardfw.rules.board import BLACK, PAWN, SIDE, WHITE, Color, attacked
from boardfw.rules.material import is_insufficient_material, lacks_mating_material
from boardfw.rules.memo import Memo
from boardfw.rules.move import Move
from boardfw.rules.position import Key, Position
from boardfw.squares import distance, squares_in

BUDGET = 5_000  # positions looked at; a tenth of a second on a laptop, a second on a Pi Zero 2
FORCED_BUDGET = 60  # positions; looked at during a game, where it must not be noticed
FORCED_MOVES = 2  # legal moves; with so few the end of the game may be forced
COLORS = (WHITE, BLACK)


def cannot_win(position: Position, color: Color, budget: int = BUDGET) -> bool:
    """Whether it is proved that no sequence of legal moves ends in a mate by ``color``.

    Looks at up to ``budget`` positions; a larger budget may prove more.
    """
    if lacks_mating_material(position.placement, color) or bars_mate(position, color):
        return True
    return _no_mate_follows(position, (color,), budget)


def is_dead(position: Position) -> bool:
    """Whether it is proved that neither colour can win; cheap enough for every ply.

    Proves less than ``cannot_win`` of both would: blockades, and what a few forced moves lead to.
    """
    if is_insufficient_material(position.placement):
        return True
    if is_walled(position) or len(position.legal_moves()) <= FORCED_MOVES:
        return _DEAD[position.key]
    return False


def _is_dead(key: Key) -> bool:
    position = Position(*key)
    if is_walled(position) and all(bars_mate(position, color) for color in COLORS):
        return True
    is_forced = len(position.legal_moves()) <= FORCED_MOVES
    return is_forced and _no_mate_follows(position, COLORS, FORCED_BUDGET)


_DEAD = Memo(_is_dead, 1 << 10)
"""By the key of a position, which is asked about again and again."""


def _no_mate_follows(position: Position, colors: Sequence[Color], budget: int) -> bool:
    """Whether at most ``budget`` positions can follow, and none is a mate by one of ``colors``.

    Move counters play no part: draws by 50 or 75 moves and by repetition depend on the moves
    chosen, and a shortest mate never needs a position twice.
    """
    met = {position.key}
    queue = [(0, 0, position)]
    while queue:
        *_, here = heappop(queue)
        moves = here.legal_moves()
        if not moves and 1 - here.turn in colors and here.is_check():
            return False
        for move in moves:
            there = here.play_unchecked(move)
            if there.key in met:
                continue
            if len(met) >= budget:
                return False
            met.add(there.key)
            if not all(_is_settled(there, color, move) for color in colors):
                # Of equals the newest: a line is followed to its end before the next is tried.
                heappush(queue, (_remoteness(there, colors[0]), -len(met), there))
    return True


def _is_settled(position: Position, color: Color, last: Move) -> bool:
    """Whether the last move has settled that ``color`` never mates."""
    if last.captured is None and last.piece_type != PAWN:
        return False
    if lacks_mating_material(position.placement, color):
        return True
    return is_walled(position) and bars_mate(position, color)


def _remoteness(position: Position, color: Color) -> int:
    """How far a mate by ``color`` seems to be: what can be won is soon found to be so."""
    placement, enemy_king = position.placement, position.king(1 - color)
    own, foes = placement[SIDE[color]], placement[SIDE[1 - color]]
    covered = attacked(placement, color, position.occupied ^ 1 << enemy_king)
    flights = KING_ATTACKS[enemy_king] & ~foes & ~covered
    pieces = squares_in(own & ~placement[PAWN])
    way = sum(distance(piece, enemy_king) for piece in pieces)
    return way + 4 * flights.bit_count() + 8 * foes.bit_count() - 8 * (covered >> enemy_king & 1)
