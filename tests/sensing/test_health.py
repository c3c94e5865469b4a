"""What the switches did tells which of them a person should look at."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from boardfw.sensing.debounce import Blip, Debounce, Edge
from boardfw.sensing.health import FEWEST, Health, Verdict
from boardfw.sensing.trace import BLINK_US
from boardfw.squares import EVERY_SWITCH, NO_SWITCHES, SWITCH_BY_NAME, Switch

D5, E4 = SWITCH_BY_NAME["d5"], SWITCH_BY_NAME["e4"]
BIT = 1 << E4
GAP_US = 1_000_000


def watched(*lengths_us: tuple[int, ...]) -> Health:
    """The health of a board on which the switch of e4 flips as told, with a rest between.

    Each tuple: the times between one flip and the next, microseconds.
    """
    debounce, health, t_us, level = Debounce(NO_SWITCHES), Health(), 0, NO_SWITCHES
    for times_us in lengths_us:
        t_us += GAP_US
        for gap_us in (0, *times_us):
            t_us += gap_us
            level ^= BIT
            for known in debounce.feed(t_us, level):
                health.feed(known)
    for known in debounce.advance(t_us + GAP_US):
        health.feed(known)
    return health


def test_a_switch_that_was_not_used_is_not_called_bad() -> None:
    assert {Health()[square].verdict for square in EVERY_SWITCH} == {Verdict.UNTRIED}
    assert Health().ailing() == []


def test_a_switch_that_closes_and_opens_is_good() -> None:
    health = watched(*[()] * 20)
    assert health[E4].moved == 20
    assert health[E4].verdict is Verdict.GOOD
    assert health[D5].verdict is Verdict.UNTRIED
    assert health.ailing() == []


def test_bounce_is_the_time_from_the_first_to_the_last_flip() -> None:
    health = watched((400, 600), (1_000, 1_000), (500, 500), (2_000, 2_500), (700, 800))
    assert health[E4].moved == 5
    assert health[E4].bounce_us == 1_500
    assert health[E4].longest_bounce_us == 4_500
    assert health[E4].verdict is Verdict.GOOD


def test_a_worn_contact_that_bounces_long_each_time_is_told() -> None:
    health = watched(*[(1_000, 3_000)] * FEWEST)
    assert health[E4].verdict is Verdict.BOUNCES
    assert health.ailing() == [E4]
    assert watched(*[(1_000, 3_000)] * (FEWEST - 1)).ailing() == [], "too few to tell"


def test_a_switch_is_judged_by_how_it_is_of_late() -> None:
    mended = watched(*[(1_000, 3_000)] * 40, *[(500, 500)] * 40)
    assert mended[E4].verdict is Verdict.GOOD
    assert mended[E4].longest_bounce_us == 4_000


def test_single_scans_are_glitches_and_make_no_switch_bad() -> None:
    health = watched((), *[(2_000,)] * 50)
    assert health[E4].lost == 0
    assert health[E4].verdict is Verdict.GOOD


def test_a_contact_that_lets_go_of_a_standing_piece_is_told_whether_it_settled_or_not() -> None:
    for open_us in (4_000, 30_000):
        health = watched((), *[(open_us,)] * FEWEST)
        assert (health[E4].lost, health[E4].moved) == (FEWEST, 1)
        assert health[E4].verdict is Verdict.LOSES_CONTACT


def test_quick_hands_that_take_now_and_then_make_no_switch_bad() -> None:
    games = [(), (20_000,), (), (), (), (), (), ()]  # a piece swapped within 20 ms, once in a while
    assert watched(*games * 10)[E4].verdict is Verdict.GOOD


KNOWN = st.lists(
    st.tuples(st.integers(0, 100_000), st.integers(0, 63), st.booleans(), st.integers(0, 5_000))
)


@given(KNOWN)
def test_nothing_is_counted_twice_or_lost(events: list[tuple[int, int, bool, int]]) -> None:
    health, settled, t_us = Health(), [False] * 64, 0
    edges = short_openings = 0
    for gap_us, square, is_edge, length_us in events:
        t_us += gap_us
        if is_edge:
            settled[square] = not settled[square]
            health.feed(Edge(t_us, Switch(square), settled[square], length_us))
            edges += 1
        else:
            health.feed(Blip(t_us, Switch(square), not settled[square], length_us))
            short_openings += settled[square] and length_us >= BLINK_US
    moved = sum(health[square].moved for square in EVERY_SWITCH)
    let_go = sum(health[square].lost for square in EVERY_SWITCH) - short_openings
    assert moved + 2 * let_go == edges, "every edge moved a piece, or was half of a lost contact"
