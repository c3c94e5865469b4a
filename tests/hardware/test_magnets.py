"""Magnets over switches: distances, hysteresis, and paths through space."""

from __future__ import annotations

from itertools import pairwise
from math import cos, dist, sin

from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.squares import EVERY_SWITCH, Switch, file_of, rank_of
from hardware.sim.magnets import (
    DEPTH,
    FARTHEST,
    HYSTERESIS,
    NEAREST,
    STANDS,
    Crossing,
    Point,
    Reach,
    crossings,
    reach_of,
    square_under,
)
from tests.sizes import sized

ALONG = st.floats(-1.5, 8.5)
HEIGHT = st.floats(0.0, 1.5)
REACHES = st.builds(reach_of, st.floats(0.2, 0.8), st.floats(0.5, 1.5), st.floats(*HYSTERESIS))
BOARDS = st.lists(REACHES, min_size=4, max_size=4).map(lambda few: few * 16)
USUAL = [reach_of(0.46, 1.0, 1.2)] * 64


@st.composite
def paths(draw: st.DrawFn) -> list[Point]:
    t_us, path = 0, []
    for x, y, z in draw(st.lists(st.tuples(ALONG, ALONG, HEIGHT), min_size=1, max_size=6)):
        t_us += draw(st.integers(20_000, 400_000))
        path.append(Point(t_us, x, y, z))
    return path


def away(point: tuple[float, float, float], square: Switch) -> float:
    """From a switch to a piece's foot."""
    return dist(point, (file_of(square), rank_of(square), -DEPTH))


def at(path: list[Point], t_us: int) -> tuple[float, float, float]:
    """Where a piece is at a time."""
    for start, end in pairwise(path):
        if start.t_us <= t_us <= end.t_us:
            share = (t_us - start.t_us) / (end.t_us - start.t_us)
            return tuple(a + share * (b - a) for a, b in zip(start[1:], end[1:], strict=True))  # type: ignore[return-value]
    return path[-1][1:]


@given(REACHES)
def test_a_switch_opens_farther_away_than_it_closes_and_feels_no_piece_too_far(
    reach: Reach,
) -> None:
    assert NEAREST <= reach.closing < reach.opening <= FARTHEST + 1e-9


@settings(max_examples=sized(12, 60))
@given(BOARDS, paths())
def test_switches_close_within_their_distance_and_open_beyond_the_other(
    reaches: list[Reach], path: list[Point]
) -> None:
    held: set[Switch] = set()
    last_us = 0
    for t_us, square, closed in crossings(path, reaches, ()):
        assert t_us >= last_us
        assert closed == (square not in held), "closed and open take turns"
        near = away(at(path, t_us), square)
        # Times are whole microseconds; a piece covers less than a hundredth of a square in one.
        assert (
            near <= reaches[square].closing + 0.01
            if closed
            else (near >= reaches[square].opening - 0.01)
        )
        (held.add if closed else held.discard)(square)
        last_us = t_us


@settings(max_examples=sized(8, 40))
@given(paths(), BOARDS)
def test_looking_every_millisecond_finds_nothing_that_was_not_reckoned(
    path: list[Point], reaches: list[Reach]
) -> None:
    found = crossings(path, reaches, ())
    for t_us in range(path[0].t_us, path[-1].t_us, 1_000):
        where = at(path, t_us)
        closed = {c.square for c in found if c.t_us <= t_us and c.closed}
        for square in EVERY_SWITCH:
            if away(where, square) < reaches[square].closing - 0.01:
                assert square in closed


@given(paths())
def test_a_board_is_as_it_is_from_the_other_side(path: list[Point]) -> None:
    turned = [Point(t, 7 - x, 7 - y, z) for t, x, y, z in path]
    there = {(c.square ^ 63, c.closed) for c in crossings(path, USUAL, ())}
    assert {(c.square, c.closed) for c in crossings(turned, USUAL, ())} == there


@given(paths())
def test_on_the_same_path_back_a_switch_opens_later_than_it_closed(path: list[Point]) -> None:
    far = Point(0, -9, -9, 1.5)
    there = [far, *path, far._replace(t_us=path[-1].t_us + 1_000_000)]
    ends = {c.square: c.closed for c in crossings(there, USUAL, ())}
    assert not any(ends.values()), "a piece that is away holds nothing"


def test_between_two_squares_strength_decides_whether_both_switches_close_or_neither() -> None:
    path = [Point(0, 3, 3, 0), Point(100_000, 4, 3, 0)]
    weak, strong = reach_of(0.38, 1.0, 1.15), reach_of(0.55, 1.0, 1.15)
    d4, e4 = 27, 28

    def order(reach: Reach) -> list[tuple[Switch, bool]]:
        return [(c.square, c.closed) for c in crossings(path, [reach] * 64, {Switch(d4)})]

    assert order(weak) == [(d4, False), (e4, True)]
    assert order(strong) == [(e4, True), (d4, False)]


def test_hysteresis_keeps_a_switch_closed_under_a_piece_that_trembles_at_the_limit() -> None:
    edge = USUAL[0].closing
    x = (edge**2 - DEPTH**2) ** 0.5
    path = [Point(n * 10_000, 3 + x + 0.04 * (-1) ** n, 3, 0) for n in range(20)]
    assert crossings(path, USUAL, ()) == [Crossing(path[0].t_us + 5_000, Switch(27), closed=True)]


@given(REACHES, st.floats(0, STANDS), st.floats(0, 6.3))
def test_a_piece_on_its_square_closes_that_switch_and_no_other(
    reach: Reach, off: float, angle: float
) -> None:
    x, y = 3 + off * cos(angle), 3 + off * sin(angle)
    path = [Point(0, x, y, 1.5), Point(100_000, x, y, 0.0)]
    assert [c.square for c in crossings(path, [reach] * 64, ())] == [27]
    assert square_under(path[-1]) == 27
    assert square_under(path[0]) is None
