"""Figures for `make bench`: reasons and exchanges in lists of legal moves, within one run.

Lights wait for both, so they are to cost no more than a few of the lists that a position needs
anyway. A row beyond its limit is marked, not failed: machines are shared.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from typing import TypeAlias

import pytest

from boardfw.rules import Position
from boardfw.rules.movegen import legal_moves
from boardfw.rules.reasons import Why, why_not
from boardfw.rules.static_exchange import contacts, needless_loss
from boardfw.squares import EVERY_SQUARE, Square, squares_in
from tests.bench.rivals import in_turn
from tests.bench.test_bench_rules import fresh, over, plies

pytestmark = pytest.mark.bench

Refused: TypeAlias = tuple[Position, Square, Square]
Prepare: TypeAlias = Callable[[], Callable[[], object]]
TRIES = 60
"""Pairs of squares tried in each position."""
EMPTY_OR_WRONG = tuple(map(Square, (20, 30, 40, 50)))
ENOUGH = 50
"""Fewer of a kind are no figure."""


def refused() -> dict[Why, list[Refused]]:
    """Illegal moves of pieces in famous games, by the reason."""
    chance = random.Random(1)
    found: dict[Why, list[Refused]] = defaultdict(list)
    for ply in plies(1):
        position = ply.position
        pieces = [*squares_in(position.pieces(position.turn)), *EMPTY_OR_WRONG]
        for _ in range(TRIES):
            origin, target = chance.choice(pieces), EVERY_SQUARE[chance.randrange(64)]
            reason = why_not(position, Square(origin), target)
            if reason is not None:
                found[reason.why].append((position, origin, target))
    return found


def asking(cases: list[Refused]) -> Prepare:
    def prepare() -> Callable[[], object]:
        forgetful = [(fresh(position), origin, target) for position, origin, target in cases]
        return lambda: [why_not(*case) for case in forgetful]

    return prepare


def listing(positions: list[Position]) -> Prepare:
    def lists() -> None:
        for p in positions:
            legal_moves(p.placement, p.turn, p.castling, p.en_passant)

    return over(lists)


def row(what: str, limit: float, work: Prepare, positions: list[Position]) -> None:
    """One figure for each position, beside its list of legal moves."""
    spent, listed = in_turn(work, listing(positions))
    one_us, short = spent / len(positions) * 1e6, "*" if spent > limit * listed else ""
    print(f"{what:44} {one_us:9.1f} us {spent / listed:9.2f} lists {limit:5.1f}{short}")


def test_bench_reasons() -> None:
    print(f"\n{'':44} {'one':>12} {'':>15} {'at most':>5}")
    for why, cases in sorted(refused().items(), key=lambda item: -len(item[1])):
        if len(cases) >= ENOUGH:
            row(f"why not: {why.value}", 3, asking(cases), [position for position, *_ in cases])


def test_bench_exchange_map() -> None:
    positions = [ply.position for ply in plies(1)]
    work = over(lambda: [contacts(position) for position in positions])
    row("exchange map", 10, work, positions)


def test_bench_guard() -> None:
    """No limit was set: what cannot be taken back waits two seconds for it."""
    played = [(ply.position, ply.move) for ply in plies(1)]
    work = over(lambda: [needless_loss(*ply) for ply in played])
    row("what a move needlessly loses", 100, work, [position for position, _ in played])
