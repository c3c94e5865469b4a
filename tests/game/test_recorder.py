"""The recorder: the one writer of a record, which is append-only."""

from __future__ import annotations

import ast
from pathlib import Path

import boardfw
from boardfw.game.clock import parse_control
from boardfw.game.record import ClockSet, PlyTime, Record, Ruled
from boardfw.game.recorder import Recorder
from boardfw.rules import Outcome
from tests.game.records import LONG_US, game, pgn, record

RULED = Ruled(5, 2, "Berg", "both say so", "2.Nf3 dropped")


def test_one_file_alone_writes_the_record() -> None:
    fields = set(Record.__dataclass_fields__)
    product = Path(boardfw.__file__).parent
    writers = {
        str(file.relative_to(product))
        for file in product.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
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
