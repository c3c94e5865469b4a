"""An account says in words what the tracker reckons in numbers: term by term, to the same sum."""

from __future__ import annotations

import pytest

from boardfw.inference.account import Term, account, less, step_of, total, worth
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.tracker import Tracker
from boardfw.notation.uci import parse_uci
from boardfw.players.game_player import hand_moves
from boardfw.recording import START_FEN, parse_trace
from boardfw.rules import Move, Position
from boardfw.sensing.debounce import Blip, Debounce, Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import START
from hardware.sim.board import pieces_of
from hardware.sim.record import simulate

# Captures both ways, castling both ways, en passant, a promotion, checks.
GAME = (
    "e2e4 d7d5 e4e5 f7f5 e5f6 g8f6 g1f3 c8g4 f1e2 b8c6 e1g1 d8d6 b1c3 e8c8 d2d4 g4f3 e2f3 d6e6 "
    "f3d5 f6d5 c3d5 d8d5 c2c4 d5d4 d1d4 c6d4 c1e3 d4e2 g1h1 e2f4 e3f4 e6c4 b2b3 c4f1 a1f1 g7g5 "
    "f4g5 h7h6 g5h6 f8h6 f1e1 h6d2 e1e7 h8h2 h1h2 d2f4 g2g3 f4d6 e7e8 c8d7 h2g2 d7e8 g3g4 e8d7 "
    "g4g5 d7c6 g5g6 c6b5 g6g7 b5b4 g7g8q"
)


def game() -> tuple[Move, ...]:
    position, moves = Position.start(), []
    for text in GAME.split():
        moves.append(parse_uci(position, text))
        position = position.play(moves[-1])
    return tuple(moves)


def switches(kind: str, seed: int) -> list[Edge | Blip]:
    """What the switches do while hands of a kind play the game, as it becomes known."""
    moves = list(hand_moves(Position.start(), game()))
    played = simulate(moves, kind, seed, pieces_of(START_FEN))
    assert parse_trace(played.trace().encode(), "t").complete
    debounce = Debounce(START)
    known = [one for t_us, occupancy in played.scans for one in debounce.feed(t_us, occupancy)]
    return known + debounce.advance(played.end_us)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["careful", "club", "blitz", "child", "wooden"])
def test_the_terms_of_every_rival_add_up_to_its_credit_at_every_moment(kind: str) -> None:
    trace = Trace(0, START)
    tracker = Tracker.of(Position.start(), trace, turnable=True)
    for known in switches(kind, seed=3):
        tracker.feed(known)
        for hypothesis in tracker.hypotheses:
            plies = len(hypothesis.moves)
            for since in {0, plies - 1, plies} if known.t_us % 8 == 0 else {plies - 1}:
                terms = account(hypothesis, tracker, max(since, 0))
                assert total(terms) == pytest.approx(tracker.score_of(hypothesis))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["club", "blitz", "child", "wooden"])
def test_what_a_ply_is_worth_is_told_as_it_was_when_it_was_played(kind: str) -> None:
    tracker = Tracker.of(Position.start(), Trace(0, START))
    told: dict[Hypothesis, list[Term]] = {}
    for known in switches(kind, seed=5):
        tracker.feed(known)
        for hypothesis in tracker.hypotheses:
            if hypothesis.parent is not None:
                terms = told.setdefault(hypothesis, worth(hypothesis))
                assert worth(hypothesis)[: len(terms)] == terms, "what was found stays found"
                assert total(worth(hypothesis)) == pytest.approx(
                    hypothesis.state.score
                    - (hypothesis.state.begun.score if hypothesis.state.begun else 0)
                )
    assert len(told) > 90


def test_a_hypothesis_remembers_each_of_its_plies() -> None:
    tracker = Tracker.of(Position.start(), Trace(0, START))
    for known in switches("careful", seed=1):
        tracker.feed(known)
    moves = tracker.best.moves
    assert moves == game()
    for ply in (1, 20, len(moves)):
        before, after = step_of(tracker.best, ply)
        assert (before.moves, after.moves) == (moves[: ply - 1], moves[:ply])
        assert after.parent is before


def test_what_parts_two_accounts_is_told_from_the_greatest_difference_on() -> None:
    mine = [Term(1.0, "both"), Term(-2.0, "mine"), Term(0.5, "more")]
    other = [Term(1.0, "both"), Term(3.0, "seen"), Term(-1.0, "paid"), Term(0.25, "more")]
    assert less(mine, other) == [
        Term(-3.0, "unexplained: seen"),
        Term(-2.0, "mine"),
        Term(1.0, "not so here: paid"),
        Term(0.25, "more"),
    ]
    assert total(less(mine, other)) == total(mine) - total(other)
