"""Kings that have shown a result go home, and the session plays on by the reader on trial."""

from __future__ import annotations

import pytest

from tests.dances import Table

OPENING = "e2e4 e7e5 g1f3 b8c6"
SHOWN = "-e1 300 -e8 300 +d4 300 +d5 4000"
HOME = "-d4 300 -d5 300 +e1 300 +e8 2000"


@pytest.fixture
def table(on_trial: None) -> Table:
    """A board at which the kings have shown a draw and are home again."""
    table = Table()
    table.move(OPENING)
    table.play(SHOWN)
    assert table.result == "1/2-1/2 kings"
    table.play(HOME)
    return table


def test_play_withdraws_the_result(table: Table) -> None:
    table.play("-f1 300 +b5 3000")
    assert table.result == "1/2-1/2 kings"
    table.play("-a7 300 +a6 3000 -b5 300 +a4 3000")
    assert table.result == "*"
    assert table.moves == f"{OPENING} f1b5 a7a6 b5a4"


def test_pieces_that_go_home_by_legal_moves_do_not(table: Table) -> None:
    table.play("-f3 300 +g1 3000 -c6 300 +b8 3000")
    assert table.result == "1/2-1/2 kings"
    assert table.moves == OPENING


def test_a_result_holds_if_what_followed_is_undone_before_setting_up(table: Table) -> None:
    table.play("-f3 300 +g5 3000 -c6 300 +d4 3000")
    assert table.result == "*"
    table.play("-d4 300 +c6 3000 -g5 300 +f3 3000")
    table.play("-e4 -e5 -f3 -c6 500 +e2 +e7 +g1 +b8 3000")
    first, last = table.session.games
    assert first.outcome is not None
    assert first.outcome.result == "1/2-1/2"
    assert last.outcome is None
