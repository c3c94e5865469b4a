"""What stands wrong lowers a hypothesis's score, the more the less it can be part of a ply."""

from __future__ import annotations

from dataclasses import replace

from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.score import charge, score_of
from boardfw.notation.uci import parse_uci
from boardfw.rules import Position
from boardfw.sensing.debounce import Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import SWITCH_BY_NAME

BEGUN_US = 5_000_000
LANDED_US = 6_000_000
NOW_US = 9_000_000
LATE_US = 60_000_000


def seen(*touches: tuple[int, str]) -> tuple[Hypothesis, Trace]:
    """The hypothesis 1.e4, played at five to six seconds, and what else the switches did."""
    start = Position.start()
    root = Hypothesis.root(start, 0)
    state = replace(root.state, left_us=BEGUN_US, landed_us=LANDED_US)
    hypothesis = root.played(parse_uci(start, "e2e4"), state)
    trace = Trace(0, hypothesis.expected)
    for t_us, touch in touches:
        trace.append(Edge(t_us, SWITCH_BY_NAME[touch[1:]], closed=touch[0] == "+"))
    return hypothesis, trace


def cost(*touches: tuple[int, str], now_us: int = NOW_US) -> float:
    """What these touches cost the hypothesis."""
    quiet = score_of(*seen(), now_us)
    return quiet - score_of(*seen(*touches), now_us)


def test_pieces_put_back_cost_nothing() -> None:
    assert cost((7_000_000, "-g8"), (8_000_000, "+g8")) == 0


def test_a_piece_of_the_side_to_move_may_be_in_the_air_for_next_to_nothing() -> None:
    in_hand = cost((NOW_US, "-g8"))
    held = cost((8_000_000, "-g8"))
    opponents = cost((8_000_000, "-g1"))
    long_gone = cost((8_000_000, "-g8"), now_us=LATE_US)
    before_the_ply = cost((4_000_000, "-g8"))
    assert 0 < in_hand < opponents < held < long_gone < before_the_ply


def test_a_piece_where_none_belongs_costs_and_two_cost_twice() -> None:
    one = cost((8_000_000, "+h5"))
    assert one > 0
    assert cost((8_000_000, "+h5"), (8_000_000, "+a3")) == 2 * one


def test_what_is_still_to_come_is_not_held_against_the_hypothesis() -> None:
    hypothesis, trace = seen((8_000_000, "+h5"))
    hypothesis.state.pending_edges = {SWITCH_BY_NAME["h5"]: False}
    assert score_of(hypothesis, trace, NOW_US) == score_of(*seen(), NOW_US)


def charged(*touches: tuple[int, str], times: int = 1, told: bool = False) -> float:
    """What these touches cost at rests; ``told``: another game tells all that stands."""
    hypothesis, trace = seen(*touches)
    for _ in range(times):
        charge(hypothesis, trace, trace.now, trace.t_us, told=told)
    return -hypothesis.state.score


def test_a_piece_in_a_hand_is_paid_for_where_another_game_tells_all_that_stands() -> None:
    in_hand = ((8_000_000, "-g8"),)
    assert charged(*in_hand, told=True) > charged(*in_hand)
    put_down = (*in_hand, (8_000_000, "+h5"))
    assert charged(*put_down, told=True) == charged(*put_down), "it goes on from there"


def test_what_stands_wrong_while_hands_are_off_is_paid_for() -> None:
    assert charged((8_000_000, "-g8")) < charged((8_000_000, "+h5")), "a piece may be held long"
    assert charged((8_000_000, "+h5")) > 0
    again = charged((8_000_000, "+h5"), times=2) - charged((8_000_000, "+h5"))
    assert 0 < again < charged((8_000_000, "+h5")), "it is less than at the first time"
    assert charged((4_000_000, "-g8")) > charged((8_000_000, "-g8"))
    both = charged((8_000_000, "+h5"), (8_000_000, "+a3"))
    assert both == 2 * charged((8_000_000, "+h5"))


def test_a_piece_gone_as_soon_as_it_came_is_missed_more_until_it_is_back() -> None:
    fled = charged((LANDED_US + 100_000, "-e4"))
    assert fled > charged((LANDED_US + 400_000, "-e4"))
    hypothesis, trace = seen((LANDED_US + 100_000, "-e4"))
    charge(hypothesis, trace, trace.now, trace.t_us, told=False)
    charge(hypothesis, trace, hypothesis.expected, trace.t_us, told=False)
    assert hypothesis.state.score == 0, "it stayed after all"


def test_a_piece_that_went_home_by_a_take_back_has_not_fled_from_there() -> None:
    hypothesis, _ = seen((LANDED_US + 100_000, "-e4"))
    fled = hypothesis.has_fled(SWITCH_BY_NAME["e4"], LANDED_US + 100_000)
    hypothesis.state.took_back = True
    assert fled
    assert not hypothesis.has_fled(SWITCH_BY_NAME["e4"], LANDED_US + 100_000)
