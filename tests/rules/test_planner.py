"""The plan from what stands to what is wanted is as short as possible."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.rules import Piece
from boardfw.rules.board import EMPTY, PIECES, Placement, piece_at, placement_of
from boardfw.rules.planner import Step, plan
from boardfw.squares import (
    ALL,
    BY_NAME,
    EVERY_SQUARE,
    Bitboard,
    Square,
    bitboard_of,
    distance,
    squares_in,
)
from tests.inference.arrangements import Arrangement, distances, fewest

OCCUPANCIES = st.sets(st.sampled_from(EVERY_SQUARE), max_size=32).map(bitboard_of)
NEARLY = st.sets(st.sampled_from(EVERY_SQUARE), max_size=8).map(bitboard_of)
"""Squares by which two occupancies differ, few enough to try every plan."""
PLACED = st.dictionaries(
    st.sampled_from(EVERY_SQUARE), st.sampled_from([*PIECES.values()]), max_size=32
)


def squares(text: str) -> Bitboard:
    return bitboard_of(BY_NAME[name] for name in text.split())


def pieces(text: str) -> Placement:
    """Pieces as in ``Ke1 qd8``."""
    return placement_of({BY_NAME[piece[1:]]: Piece.of(piece[0]) for piece in text.split()})


def pawns(standing: Bitboard) -> Placement:
    return placement_of(dict.fromkeys(squares_in(standing), Piece.of("P")))


def by_switches(standing: Bitboard, wanted: Bitboard) -> tuple[Step, ...]:
    """The plan where the pieces on these squares are unknown."""
    return plan(EMPTY, pawns(wanted), standing)


def steps(text: str) -> tuple[Step, ...]:
    """Steps as in ``e2-e4 a1-box box-h8``."""
    pairs = (step.split("-") for step in text.split())
    return tuple((BY_NAME.get(origin), BY_NAME.get(target)) for origin, target in pairs)


def carried_out(
    standing: Placement, taken: tuple[Step, ...], wanted: Placement, unknown: Bitboard = 0
) -> Placement:
    """The pieces after these steps; one from the box, or unknown, is the one that is wanted."""
    board = {square: piece_at(standing, Square(square)) for square in EVERY_SQUARE}
    strangers = set(squares_in(unknown))
    for origin, target in taken:
        piece = None
        if origin is not None:
            assert board[origin] or origin in strangers, "a piece is taken from an empty square"
            piece, board[origin] = board[origin], None
            strangers -= {origin}
        if target is not None:
            assert not board[target], "a piece is put on an occupied square"
            assert target not in strangers, "a piece is put on an occupied square"
            board[target] = piece or piece_at(wanted, target)
    for square in strangers:
        board[square] = piece_at(wanted, square)
    return placement_of({square: piece for square, piece in board.items() if piece})


def test_a_piece_is_led_to_where_its_type_is_wanted() -> None:
    """A rook, which switches cannot tell apart, has the shorter path to d1."""
    assert plan(pieces("Rc1 Qd8"), pieces("Rh8 Qd1")) == steps("c1-h8 d8-d1")


def test_the_board_is_cleared_then_pieces_are_moved_then_they_come_with_the_kings_first() -> None:
    assert plan(pieces("ra8 Ra2"), pieces("Ra1 Ph2 Ke1 kb8")) == steps(
        "a8-box a2-a1 box-e1 box-b8 box-h2"
    )


@given(OCCUPANCIES, OCCUPANCIES)
def test_by_switches_it_ends_as_wanted_in_the_fewest_actions(
    standing: Bitboard, wanted: Bitboard
) -> None:
    taken = by_switches(standing, wanted)
    assert carried_out(EMPTY, taken, pawns(wanted), standing) == pawns(wanted)
    # One action changes one square too many and one square missing at the best.
    extra, missing = standing & ~wanted, wanted & ~standing
    assert len(taken) == max(extra.bit_count(), missing.bit_count())


@given(PLACED, PLACED, OCCUPANCIES)
def test_it_ends_as_wanted(
    standing: dict[Square, Piece], wanted: dict[Square, Piece], unknown: Bitboard
) -> None:
    before, after = placement_of(standing), placement_of(wanted)
    unknown &= ALL & ~(before[0] | before[7])
    taken = plan(before, after, unknown)
    assert carried_out(before, taken, after, unknown) == after


@given(PLACED, st.randoms(use_true_random=False))
def test_a_piece_that_stands_right_is_never_touched(
    wanted: dict[Square, Piece], random: Random
) -> None:
    shuffled = [*wanted.values()]
    random.shuffle(shuffled)
    standing = dict(zip(wanted, shuffled, strict=True))
    right = {square for square in wanted if standing[square] == wanted[square]}
    taken = plan(placement_of(standing), placement_of(wanted))
    assert not right & {square for step in taken for square in step}


@given(OCCUPANCIES, NEARLY)
def test_of_the_shortest_ways_it_carries_pieces_the_least_far(
    standing: Bitboard, differing: Bitboard
) -> None:
    wanted = standing ^ differing
    extra, missing = list(squares_in(standing & ~wanted)), list(squares_in(wanted & ~standing))
    if len(extra) > len(missing):
        extra, missing = missing, extra
    if len(missing) > 6:
        return
    ways = permutations(missing, len(extra))
    least = min(sum(map(distance, extra, way)) for way in ways)
    taken = by_switches(standing, wanted)
    assert sum(distance(a, b) for a, b in taken if a is not None and b is not None) == least


# -------------------------------------------------------------------------------- every other plan

FIELD = ("b1", "d2", "c5", "h8", "g3")
"""The squares on which small cases stand."""


def placed(arrangement: Arrangement) -> Placement:
    standing = zip(arrangement, FIELD, strict=True)
    return pieces(" ".join(piece + name for piece, name in standing if piece in "KQR"))


def strangers(arrangement: Arrangement) -> Bitboard:
    standing = zip(arrangement, FIELD, strict=True)
    return squares(" ".join(name for piece, name in standing if piece == "?"))


@pytest.mark.parametrize("seed", range(20))
def test_known_pieces_take_as_few_actions_as_any_search_finds(seed: int) -> None:
    random = Random(seed)
    wanted = tuple(random.choices(".KQR", k=len(FIELD)))
    actions = distances(wanted)
    for _ in range(50):
        standing = tuple(random.choices(".KQR", k=len(FIELD)))
        taken = plan(placed(standing), placed(wanted))
        assert len(taken) == actions[standing], (standing, wanted, taken)


def check_unknown(seed: int) -> None:
    random = Random(seed)
    wanted = tuple(random.choices(".KQR", k=len(FIELD)))
    standing = tuple(random.choices(".KQR??", k=len(FIELD)))
    taken = plan(placed(standing), placed(wanted), strangers(standing))
    assert len(taken) == fewest(standing, wanted), (standing, wanted, taken)


@pytest.mark.parametrize("seed", range(40))
def test_unknown_pieces_take_as_few_actions_as_any_search_finds(seed: int) -> None:
    check_unknown(seed)


@pytest.mark.slow
def test_a_thousand_cases_with_unknown_pieces(*, full: bool) -> None:
    for seed in range(1_000, 2_000 if full else 1_200):
        check_unknown(seed)
