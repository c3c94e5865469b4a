"""Minds are changed, moves taken back, pieces adjusted; the record follows the hands."""

from __future__ import annotations

import pytest

from boardfw.game.events import Moved
from tests.dances import Table


def test_back_and_forth_is_the_same_move_in_the_end() -> None:
    table = Table()
    table.move("e2e4 e7e5")
    table.play("-d1 +h5 3000 -h5 +d1 1000 -d1 +h5")
    assert table.moves == "e2e4 e7e5 d1h5"


def test_a_quiet_move_becomes_a_capture() -> None:
    table = Table()
    table.move("e2e4 d7d5 b1c3 g8f6")
    assert table.play("-c3 +b5 90 -b5 -d5 +d5") == ["move 5 c3b5", "amend 5 c3d5"]


def test_a_quiet_move_that_was_final_is_taken_back_before_it_becomes_a_capture() -> None:
    table = Table()
    table.move("e2e4 d7d5 b1c3 g8f6")
    assert table.play("-c3 +b5") == ["move 5 c3b5"]
    assert table.play("-b5 -d5 +d5 1200") == ["take_back 1", "move 5 c3d5"]


GAME = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5"]
UNDONE = ["-a5 +d5", "-c3 +b1", "-d5 +d8 +d5", "-d5 +e4 +d5", "-d5 +d7", "-e4 +e2"]
"""How the plies of the game are undone, the last one first."""


@pytest.mark.parametrize("plies", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("pause", ["300", "1500"])
def test_as_many_plies_as_are_undone_are_taken_back(plies: int, pause: str) -> None:
    table = Table()
    table.move(" ".join(GAME))
    kept = len(GAME) - plies
    said = table.play(f"2000 {f' {pause} '.join(UNDONE[:plies])} 900")
    assert table.moves == " ".join(GAME[:kept])
    assert {word.split()[0] for word in said} == {"take_back"}
    other = "g1f3" if kept % 2 == 0 else "g8f6"
    assert table.move(other) == [f"move {kept + 1} {other}"]
    (undone,) = [u for u in table.session.record.history if u.ply == kept]
    assert undone.moves[0].uci() == GAME[kept], "what was taken back stays as history"


def test_two_players_who_take_back_with_one_hand_each_begin_no_new_game() -> None:
    table = Table()
    table.move("e2e4 e7e5")
    table.play("-e5 -e4 +e7 +e2")
    assert table.moves == ""
    assert len(table.session.games) == 1


@pytest.mark.parametrize("undo", ["-d5 +e4 +d5", "-d5 +d5 +e4"])
def test_the_two_pieces_of_a_capture_go_back_in_either_order(undo: str) -> None:
    table = Table()
    table.move("e2e4 d7d5 e4d5")
    assert table.play(undo) == ["take_back 1"]
    assert table.move("b1c3") == ["move 3 b1c3"]


CASTLED = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1"


@pytest.mark.parametrize("undo", ["-g1 -f1 +e1 +h1", "-f1 +h1 -g1 +e1", "-g1 +e1 -f1 +h1"])
def test_castling_is_taken_back_in_any_order(undo: str) -> None:
    table = Table()
    table.move(CASTLED)
    table.play(undo)
    assert table.moves == CASTLED[:-5]
    assert table.move("d2d3 a7a6 e1g1")[-1] == "move 9 e1g1"  # the right to castle is back


@pytest.mark.parametrize("undo", ["-d6 +e5 +d5", "+d5 -d6 +e5"])
def test_an_en_passant_capture_is_taken_back_and_played_again(undo: str) -> None:
    table = Table()
    table.move("e2e4 a7a6 e4e5 d7d5 e5d6")
    assert table.play(undo) == ["take_back 1"]
    assert table.play("-e5 +d6 -d5") == ["move 5 e5d6"]


@pytest.mark.parametrize("bounce", [False, True])
@pytest.mark.parametrize(
    "dance",
    [
        "-g1 +g1",
        "-g1 20000 +g1",
        "-g8 +g8",
        "-e1 +e1 -d8 +d8",
        "-g8 -g1 +g8 -b1 +b1 +g1",
        "-g8 -g1 -f1 2000 +g8 +f1 +g1",
        "-e7 +e7 -e2 +e2",
        "~e2 ~e7 ~e4 ~e5",
        "-d8 -d7 -e7 1000 +d8 +e7 +d7",  # knocked over
    ],
)
def test_pieces_touched_and_put_back_are_neither_a_move_nor_an_error(
    dance: str, bounce: bool
) -> None:
    table = Table(bounce=bounce)
    assert table.play(dance) == []
    assert table.move("e2e4") == ["move 1 e2e4"]
    assert table.play(dance.replace("e2", "e4").replace("~e4 ~e5", "~e5")) == []
    assert table.move("e7e5") == ["move 2 e7e5"]


def test_every_ply_counts_from_when_it_became_known() -> None:
    table = Table()
    table.move("e2e4 e7e5")
    known = [action.t_us for action in table.actions if isinstance(action, Moved)]
    assert list(table.session.record.times_us) == known


def test_a_capture_half_taken_back_undoes_only_what_was_undone() -> None:
    """The rook is back, the captured piece not yet: no other game may be told meanwhile."""
    table = Table("8/6k1/7p/8/2Q2p2/5R2/6PP/7K b - - 1 9")
    table.play("-g7 300 +h7 60 -f4 120 -f3 120 +f4 429 -h7 120 +g6 333")
    assert table.moves == "g7h7 f3f4 h7g6"
    said = table.play("-g6 1033 +h7 300 -f4 676 +f3 1033 +f4 2000")
    undone = [word.split() for word in said if word.startswith(("take_back", "move"))]
    assert {what for what, *_ in undone} == {"take_back"}
    assert sum(int(plies) for _, plies in undone) == 2
    assert table.moves == "g7h7"
