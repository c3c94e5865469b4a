"""Whether a colour can still win: by any sequence of legal moves, the worst ones included.

FIDE Laws 5.2.2 ends the game when neither can; 5.1.2 and 6.9 give half a point to a player who
resigns or oversteps the time against an opponent who cannot. An answer is proved or not given.
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

# FROM helpmate.py: Looking for a mate that both sides help to bring about, the most promising positions first.


class Chance(Enum):
    """Whether a colour can still win, both sides helping."""

    ALIVE = "alive"
    """A sequence of legal moves ends in its mate."""
    DEAD = "dead"
    """None does: proved."""
    UNKNOWN = "unknown"
    """None was found, and none ruled out."""


class Verdict(NamedTuple):
    """What was found out, and the moves to the mate where one was found."""

    chance: Chance
    line: tuple[Move, ...] = ()


Origins: TypeAlias = dict[Key, tuple[Key, Move] | None]
"""For each position met, the one before it and the move between."""


class Taste(NamedTuple):
    """What makes a position promising: the weights of ``_remoteness``."""

    kings: int
    corner: int
    flights: int
    check: int
    foes: int


TASTES = (Taste(2, 2, 4, 8, 12), Taste(2, 2, 6, 4, 6))
"""The first likes checks and empty boards, the second kings with nowhere to go. Tried on the last
positions of played games, where the two together miss none."""


def seek_mate(position: Position, color: Color, budget: int) -> Verdict:
    """Look for a mate by ``color`` in at most ``budget`` positions; DEAD when that was all of them.

    Move counters play no part: draws by 50 or 75 moves and by repetition are about the moves
    chosen, and a way to a mate never needs a position twice.
    """
    for taste in TASTES:
        verdict = _seek(position, color, budget // len(TASTES), taste)
        if verdict.chance is not Chance.UNKNOWN:
            return verdict
    return Verdict(Chance.UNKNOWN)


def _seek(position: Position, color: Color, budget: int, taste: Taste) -> Verdict:
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
                heappush(queue, (_remoteness(there, color, taste), -len(came_by), there))
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


def _remoteness(position: Position, color: Color, taste: Taste) -> int:
    """How far a mate by ``color`` seems to be: a guess that only orders the search."""
    placement = position.placement
    pieces, foes = placement[SIDE[color]], placement[SIDE[1 - color]]
    king, capturable = position.king(color), position.king(1 - color)
    held = attacked(placement, color, position.occupied ^ 1 << capturable)
    flights = KING_ATTACKS[capturable] & ~foes & ~held
    heavy = (placement[QUEEN] | placement[ROOK]) & pieces
    minor = (placement[BISHOP] | placement[KNIGHT]) & pieces
    remote = taste.kings * distance(king, capturable) + taste.corner * _to_corner(capturable)
    remote += taste.flights * flights.bit_count() - taste.check * (held >> capturable & 1)
    remote += _spread(heavy | minor, capturable)
    if heavy:
        return remote + taste.foes * foes.bit_count()  # their moves fill the queue for nothing
    if pawns := placement[PAWN] & pieces:
        return remote + taste.foes * foes.bit_count() + 12 * _to_promotion(pawns, color)
    # The enemy men have to shut in their own king, where the bishop reaches him.
    fatal = CORNERS & (ALL if placement[KNIGHT] & pieces else _of_shade(minor))
    return (
        remote
        + 4 * _spread(foes, capturable)
        + 3 * min(distance(capturable, c) for c in squares_in(fatal))
    )


def _of_shade(pieces: Occupancy) -> Occupancy:
    """Squares of the colours on which these men stand."""
    return (LIGHT if pieces & LIGHT else 0) | (ALL & ~LIGHT if pieces & ~LIGHT else 0)


def _spread(pieces: Occupancy, square: Square) -> int:
    """King's steps of all these men from a square."""
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
FORCED_BUDGET = 60  # positions; looked at in the middle of a game, where nobody waits for it
FORCED_MOVES = 2  # so few legal moves, and the end of the game may be forced
COLORS = (WHITE, BLACK)


def chance(position: Position, color: Color, budget: int = BUDGET) -> Verdict:
    """Whether ``color`` can still win, with the moves to a mate where one was found.

    Looks at up to ``budget`` positions; more of them leave less unknown.
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
    return len(position.legal_moves()) <= FORCED_MOVES and _leads_nowhere(position)


_DEAD = Memo(_is_dead, 1 << 10)
"""A position at rest is asked about time and again."""


def _leads_nowhere(position: Position) -> bool:
    """Whether the few positions that can follow hold no mate: the players have no choice."""
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
    """Whether material, or walls that nobody passes, rule out a mate."""
    return lacks_mating_material(position.placement, color) or bars_mate(position, color)
