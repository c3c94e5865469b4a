"""What edges tell beside plies: put-backs, pieces on their path, pieces gone at once."""

from __future__ import annotations

import pytest

from boardfw.inference.evidence import Reason
from boardfw.inference.explain import explain
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.tracker import Tracker
from boardfw.notation.fen import parse_fen
from boardfw.sensing.debounce import Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import NAMES, NO_SWITCHES, SWITCH_BY_NAME, Occupancy

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CAPTURE = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
PROMOTION = "4k3/8/8/8/8/8/6Kp/8 b - - 0 1"
TWO_CAPTURED_PIECES = "6k1/5ppp/3p4/8/8/8/5PPP/n2R2K1 w - - 0 1"
BEGUN_US = 1_000_000
STEP_US = 300_000


def read(fen: str, dance: str) -> Tracker:
    """A tracker to which ``-e2 60 +e4`` was told: 60 ms pass between the two, else 300 ms."""
    position = parse_fen(fen)
    tracker, t_us, gap_us = (
        Tracker.of(position, Trace(0, Occupancy(position.occupied))),
        BEGUN_US,
        0,
    )
    for token in dance.split():
        if token.isdigit():
            gap_us = int(token) * 1000
            continue
        t_us += gap_us
        tracker.feed(Edge(t_us, SWITCH_BY_NAME[token[1:]], closed=token[0] == "+"))
        gap_us = STEP_US
    return tracker


def game(tracker: Tracker, moves: str) -> Hypothesis:
    """The hypothesis alive that tells these moves."""
    return next(hypothesis for hypothesis in tracker.hypotheses if told(hypothesis) == moves)


def told(hypothesis: Hypothesis) -> str:
    return " ".join(move.uci() for move in hypothesis.moves)


def found(hypothesis: Hypothesis, reason: Reason) -> list[str]:
    """Where this was found in the hypothesis, since its last ply."""
    return [
        "" if one.switch is None else NAMES[one.switch]
        for one in hypothesis.state.found
        if one.reason is reason
    ]


# --- put-backs


@pytest.mark.parametrize(
    ("dance", "adjusted"),
    [
        ("-g1 +g1", ["g1"]),
        ("-e7 +e7", ["e7"]),
        ("-e2 -e7 +e2", []),  # one of them is still in a hand
        ("-e2 -e7 +e2 +e7", ["e2", "e7"]),
        ("-g1 +g3 -g3 +g1", ["g1"]),  # shown by mistake where it may not go
        ("-g1 +f3 -f3 +g1", []),  # it may go there: it was a move, and its undoing
        ("-g8 +f6 -f6 +g8", []),  # nor does it count of a piece that is not to move
    ],
)
def test_pieces_put_back_speak_for_the_game_in_which_they_stand_there(
    dance: str, adjusted: list[str]
) -> None:
    untouched = [
        hypothesis for hypothesis in read(START, dance).hypotheses if told(hypothesis) == ""
    ]
    assert [found(hypothesis, Reason.ADJUSTED) for hypothesis in untouched] == [adjusted] * len(
        untouched
    )
    assert untouched


def test_each_piece_put_back_earns_something() -> None:
    two = game(read(START, "-e2 -e7 +e2 +e7"), "").state.score
    assert two == 2 * game(read(START, "-e2 +e2"), "").state.score > 0


def test_edges_that_a_ply_has_used_are_no_put_back() -> None:
    tracker = read(CAPTURE, "-d5 +d5 60 -e4")  # or did the pawn arrive before it left?
    assert found(game(tracker, ""), Reason.ADJUSTED) == ["d5"]
    hypothesis = game(tracker, "e4d5")
    assert found(hypothesis, Reason.USED) == ["d5"]
    evidence = explain(game(read(CAPTURE, ""), ""), hypothesis.moves[0], tracker.trace)
    assert evidence is not None
    assert hypothesis.state.score == pytest.approx(evidence.score), "each edge counts once"


def test_a_put_back_that_chooses_a_piece_is_made_by_hands_that_do_nothing_else() -> None:
    chosen = "-h2 +h1 -h1 +h1"
    assert found(game(read(PROMOTION, chosen), "h2h1q"), Reason.ADJUSTED) == ["h1"]
    beside = "-h2 +h1 -h1 -e8 +h1 +e8"
    assert found(game(read(PROMOTION, beside), "h2h1q"), Reason.ADJUSTED) == ["e8"]


@pytest.mark.parametrize(("missing", "adjusted"), [("", ["g1"]), ("a2", [])])
def test_a_hypothesis_with_a_dead_switch_earns_by_put_backs_only_what_the_best_does(
    missing: str, adjusted: list[str]
) -> None:
    """A hypothesis that ignores that switch would find all right too easily."""
    position, a2 = parse_fen(START), 1 << SWITCH_BY_NAME["a2"]
    standing = Occupancy(position.occupied) & ~(a2 if missing else NO_SWITCHES)
    tracker = Tracker.of(position, Trace(0, standing))
    best = tracker.hypotheses[0]
    doubting = best.distrusting(a2, worked=a2 if missing else NO_SWITCHES)
    tracker.hypotheses.append(doubting)
    for t_us, closed in ((100_000, False), (400_000, True)):  # before the hands are said to rest
        tracker.feed(Edge(t_us, SWITCH_BY_NAME["g1"], closed=closed))
    assert {best, doubting} <= set(tracker.hypotheses)
    assert found(best, Reason.ADJUSTED) == found(doubting, Reason.ADJUSTED) == adjusted


def test_a_ply_that_is_taken_back_takes_its_suspicion_back() -> None:
    """A queen hangs in the air while a king goes back and forth, and then stands again."""
    position = "4k2r/8/8/8/3Q4/8/4P3/4K3 w - - 0 1"
    tracker = read(position, "-e2 +e3 -e8 +e7 -d4 -e7 +e8 900 -e8 +e7 900 +d4 900 -d4 +d5")
    assert told(tracker.best) == "e2e3 e8e7 d4d5"
    assert not any(hypothesis.state.dead for hypothesis in tracker.hypotheses)


# --- pieces seen on their path


def test_a_piece_is_seen_on_each_square_of_its_path() -> None:
    slid = game(read(TWO_CAPTURED_PIECES, "-d1 60 +d2 60 -d2 60 +d3 60 -d3 60 +d4"), "d1d4")
    assert found(slid, Reason.PASSED) == ["d2", "d3"]
    lifted = game(read(TWO_CAPTURED_PIECES, "-d1 +d4"), "d1d4")
    assert found(lifted, Reason.PASSED) == []
    assert slid.state.score > lifted.state.score


def test_a_piece_that_captures_by_an_unseen_push_is_seen_on_its_path() -> None:
    tracker = read(TWO_CAPTURED_PIECES, "-d1 60 +d3 60 -d3 60 +d4 60 -d4")
    assert found(game(tracker, "d1d6"), Reason.PASSED) == ["d3", "d4"]
    assert found(game(tracker, "d1a1"), Reason.PASSED) == []


@pytest.mark.parametrize("rested_ms", [60, 1200, 30_000])
def test_a_piece_passed_over_a_square_however_long_it_rested_there(rested_ms: int) -> None:
    passed = game(read(TWO_CAPTURED_PIECES, f"-d1 60 +d3 {rested_ms} -d3 60 +d4"), "d1d4")
    assert found(passed, Reason.PASSED) == ["d3"]


def test_its_path_over_the_border_is_nothing_that_stood_wrong_when_it_left() -> None:
    """A magnet on the border of two squares closes the next one before its own opens."""
    way = "+d2 20 -d1 60 -d2 60 +d3 60 -d3 60 +d4"
    assert found(game(read(TWO_CAPTURED_PIECES, way), "d1d4"), Reason.IGNORED) == []
    elsewhere = "+b4 20 -d1 60 -b4 60 +d3 60 -d3 60 +d4"
    assert found(game(read(TWO_CAPTURED_PIECES, elsewhere), "d1d4"), Reason.IGNORED) == ["b4"]
