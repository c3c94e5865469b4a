"""What speaks for a ply: each piece's origin opens, then its target closes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boardfw.inference.explain import Evidence, explain, explain_take_back
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.tracker import Tracker
from boardfw.notation.fen import parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.rules import Position
from boardfw.sensing.debounce import Blip, Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import SWITCH_BY_NAME, Occupancy

START_US = 0
STEP_US = 300_000
CAPTURES = "4k3/8/8/3p1p2/4P3/8/8/R3K2R w KQ - 0 1"
PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"


def seen(position: Position, touches: str) -> Trace:
    """A trace of touches (``-e2 +e4 ~d5``), one a second, the first after two seconds."""
    trace = Trace(START_US, Occupancy(position.occupied))
    for second, touch in enumerate(touches.split(), 2):
        t_us, square = second * 1_000_000, SWITCH_BY_NAME[touch[1:]]
        if touch[0] == "~":
            trace.append(Blip(t_us, square, closed=False, length_us=4_000))
        else:
            trace.append(Edge(t_us, square, closed=touch[0] == "+"))
    return trace


def evidence(position: Position, uci: str, touches: str) -> Evidence | None:
    trace = seen(position, touches)
    return explain(Hypothesis.root(position, START_US), parse_uci(position, uci), trace)


def score(fen: str, uci: str, touches: str) -> float:
    found = evidence(parse_fen(fen), uci, touches)
    return float("-inf") if found is None else found.score


def test_a_piece_that_went_its_way_earns_both_edges_and_owes_nothing() -> None:
    found = evidence(Position.start(), "e2e4", "-e2 +e4")
    assert found is not None
    assert found.score > 0
    assert found.pending_edges == {}
    assert (found.left_us, found.landed_us) == (2_000_000, 3_000_000)
    assert found.since_us == {SWITCH_BY_NAME["e2"]: 2_000_000, SWITCH_BY_NAME["e4"]: 3_000_000}


@pytest.mark.parametrize("touches", ["", "-e2", "+e4 -e2", "-d2 +d4", "-e2 +e4 -e4 +e2"])
def test_a_piece_that_has_not_arrived_has_not_moved(touches: str) -> None:
    assert evidence(Position.start(), "e2e4", touches) is None


def test_the_less_was_seen_of_a_captured_the_less_is_believed() -> None:
    seen_off = score(CAPTURES, "e4d5", "-e4 -d5 +d5")
    blinked = score(CAPTURES, "e4d5", "-e4 ~d5")
    untouched = score(CAPTURES, "e4d5", "-e4")
    assert seen_off > 0 > blinked > untouched


def test_a_slide_to_the_next_square_is_not_worse_for_having_taken_long() -> None:
    """A magnet over the border holds both switches for as long as the hand stays there."""
    at_once = score(CAPTURES, "e1e2", "-e1 +e2")
    assert score(CAPTURES, "e1e2", "+e2 -e1") == at_once
    assert score(CAPTURES, "e1e2", "+e2 -h1 +h1 -h1 +h1 -e1") == at_once


def test_a_captured_piece_put_back_before_the_other_left_was_rather_adjusted() -> None:
    adjusted = score(CAPTURES, "e4d5", "-d5 +d5 -e4")
    assert score(CAPTURES, "e4d5", "-e4") < adjusted < 0


def test_a_capture_over_the_border_is_believed_where_slides_have_lasted_as_long() -> None:
    """The board's overlap is learnt from slides to empty squares, which can be nothing else."""
    tracker = Tracker.of(parse_fen(CAPTURES), Trace(0, Occupancy(parse_fen(CAPTURES).occupied)))
    slid, taken = ("+e2", "-e1"), ("-d5", "+d5", "-e4")
    for n, touch in enumerate((*slid, "-e8", "+e7", *taken), 1):
        tracker.feed(Edge(n * STEP_US, SWITCH_BY_NAME[touch[1:]], closed=touch[0] == "+"))
    assert [move.uci() for move in tracker.best.moves] == ["e1e2", "e8e7", "e4d5"]
    assert tracker.best.state.overlap_us == STEP_US


def test_a_pawn_still_to_be_taken_off_is_owed() -> None:
    found = evidence(parse_fen(PASSING), "e5d6", "-e5 +d6")
    assert found is not None
    assert found.pending_edges == {SWITCH_BY_NAME["d5"]: False}
    assert found.score < score(PASSING, "e5d6", "-e5 +d6 -d5")


def test_an_edge_explained_once_explains_nothing_else() -> None:
    start = Position.start()
    hypothesis = Hypothesis.root(start, 5_000_000)  # whatever happened before is used up
    assert explain(hypothesis, parse_uci(start, "e2e4"), seen(start, "-e2 +e4")) is None


def test_a_piece_slid_to_the_next_square_may_close_it_before_its_own_opens() -> None:
    trace = Trace(0, Occupancy(Position.start().occupied))
    trace.append(Edge(2_000_000, SWITCH_BY_NAME["e3"], closed=True))
    trace.append(Edge(2_020_000, SWITCH_BY_NAME["e2"], closed=False))
    hypothesis, move = Hypothesis.root(Position.start(), 0), parse_uci(Position.start(), "e2e3")
    assert explain(hypothesis, move, trace) is not None


def after(fen: str, uci: str) -> Hypothesis:
    """A hypothesis whose one ply was played two seconds after the start."""
    position = parse_fen(fen)
    root = Hypothesis.root(position, START_US)
    return root.played(parse_uci(position, uci), root.state)


@pytest.mark.parametrize(
    ("fen", "uci", "touches"),
    [
        (CAPTURES, "e4d5", "-d5 +e4 +d5"),
        (CAPTURES, "e4d5", "-d5 +d5 +e4"),
        (CAPTURES, "e1g1", "-g1 -f1 +e1 +h1"),
        (CAPTURES, "e1g1", "-f1 +h1 -g1 +e1"),
        (PASSING, "e5d6", "-d6 +e5 +d5"),
        (PASSING, "e5d6", "+d5 -d6 +e5"),
    ],
)
def test_every_piece_of_a_ply_undone_comes_back(fen: str, uci: str, touches: str) -> None:
    hypothesis = after(fen, uci)
    found = explain_take_back(hypothesis, seen(hypothesis.position, touches))
    assert found is not None
    assert found.score > 0
    assert found.pending_edges == {}


def test_a_ply_half_undone_is_owed_the_rest() -> None:
    hypothesis = after(PASSING, "e5d6")
    found = explain_take_back(hypothesis, seen(hypothesis.position, "-d6 +e5"))
    assert found is not None
    assert found.pending_edges == {SWITCH_BY_NAME["d5"]: True}


def test_a_ply_that_was_not_undone_stands() -> None:
    hypothesis = after(CAPTURES, "e4d5")
    assert explain_take_back(hypothesis, seen(hypothesis.position, "-d5 +d5")) is None


def reply(lifted_us: int, landed_us: int) -> float:
    """What e7e5 is worth after e2e4, lifted at 4 s and landed at 6 s."""
    start = Position.start()
    root = Hypothesis.root(start, START_US)
    e2, e4 = SWITCH_BY_NAME["e2"], SWITCH_BY_NAME["e4"]
    used = {**root.state.since_us, e2: 4_000_000, e4: 6_000_000}
    state = replace(root.state, left_us=4_000_000, landed_us=6_000_000, since_us=used)
    hypothesis = root.played(parse_uci(start, "e2e4"), state)
    trace = Trace(START_US, Occupancy(start.occupied))
    trace.append(Edge(4_000_000, e2, closed=False))
    for t_us, square, closed in ((lifted_us, "e7", False), (landed_us, "e5", True)):
        trace.append(Edge(t_us, SWITCH_BY_NAME[square], closed=closed))
    found = explain(hypothesis, parse_uci(hypothesis.position, "e7e5"), trace)
    return float("-inf") if found is None else found.score


def test_a_reply_is_the_more_credible_the_later_it_came() -> None:
    after_it = reply(7_000_000, 8_000_000)
    begun_before_it_landed = reply(5_000_000, 7_000_000)
    landed_before_it_landed = reply(5_000_000, 5_500_000)
    lifted_before_it_began = reply(3_000_000, 7_000_000)
    assert after_it > begun_before_it_landed > landed_before_it_landed
    assert begun_before_it_landed > lifted_before_it_began
    assert begun_before_it_landed > 0, "both players at once are no rarity"
    assert landed_before_it_landed < 0, "it takes a late contact"
    assert reply(2_000_000, 3_000_000) == float("-inf")
