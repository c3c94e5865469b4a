"""A game that is left unfinished: cleared away and set up again, it stays what was played."""

from __future__ import annotations

import pytest

from boardfw.game.events import Finalised, NewGame, Stuck
from boardfw.squares import START, names_of
from tests.dances import Table

PLAYED = "e2e4 e7e5 g1f3"
RUY = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6"
OFF = "-f3 {0} -e5 {0} -e4 {0} -c6 {0} -a1 {0} -h8 {0} -d8 {0} -d1 {0} -g8 {0} -c1"


@pytest.mark.parametrize("pause", ["300", "900", "3000", "9000"])
def test_a_board_that_is_cleared_has_played_nothing_however_slowly(pause: str) -> None:
    table = Table()
    table.move(RUY)
    assert table.play(OFF.format(pause) + " 20000") == []
    table.finish()
    assert table.games == [RUY]
    assert table.heard(Stuck) == []


@pytest.mark.parametrize("pause", ["300", "900", "9000"])
def test_and_set_up_again_it_is_a_new_game(pause: str) -> None:
    table = Table()
    table.move(RUY)
    table.play(OFF.format(pause) + " 2000 -a6")
    missing = names_of(START & ~table.session.standing)
    table.play(f" {pause} ".join(f"+{name}" for name in missing))
    assert [word.split()[2] for word in table.heard(Finalised)] == RUY.split()
    table.move("d2d4")
    assert table.games == [RUY, "d2d4"]


def test_a_capture_that_clearing_feigns_does_not_stay() -> None:
    table = Table()
    game = RUY.removesuffix(" b5c6")
    table.move(game)
    table.play("-e5 -f3 +e5 300 -e4 -c6 -d1 -b7 -c7 600 -e5 -a6 -b5 800")
    table.play("+e2 +b7 +c7 +e7 +f1 +g1 +d1 +b8 +a7")
    assert table.games == [game]
    assert table.heard(NewGame) == ["new_game"]


def test_a_set_up_that_begins_with_the_last_piece_moved_takes_nothing_back() -> None:
    table = Table()
    table.move(PLAYED)
    table.play("-f3 +g1 2000 -e4 -e5 -d2 +d2 +e2 +e7")
    assert table.games == [PLAYED]
    assert table.heard(NewGame) == ["new_game"]


def test_play_goes_on_after_many_pieces_were_off_the_board() -> None:
    table = Table()
    table.move("e2e4 e7e5")
    table.play("-d8 -e8 -f8 -f7 1000 +f7 +e8 +d8 +f8")
    table.move("g1f3 b8c6")
    assert table.games == ["e2e4 e7e5 g1f3 b8c6"]
