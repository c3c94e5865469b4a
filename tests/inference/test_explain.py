"""Which edges a ply may use: of pieces that hardly stood, stood before, or are being chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boardfw.inference.evidence import Reason
from boardfw.inference.explain import Evidence, explain, explain_take_back
from boardfw.inference.hypothesis import Hypothesis
from boardfw.notation.fen import parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.sensing.debounce import Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import SWITCH_BY_NAME, Occupancy

LEFT_MS, LANDED_MS = 4_000, 6_000
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
RETAKE = "7k/8/3p4/8/8/8/8/K3R3 w - - 0 1"
CHOICE = "4k3/8/8/8/8/8/6Kp/8 b - - 0 1"
PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
TWO = "4k3/8/8/8/3p4/2P5/4P3/4K3 w - - 0 1"


def after(fen: str, uci: str) -> tuple[Hypothesis, Trace]:
    """A hypothesis whose one ply was played at four to six seconds, and its trace until then."""
    position = parse_fen(fen)
    root, move = Hypothesis.root(position, 0), parse_uci(position, uci)
    ((origin, target),) = root.steps(move)
    used = {**root.state.since_us, origin: LEFT_MS * 1000, target: LANDED_MS * 1000}
    state = replace(root.state, left_us=LEFT_MS * 1000, landed_us=LANDED_MS * 1000, since_us=used)
    return root.played(move, state), Trace(0, Occupancy(position.occupied))


def weighed(fen: str, uci: str, reply: str, *touches: tuple[int, str]) -> Evidence | None:
    """The evidence for a reply; touches in milliseconds, the ply before among them."""
    hypothesis, trace = after(fen, uci)
    return explain(
        hypothesis, parse_uci(hypothesis.position, reply), heard(trace, hypothesis, touches)
    )


def heard(trace: Trace, hypothesis: Hypothesis, touches: tuple[tuple[int, str], ...]) -> Trace:
    ((origin, target),) = hypothesis.steps(hypothesis.moves[-1])
    edges = [
        Edge(t_ms * 1000, SWITCH_BY_NAME[touch[1:]], closed=touch[0] == "+")
        for t_ms, touch in touches
    ]
    edges.append(Edge(LEFT_MS * 1000, origin, closed=False))
    edges.append(Edge(LANDED_MS * 1000, target, closed=True))
    for edge in sorted(edges, key=lambda edge: edge.t_us):
        trace.append(edge)
    return trace


def reasons(found: Evidence | None) -> set[Reason]:
    assert found is not None
    return {finding.reason for finding in found.found}


@pytest.mark.parametrize(("gone_ms", "is_snatched"), [(6_100, True), (6_400, False)])
def test_a_piece_captured_where_it_had_just_arrived_may_have_been_sliding_on(
    gone_ms: int, is_snatched: bool
) -> None:
    touches = ((gone_ms, "-e5"), (6_700, "-d6"), (6_900, "+e5"))
    found = weighed(RETAKE, "e1e5", "d6e5", *touches)
    assert Reason.EMPTIED in reasons(found)
    assert (Reason.SNATCHED in reasons(found)) is is_snatched


@pytest.mark.parametrize(("gone_ms", "is_snatched"), [(6_030, True), (6_100, False)])
def test_a_pawn_that_has_made_two_steps_was_not_sliding_on(gone_ms: int, is_snatched: bool) -> None:
    """But for a glance its switch may have closed when it had gone one step only."""
    fen = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"
    found = weighed(fen, "e2e4", "d4e3", (gone_ms, "-e4"), (6_700, "-d4"), (6_900, "+e3"))
    assert Reason.REMOVED in reasons(found)
    assert (Reason.SNATCHED in reasons(found)) is is_snatched


def test_a_piece_put_back_before_the_previous_ply_was_not_captured_then() -> None:
    """Both pieces were touched before that ply; the capturing one was lifted again later."""
    adjusted = ((3_300, "-d4"), (3_350, "-c3"), (3_400, "+c3"), (3_500, "+d4"))
    found = weighed(TWO, "e2e4", "d4c3", *adjusted, (4_100, "-d4"))
    assert Reason.UNTOUCHED in reasons(found)
    assert not {Reason.EMPTIED, Reason.ARRIVED} & reasons(found)


def test_a_put_back_that_chooses_a_piece_is_no_capture_over_the_border() -> None:
    put_back = ((6_500, "-h1"), (7_000, "+h1"), (7_060, "-g2"))
    assert Reason.UNTOUCHED in reasons(weighed(CHOICE, "h2h1q", "g2h1", *put_back))
    other = "4k3/8/8/8/8/7r/6K1/8 b - - 0 1"
    found = weighed(other, "h3h1", "g2h1", *put_back)
    assert {Reason.EMPTIED, Reason.ARRIVED, Reason.BRIDGED} <= reasons(found)


@pytest.mark.parametrize(("left_ms", "has_left"), [(6_030, False), (6_200, True)])
def test_no_piece_has_left_a_square_that_was_closed_for_a_glance(
    left_ms: int, has_left: bool
) -> None:
    position = parse_fen(START)
    root = Hypothesis.root(position, 0)
    state = replace(root.state, took_back=True, left_us=5_900_000, landed_us=6_000_000)
    state.since_us = {**state.since_us, SWITCH_BY_NAME["e2"]: 6_000_000}
    hypothesis = root.played(parse_uci(position, "e2e4"), root.state).taken_back(state)
    trace = Trace(0, Occupancy(position.occupied))
    for t_ms, word in ((5_000, "-e2"), (6_000, "+e2"), (left_ms, "-e2"), (7_000, "+e3")):
        trace.append(Edge(t_ms * 1000, SWITCH_BY_NAME[word[1:]], closed=word[0] == "+"))
    found = explain(hypothesis, parse_uci(position, "e2e3"), trace)
    assert (found is not None) is has_left


def test_a_piece_that_was_back_may_be_in_a_hand_again() -> None:
    position = parse_fen(PASSING)
    root = Hypothesis.root(position, 0)
    hypothesis = root.played(parse_uci(position, "e5d6"), root.state)
    trace = Trace(0, Occupancy(hypothesis.position.occupied))
    for second, touch in enumerate(("-d6", "+e5", "+d5", "-d5"), 2):
        trace.append(Edge(second * 1_000_000, SWITCH_BY_NAME[touch[1:]], closed=touch[0] == "+"))
    found = explain_take_back(hypothesis, trace)
    assert found is not None
    assert Reason.RESTORED in reasons(found)
    assert found.pending_edges == {}


ROCKS = "4k3/8/8/8/4n3/8/2P3N1/4K3 w - - 0 1"


def test_a_piece_put_back_long_before_took_nothing_that_was_adjusted_since() -> None:
    """The knight rocks, the pawn comes and is adjusted, and only then is it taken unseen."""
    touches = ((1_000, "-e4"), (1_120, "+e4"), (6_300, "-c3"), (6_400, "+c3"), (8_000, "-e4"))
    found = reasons(weighed(ROCKS, "c2c3", "e4c3", *touches))
    assert Reason.UNTOUCHED in found
    assert not {Reason.EARLY, Reason.EMPTIED} & found


@pytest.mark.parametrize(("left_ms", "is_before"), [(5_990, False), (4_500, True)])
def test_an_unseen_capture_came_after_the_previous_ply_unless_the_hands_rested(
    left_ms: int, is_before: bool
) -> None:
    found = reasons(weighed(ROCKS, "c2c3", "e4c3", (left_ms, "-e4")))
    assert {Reason.UNTOUCHED, Reason.HASTY} <= found
    assert (Reason.OUT_OF_ORDER in found) is is_before


def test_a_piece_that_stood_for_a_glance_has_left_then_if_no_later_than_the_ply_before() -> None:
    """It rocks on the square where it stands again for only 8 ms before it goes."""
    touches = ((1_000, "-e8"), (6_500, "+e8"), (6_508, "-e8"), (6_600, "+d8"))
    found = weighed(ROCKS, "c2c3", "e8d8", *touches)
    assert Reason.EARLY not in reasons(found)
    assert found is not None
    assert found.left_us == 6_508_000
