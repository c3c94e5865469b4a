"""Which lift answers a question; what is asked, and how: ``tests/game/test_question.py``."""

from __future__ import annotations

import pytest

from boardfw.inference.evidence import Reason
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.question import Question
from boardfw.inference.tracker import Tracker
from boardfw.notation.fen import parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.sensing.debounce import Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import SWITCH_BY_NAME


@pytest.mark.parametrize(("game", "answers"), [("e4d5", True), ("e4d5 d8d5", False)])
def test_a_piece_that_came_to_a_lit_square_later_was_not_asked_about(
    game: str, answers: bool
) -> None:
    position = parse_fen("3qk3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1")
    hypothesis, question = Hypothesis.root(position, 0), Question()
    for text in game.split():
        hypothesis = hypothesis.played(
            parse_uci(hypothesis.position, text), hypothesis.state.copy()
        )
    question.candidates = tuple(parse_uci(position, text) for text in ("e4d5", "e4f5"))
    question.touch(
        Edge(1_000_000, SWITCH_BY_NAME["d5"], closed=False),
        Tracker([hypothesis], Trace(0, hypothesis.expected)),
    )
    assert (Reason.ANSWERED in [found.reason for found in hypothesis.state.found]) == answers
