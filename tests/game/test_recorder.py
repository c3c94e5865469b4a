"""The recorder: the one writer of a record, and how it follows hands that change their minds."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import boardfw
from boardfw.game.clock import parse_control
from boardfw.game.events import Moved
from boardfw.game.record import ClockSet, PlyTime, Record, Ruled
from boardfw.game.recorder import Recorder
from boardfw.rules import Outcome
from tests.dances import Table
from tests.game.records import LONG_US, game, pgn, record

RULED = Ruled(5, 2, "Berg", "both say so", "2.Nf3 dropped")


def test_one_file_alone_writes_the_record() -> None:
    fields = set(Record.__dataclass_fields__)
    product = Path(boardfw.__file__).parent
    writers = {
        str(file.relative_to(product))
        for file in product.rglob("*.py")
        if "record" in (text := file.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and node.attr in fields
        and "record" in ast.unparse(node.value)
    }
    assert writers == {"game/recorder.py"}


def test_plies_are_added_with_the_times_at_which_they_became_known() -> None:
    kept = record("e2e4", "e2e4 e7e5", "e2e4 e7e5 g1f3 b8c6")
    assert kept.moves == game("e2e4 e7e5 g1f3 b8c6")
    assert kept.times_us == (LONG_US, 2 * LONG_US, 3 * LONG_US, 3 * LONG_US)
    assert kept.history == []


def test_a_change_tells_how_many_plies_stayed() -> None:
    kept = record("e2e4 e7e5 g1f3")
    assert Recorder(kept).change(9, game("e2e4 e7e5 g1f3 b8c6")) == 3
    assert Recorder(kept).change(9, game("e2e4 c7c5 g1f3 b8c6")) == 1
    assert Recorder(kept).change(9, game("e2e4")) == 1
    assert Recorder(kept).change(9, ()) == 0
    assert kept.times_us == ()


def test_what_was_taken_back_is_history() -> None:
    kept = record("e2e4 e7e5 g1f3", "e2e4", "e2e4 c7c5")
    (undone,) = kept.history
    assert (undone.ply, undone.moves) == (1, game("e2e4 e7e5 g1f3")[1:])
    assert undone.t_us == 2 * LONG_US


def test_plies_that_are_taken_back_one_by_one_are_one_entry_of_history() -> None:
    kept = record("e2e4 e7e5", "e2e4", "", "d2d4", "d2d4 e7e5", "d2d4", "d2d4 g8f6")
    assert [(one.ply, one.moves) for one in kept.history] == [
        (0, game("e2e4 e7e5")),
        (1, game("d2d4 e7e5")[1:]),
    ]
    assert "{taken back: 1.e4 e5} 1. d4 {taken back: 1...e5} 1... Nf6" in pgn(kept)


def test_a_ply_that_becomes_another_amid_others_leaves_what_was_taken_back_behind_them() -> None:
    kept = record("e2e4 e7e5 g1f3", "e2e4 e7e5", "e2e4 c7c5")
    assert [(one.ply, len(one.moves)) for one in kept.history] == [(1, 2)]
    kept = record("e2e4 e7e5 g1f3", "e2e4 e7e5", "d2d4 e7e5")
    assert [(one.ply, len(one.moves)) for one in kept.history] == [(2, 1), (0, 1)]


def test_a_station_on_the_way_is_not() -> None:
    assert record("e2e3", "e2e4").history == []
    assert len(record("e2e3", "d2d4").history) == 1, "another piece: the first one was taken back"


def timed(moves: str, presses: int) -> Recorder:
    """A game whose clock was pressed this often, and set before it began and after each press."""
    recorder = Recorder(record(moves))
    recorder.use_clock(parse_control("300"))
    times = [PlyTime(300 - n, n) for n in range(presses)]
    recorder.note_clock(times, [ClockSet(n, (n, n), (0, 0)) for n in range(presses + 1)])
    return recorder


def test_a_ply_taken_back_takes_its_time_and_the_end_with_it() -> None:
    recorder = timed("e2e4 e7e5 g1f3", presses=3)
    recorder.end(Outcome("1-0", "resignation"))
    recorder.take_back(9)
    kept = recorder.record
    assert (kept.moves, kept.outcome) == (game("e2e4 e7e5"), None)
    assert kept.took_us == (0, 1)
    assert [one.presses for one in kept.clock_sets] == [0, 1, 2]


def test_where_the_clock_was_pressed_less_often_its_times_stay() -> None:
    recorder = timed("e2e4 e7e5 g1f3", presses=1)
    recorder.take_back(9)
    assert recorder.record.took_us == (0,)
    assert [one.presses for one in recorder.record.clock_sets] == [0, 1]


def test_a_clock_set_again_forgets_what_was_set_behind_a_changed_press() -> None:
    recorder = timed("e2e4 e7e5 g1f3", presses=3)
    recorder.set_clock(1, ClockSet(3, (7, 7), (0, 0)))
    assert [one.presses for one in recorder.record.clock_sets] == [0, 1, 3]
    recorder.set_clock(3, ClockSet(1, (8, 8), (0, 0)))
    assert [one.presses for one in recorder.record.clock_sets] == [0, 1]


def test_a_ply_that_was_let_stand_is_against_the_rules_whenever_it_is_there() -> None:
    recorder = Recorder(record("e2e4 e7e5"))
    recorder.rule(RULED, game("e2e4 c7c5"), (1, 5), {1})
    assert recorder.record.illegal == {1}
    recorder.change(6, game("e2e4"))
    assert recorder.record.illegal == frozenset()
    recorder.change(7, game("e2e4 c7c5 g1f3"))
    assert recorder.record.illegal == {1}


def test_all_times_count_from_another_instant() -> None:
    recorder = Recorder(record("e2e4 e7e5", "e2e4"))
    recorder.rule(RULED, game("e2e4"), (LONG_US,), ())
    recorder.shift(-LONG_US)
    kept = recorder.record
    assert (kept.started_us, kept.times_us) == (-LONG_US, (0,))
    assert (kept.history[0].t_us, kept.rulings[0].t_us) == (LONG_US, 5 - LONG_US)


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
