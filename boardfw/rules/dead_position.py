"""Whether a colour can still win: by any sequence of legal moves, the worst ones included.

FIDE Laws 5.2.2 ends the game when neither can; 5.1.2 and 6.9 give half a point to a player who
resigns or oversteps the time against an opponent who cannot. An answer is proved or not given:
material and blockades rule a win out, and a search for a helpmate, most promising positions first,
finds one.
"""

from __future__ import annotations

from enum import Enum
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

from boardfw.rules.attacks import KING_ATTACKS
from boardfw.rules.blockade import bars_mate, is_walled
from boardfw.rules.board import (
    BISHOP,
    BLACK,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    SIDE,
    WHITE,
    Color,
    attacked,
)
from boardfw.rules.material import is_insufficient_material, lacks_mating_material
from boardfw.rules.memo import Memo
from boardfw.rules.move import Move
from boardfw.rules.position import CORNERS, Key, Position
from boardfw.squares import ALL, LIGHT, Occupancy, Square, distance, file_of, rank_of, squares_in


class Chance(Enum):
    """Whether a colour can still win if both sides help."""

    ALIVE = "alive"
    """A sequence of legal moves ends in a mate by this colour."""
    DEAD = "dead"
    """Proved: no sequence does."""
    UNKNOWN = "unknown"
    """No sequence was found, and none was ruled out."""


class Verdict(NamedTuple):
    """The result, and the moves to the mate if one was found."""

    chance: Chance
    line: tuple[Move, ...] = ()


Origins: TypeAlias = dict[Key, tuple[Key, Move] | None]
"""For each position met, the one before it and the move between; None for the first."""


class Weights(NamedTuple):
    """Weights of ``_remoteness``, which says how promising a position is."""

    kings: int
    corner: int
    flights: int
    check: int
    foes: int


WEIGHTS = (Weights(2, 2, 4, 8, 12), Weights(2, 2, 6, 4, 6))
"""The first prefers checks and few enemy pieces, the second kings without flight squares. On the
last positions of played games the two together missed no mate."""


def seek_mate(position: Position, color: Color, budget: int) -> Verdict:
    """Look for a mate by ``color`` in at most ``budget`` positions; DEAD if there are no others.

    Move counters play no part: draws by 50 or 75 moves and by repetition depend on the moves
    chosen, and a shortest mate never needs a position twice.
    """
    for weights in WEIGHTS:
        verdict = _seek(position, color, budget // len(WEIGHTS), weights)
        if verdict.chance is not Chance.UNKNOWN:
            return verdict
    return Verdict(Chance.UNKNOWN)


def _seek(position: Position, color: Color, budget: int, weights: Weights) -> Verdict:
    came_by: Origins = {position.key: None}
    queue = [(0, 0, position)]
    while queue:
        *_, here = heappop(queue)
        moves = here.legal_moves()
        if not moves and here.turn != color and here.is_check():
            return Verdict(Chance.ALIVE, _line(came_by, here.key))
        for move in moves:
            there = here.play_unchecked(move)
            if there.key in came_by:
                continue
            if len(came_by) >= budget:
                return Verdict(Chance.UNKNOWN)
            came_by[there.key] = here.key, move
            if not _is_lost(there, color, move):
                # Of equals the newest: a line is followed to its end before the next is tried.
                heappush(queue, (_remoteness(there, color, weights), -len(came_by), there))
    return Verdict(Chance.DEAD)


def _is_lost(position: Position, color: Color, last: Move) -> bool:
    """Whether the last move has settled that ``color`` never mates."""
    if last.captured is None and last.piece_type != PAWN:
        return False
    if lacks_mating_material(position.placement, color):
        return True
    return is_walled(position) and bars_mate(position, color)


def _line(came_by: Origins, key: Key) -> tuple[Move, ...]:
    """The moves that led to a position."""
    moves: list[Move] = []
    while (step := came_by[key]) is not None:
        key = step[0]
        moves.append(step[1])
    return tuple(reversed(moves))


def _remoteness(position: Position, color: Color, weights: Weights) -> int:
    """How far a mate by ``color`` seems to be: an estimate that only orders the search."""
    placement = position.placement
    pieces, foes = placement[SIDE[color]], placement[SIDE[1 - color]]
    king, capturable = position.king(color), position.king(1 - color)
    covered = attacked(placement, color, position.occupied ^ 1 << capturable)
    flights = KING_ATTACKS[capturable] & ~foes & ~covered
    heavy = (placement[QUEEN] | placement[ROOK]) & pieces
    minor = (placement[BISHOP] | placement[KNIGHT]) & pieces
    remote = weights.kings * distance(king, capturable) + weights.corner * _to_corner(capturable)
    remote += weights.flights * flights.bit_count() - weights.check * (covered >> capturable & 1)
    remote += _spread(heavy | minor, capturable)
    if heavy:
        return remote + weights.foes * foes.bit_count()  # their moves fill the queue for nothing
    if pawns := placement[PAWN] & pieces:
        return remote + weights.foes * foes.bit_count() + 12 * _to_promotion(pawns, color)
    # The enemy pieces have to shut in their own king where the bishop can attack it.
    fatal = CORNERS & (ALL if placement[KNIGHT] & pieces else _of_shade(minor))
    return (
        remote
        + 4 * _spread(foes, capturable)
        + 3 * min(distance(capturable, c) for c in squares_in(fatal))
    )


def _of_shade(pieces: Occupancy) -> Occupancy:
    """All squares of the square colours that these pieces are on."""
    return (LIGHT if pieces & LIGHT else 0) | (ALL & ~LIGHT if pieces & ~LIGHT else 0)


def _spread(pieces: Occupancy, square: Square) -> int:
    """Sum of the distances of these pieces from a square, in king's steps."""
    return sum(distance(piece, square) for piece in squares_in(pieces))


def _to_corner(square: Square) -> int:
    """King's steps along the edges from the nearest corner."""
    file, rank = file_of(square), rank_of(square)
    return min(file, 7 - file) + min(rank, 7 - rank)


def _to_promotion(pawns: Occupancy, color: Color) -> int:
    """Steps of the foremost pawn to its promotion."""
    if color:
        return rank_of((pawns & -pawns).bit_length() - 1)
    return 7 - rank_of(pawns.bit_length() - 1)


BUDGET = 5_000  # positions looked at; a tenth of a second on a laptop, a second on a Pi Zero 2
FORCED_BUDGET = 60  # positions; looked at during a game, where it must not be noticed
FORCED_MOVES = 2  # legal moves; with so few the end of the game may be forced
COLORS = (WHITE, BLACK)


def chance(position: Position, color: Color, budget: int = BUDGET) -> Verdict:
    """Whether ``color`` can still win, with the moves to a mate if one was found.

    Looks at up to ``budget`` positions; a larger budget leaves less unknown.
    """
    if _is_ruled_out(position, color):
        return Verdict(Chance.DEAD)
    return seek_mate(position, color, budget)


def cannot_win(position: Position, color: Color, budget: int = BUDGET) -> bool:
    """Whether it is proved that no sequence of legal moves ends in a mate by ``color``."""
    return chance(position, color, budget).chance is Chance.DEAD


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
    if _is_blockaded(position):
        return True
    return len(position.legal_moves()) <= FORCED_MOVES and _no_mate_follows(position)


_DEAD = Memo(_is_dead, 1 << 10)
"""By the key of a position, which is asked about again and again."""


def _no_mate_follows(position: Position) -> bool:
    """Whether none of the few positions that can follow is a mate; False if they are too many."""
    met = {position.key}
    queue = [position]
    for here in queue:
        moves = here.legal_moves()
        is_mate = not moves and here.is_check()
        if is_mate or len(met) + len(moves) > FORCED_BUDGET:
            return False
        for move in moves:
            there = here.play_unchecked(move)
            if there.key not in met:
                met.add(there.key)
                if not (is_insufficient_material(there.placement) or _is_blockaded(there)):
                    queue.append(there)
    return True


def _is_blockaded(position: Position) -> bool:
    return is_walled(position) and all(bars_mate(position, color) for color in COLORS)


def _is_ruled_out(position: Position, color: Color) -> bool:
    """Whether material or a blockade rules out a mate."""
    return lacks_mating_material(position.placement, color) or bars_mate(position, color)
