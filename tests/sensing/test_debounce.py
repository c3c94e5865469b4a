"""What the switches chatter and what they mean are told apart, and nothing is lost between."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from boardfw.sensing.debounce import SETTLE_US, Blip, Debounce, Edge
from boardfw.squares import EVERY_SWITCH, NO_SWITCHES, SWITCH_BY_NAME, Occupancy, Switch

E4 = SWITCH_BY_NAME["e4"]
BIT = 1 << E4


def chatter(*times_us: int, closed: bool, wait_us: int = SETTLE_US) -> list[Edge | Blip]:
    """What becomes known when the switch of e4, ``closed`` at first, flips at these times."""
    level = BIT if closed else NO_SWITCHES
    debounce = Debounce(level)
    known: list[Edge | Blip] = []
    for t_us in times_us:
        level ^= BIT
        known += debounce.feed(t_us, level)
    return known + debounce.advance(times_us[-1] + wait_us)


def test_a_piece_has_arrived_when_its_switch_last_closed() -> None:
    assert chatter(10_000, 11_000, 13_000, closed=False) == [Edge(13_000, E4, closed=True)]


def test_a_piece_has_left_when_its_switch_first_opened() -> None:
    assert chatter(10_000, 11_000, 13_000, closed=True) == [Edge(10_000, E4, closed=False)]


def test_pieces_that_settle_together_are_told_in_the_order_of_their_times() -> None:
    debounce = Debounce(Occupancy(0b10))
    debounce.feed(10_000, Occupancy(0b11))  # a1 closes, but it bounces:
    debounce.feed(11_000, Occupancy(0b01))  # b1 leaves
    debounce.feed(12_000, Occupancy(0b00))
    debounce.feed(13_000, Occupancy(0b01))  # a1 has arrived
    assert debounce.advance(30_000) == [
        Edge(11_000, Switch(1), closed=False),
        Edge(13_000, Switch(0), closed=True),
    ]


def test_the_deadline_is_when_the_next_switch_will_have_settled() -> None:
    debounce = Debounce(NO_SWITCHES)
    assert debounce.deadline_us is None
    debounce.feed(10_000, Occupancy(0b01))
    debounce.feed(12_000, Occupancy(0b11))
    assert debounce.deadline_us == 10_000 + SETTLE_US
    assert [edge.switch for edge in debounce.advance(10_000 + SETTLE_US)] == [0]
    assert debounce.deadline_us == 12_000 + SETTLE_US
    debounce.feed(13_000, 0b01)
    assert debounce.deadline_us == 13_000 + SETTLE_US
    debounce.advance(13_000 + SETTLE_US)
    assert debounce.deadline_us is None


def test_the_time_to_settle_can_be_chosen() -> None:
    debounce = Debounce(NO_SWITCHES, settle_us=20_000)
    debounce.feed(1_000, BIT)
    assert debounce.advance(20_999) == []
    assert debounce.advance(21_000) == [Edge(1_000, E4, closed=True)]


FLIPS = st.lists(st.tuples(st.integers(1, 12_000), st.integers(0, 3)), min_size=1, max_size=40)
"""(time since the flip before, square that flips)."""


def grouped(times_us: list[int]) -> list[list[int]]:
    """Flips of one switch, parted where it had time to settle."""
    groups = [[times_us[0]]]
    for before_us, t_us in pairwise(times_us):
        if t_us - before_us >= SETTLE_US:
            groups.append([])
        groups[-1].append(t_us)
    return groups


def expected(switch: Switch, times_us: list[int], occupancy: Occupancy) -> list[Edge | Blip]:
    """The definition of an edge and of a blip, spelled out over the whole history."""
    closed = bool(occupancy >> switch & 1)
    known: list[Edge | Blip] = []
    for group in grouped(times_us):
        if len(group) % 2:
            closed = not closed
            known.append(Edge(group[-1] if closed else group[0], switch, closed))
        else:
            known.append(Blip(group[0], switch, not closed, group[-1] - group[0]))
    return known


@given(FLIPS, st.integers(0, 15))
def test_edges_and_blips_are_what_the_whole_history_says(
    flips: list[tuple[int, Switch]], start: Occupancy
) -> None:
    debounce, level, t_us = Debounce(start), start, 0
    times: dict[Switch, list[int]] = {}
    known: list[Edge | Blip] = []
    for gap_us, square in flips:
        t_us += gap_us
        level ^= 1 << square
        times.setdefault(square, []).append(t_us)
        known += debounce.feed(t_us, level)
    known += debounce.advance(t_us + SETTLE_US)
    assert debounce.settled == level, "once it is quiet, what is settled is what is read"
    assert debounce.deadline_us is None
    for square in EVERY_SWITCH[:4]:
        of_square = [k for k in known if k.switch == square]
        wanted = expected(square, times[square], start) if square in times else []
        assert of_square == wanted
        levels = [edge.closed for edge in of_square if isinstance(edge, Edge)]
        assert all(a != b for a, b in pairwise([bool(start >> square & 1), *levels]))


@given(FLIPS, st.integers(0, 15))
def test_asking_in_between_changes_nothing(flips: list[tuple[int, Switch]], start: int) -> None:
    patient, eager = Debounce(Occupancy(start)), Debounce(Occupancy(start))
    known: tuple[list[Edge | Blip], list[Edge | Blip]] = ([], [])
    level, t_us = start, 0
    for gap_us, square in [*flips, (SETTLE_US, -1)]:
        until_us = t_us + gap_us
        while (due_us := eager.deadline_us) is not None and due_us <= until_us:
            known[1].extend(eager.advance(due_us))
        t_us = until_us
        level ^= 1 << square if square >= 0 else 0
        known[0].extend(patient.feed(t_us, Occupancy(level)))
        known[1].extend(eager.feed(t_us, Occupancy(level)))
    assert sorted(known[0], key=repr) == sorted(known[1], key=repr)
    assert patient.settled == eager.settled == level


# ------------------------------------------------------------------- gaps without a scan

BLIND_US = 400_000


def test_what_left_and_what_came_in_a_gap_is_in_the_order_of_a_move() -> None:
    d4 = 1 << SWITCH_BY_NAME["d4"]
    debounce = Debounce(BIT)
    known = debounce.feed(BLIND_US, d4, since_us=100_000)
    known += debounce.advance(BLIND_US + SETTLE_US)
    assert known == [
        Edge(100_000, E4, closed=False),
        Edge(BLIND_US, SWITCH_BY_NAME["d4"], closed=True),
    ]
    assert [edge.bounce_us for edge in known if isinstance(edge, Edge)] == [0, 0]


def test_one_wrong_scan_just_before_a_gap_is_nothing() -> None:
    debounce = Debounce(BIT)
    debounce.feed(99_000, NO_SWITCHES)
    assert debounce.feed(BLIND_US, BIT, since_us=100_000) == []
    assert debounce.advance(BLIND_US + SETTLE_US) == []


def test_what_began_before_a_gap_and_lasted_is_believed_as_it_began() -> None:
    debounce = Debounce(BIT)
    debounce.feed(99_000, NO_SWITCHES)
    assert debounce.feed(BLIND_US, NO_SWITCHES, since_us=100_000) == [
        Edge(99_000, E4, closed=False)
    ]


def test_what_had_settled_before_is_told_as_ever() -> None:
    debounce = Debounce(BIT)
    debounce.feed(10_000, NO_SWITCHES)
    assert debounce.feed(BLIND_US, BIT, since_us=100_000) == [Edge(10_000, E4, closed=False)]
    assert debounce.advance(BLIND_US + SETTLE_US) == [Edge(BLIND_US, E4, closed=True)]
