"""Plies that were played while nobody watched are found by where the pieces stand."""

from __future__ import annotations

import pytest

from boardfw.game.events import Finalised, Unwatched
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.unseen_plies import games_unseen
from boardfw.notation.uci import parse_uci
from boardfw.rules import Position
from tests.game.test_resuming import squares
from tests.game.test_unwatched import Board


def found(changed: str, before: str = "") -> set[str]:
    """The plies that change these squares after the plies ``before``."""
    position = Position.start()
    for uci in before.split():
        position = position.play(parse_uci(position, uci))
    start = Hypothesis(position, 0.0, None, None)
    games = games_unseen(start, position.occupied ^ int(squares(changed)), 1_000_000)
    return {" ".join(move.uci() for move in game.moves()) for game in games}


def test_the_shortest_games_that_lead_to_what_stands_are_found() -> None:
    assert found("e2 e4") == {"e2e4"}
    assert found("e2 e4 e7 e5") == {"e2e4 e7e5"}
    assert found("e2 e4 e7 e5 g1 f3") == {"e2e4 e7e5 g1f3", "g1f3 e7e5 e2e4"}


def test_a_capture_changes_one_square_only() -> None:
    assert found("e4", "e2e4 d7d5") == {"e4d5"}


def test_what_more_plies_than_four_would_lead_to_is_not_found() -> None:
    assert found("e2 e4 e7 e5 g1 f3 b8 c6")
    assert not found("e2 e4 e7 e5 g1 f3 b8 c6 f1 c4")


def test_what_no_legal_moves_lead_to_is_not_found() -> None:
    assert not found("e2 e5")


@pytest.mark.usefixtures("on_trial")
def test_plies_of_a_gap_are_found_said_to_be_a_guess_and_not_final() -> None:
    board = Board()
    board.play("-d2 +d4")
    board.wait(3_000)
    board.hide("-g8 +f6 -g1 +f3", 2_000)
    board.play("-e7 +e6")
    board.wait(30_000)
    assert board.moves == "d2d4 g8f6 g1f3 e7e6"
    assert len(board.heard(Unwatched)) == 1
    assert len(board.heard(Finalised)) == 1
