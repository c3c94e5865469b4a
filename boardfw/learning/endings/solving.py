"""Retrograde search: from the mates backwards, ply by ply, until nothing new is found.

For a pair, that is a place of the third man and one of his king, a single integer is the set of all
squares where the lone king is lost; arithmetic then handles 64 positions at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from boardfw.learning.endings.table import Layer, Pair, Table
from boardfw.learning.endings.third import Origin, attacks, mirrored, mirrors_of, origins, part_of
from boardfw.rules.attacks import FILE_A, FILE_H, KING_REACH, SQUARES
from boardfw.rules.board import BLACK, PAWN, QUEEN, ROOK, WHITE, Kind
from boardfw.rules.memo import Memo
from boardfw.squares import ALL, Occupancy, Square, rank_of

BEFORE_LAST = 6
"""The rank, of 0..7, from which pawns promote."""


class Ground(NamedTuple):
    """What holds for a pair whatever was found out so far, as sets of squares of the lone king."""

    legal: Occupancy
    """With Black to move."""
    safe: Occupancy
    """Where he may step without taking; with White to move these are the legal ones."""
    prey: Occupancy
    """The third man's square, if the lone king may take him there."""
    check: Occupancy

    def stuck(self, closed: Occupancy = 0) -> Occupancy:
        """Legal squares from which every step leads to a ``closed`` one, or there is none."""
        return self.legal & ~_steps(self.prey | self.safe & ~closed)


def _steps(squares: Occupancy) -> Occupancy:
    """Wherever a king may step from one of these squares."""
    beside = (squares & ~FILE_H) << 1 | (squares & ~FILE_A) >> 1
    row = squares | beside
    return (beside | row << 8 | row >> 8) & ALL


def _ground(kind: Kind, third: Square, king: Square) -> Ground:
    men, near, check = 1 << third | 1 << king, KING_REACH[king], attacks(kind, third, king)
    legal = ALL & ~(men | near)
    return Ground(legal, legal & ~check, 1 << third & ~near, check)


@cache
def solve(kind: Kind) -> Table:
    """The table of an ending with a QUEEN, a ROOK or a PAWN; computed once, then remembered."""
    return _Search(kind).run()


class _Search:
    """What is known after some plies: where White, to move, has won, and where Black has lost."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        pairs = [(t, k) for t in part_of(kind) for k in range(64) if t != k]
        self._ground = {pair: _ground(kind, *pair) for pair in pairs}
        self._stalemate = {p: g.stuck() & ~g.check for p, g in self._ground.items()}
        self._won: Layer = dict.fromkeys(pairs, 0)
        self._lost: Layer = dict.fromkeys(pairs, 0)
        self._origins: Memo[Pair, tuple[Origin, ...]] = Memo(
            lambda pair: origins(kind, *pair), 1 << 12
        )
        self._promoting = _promotions() if kind == PAWN else {}
        self._table = Table(kind)

    def run(self) -> Table:
        """Find everything, ply by ply; after the last promotion an idle ply is the end."""
        plies, lost = 0, self._newly_lost(self._ground)
        while lost or plies < max(self._promoting, default=0):
            self._table.enter(BLACK, lost, plies)
            won = self._newly_won(lost, self._promoting.get(plies + 1, {}))
            self._table.enter(WHITE, won, plies + 1)
            plies, lost = plies + 2, self._newly_lost(won)
        return self._table

    def _newly_lost(self, changed: Iterable[Pair]) -> Layer:
        """Where every move of Black leads to what White has won."""
        found: Layer = {}
        for pair in changed:
            stuck = self._ground[pair].stuck(self._won[pair]) & ~self._stalemate[pair]
            if new := stuck & ~self._lost[pair]:
                found[pair] = new
                self._lost[pair] |= new
        return found

    def _newly_won(self, lost: Layer, promoting: Layer) -> Layer:
        """Where some move of White leads to what Black has lost."""
        reached: Layer = defaultdict(int, promoting)
        for (third, king), lone in lost.items():
            for origin in SQUARES[KING_REACH[king]]:
                reached[third, origin] |= lone
            for mirror in mirrors_of(self._kind):
                there = mirrored(lone, mirror)
                for origin, hindered in self._origins[third ^ mirror, king ^ mirror]:
                    reached[origin, king ^ mirror] |= there & ~hindered
        return self._kept(reached)

    def _kept(self, reached: Layer) -> Layer:
        """Of these positions those that are legal and new."""
        found: Layer = {}
        for pair, lone in reached.items():
            if pair in self._won and (new := lone & self._ground[pair].safe & ~self._won[pair]):
                found[pair] = new
                self._won[pair] |= new
        return found


def _promotions() -> Mapping[int, Layer]:
    """Where a promotion wins, by the plies to mate before it; a bishop or a knight never does."""
    layers: dict[int, Layer] = defaultdict(lambda: defaultdict(int))
    pairs = [(t, k) for t in part_of(PAWN) for k in range(64) if rank_of(t) == BEFORE_LAST]
    for table in (solve(QUEEN), solve(ROOK)):
        for third, king in pairs:
            target = third + 8
            for lone in range(64):
                plies = None if king == target else table.plies(BLACK, (target, king), lone)
                if plies is not None:
                    layers[plies + 1][third, king] |= 1 << lone
    return layers
