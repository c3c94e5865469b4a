"""What hands answer, task by task: right early, wrong late, touches free."""

from __future__ import annotations

import pytest

from boardfw.learning.lesson import Kind
from boardfw.learning.task import (
    All,
    Find,
    Line,
    May,
    OneMove,
    Place,
    Reach,
    Stars,
    State,
    Task,
    Touch,
    Verdict,
)
from boardfw.lights.cue import Cue
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import parse_san
from boardfw.rules import WHITE
from boardfw.sensing.debounce import SETTLE_US
from boardfw.squares import BY_NAME, Square
from tests.learning.classroom import START, Classroom, exercise, move, squares

ROOK = "7k/8/8/8/8/8/2R5/K7 w - - 0 1"
KING = "8/8/3q4/1Pk5/3r4/8/8/6K1 b - - 0 1"
BACK_RANK = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
KNIGHT = "4k3/8/8/8/4N3/8/8/4K3 w - - 0 1"
THROUGH = "3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1"
FREE = "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
MATED = "R2k4/8/8/5B2/8/8/2Q5/4R1K1 b - - 0 1"
DEAD = "8/8/4k3/8/8/4K3/8/8 w - - 0 1"
GOING = "8/8/4k3/8/8/4KR2/8/8 w - - 0 1"
STEP = "4k3/2p5/8/1P6/8/8/8/4K3 b - - 0 1"
BLOCKED = "4k3/8/8/8/8/2n5/2P5/4K3 w - - 0 1"


def sq(name: str) -> Square:
    return BY_NAME[name]


def test_squares_are_found_one_after_the_other_and_a_wrong_one_only_after_a_rest() -> None:
    room = Classroom(exercise(START, Find((sq("e4"), sq("d5")))))
    assert room.kinds("-e2 200 +e3 300 -e3 100 +e4") == []  # e4 has not settled
    assert room.kinds("100 -e4 100") == ["right"]
    assert room.kinds("+f5 600") == ["wrong"]
    assert room.kinds("-f5 100 +d5 100") == ["solved"]


def test_a_piece_that_is_named_is_lifted() -> None:
    room = Classroom(exercise(START, Find((sq("b1"),))))
    assert room.kinds("-g1 900 +g1 1600") == ["wrong"]
    assert room.kinds("-b1 100") == ["solved"]


def test_pieces_are_touched_in_any_order_and_a_short_touch_is_adjusting() -> None:
    room = Classroom(exercise(START, Touch(squares("d1 d8"))))
    assert room.kinds("-d8 600 +d8 2000 -d1 100 +d1 2000") == []
    assert room.kinds("-d8 800 +d8 2000") == ["right"]
    assert room.kinds("-d8 800 +d8 2000") == []  # found already, no error
    assert room.kinds("-c1 800 +c1 2000") == ["wrong"]
    assert room.kinds("-d1 800 +d1 2000") == ["solved"]


def test_a_touch_is_taken_back_by_lifting_the_piece_again_but_not_by_another_piece() -> None:
    room = Classroom(exercise(START, Touch(squares("d1 d8"))))
    assert room.kinds("-c1 800 +c1 1000 -c1 500 +c1 2000") == []
    assert room.kinds("-d8 800 +d8 1000 -d8 100 +d8 1000") == []  # adjusted: it ripens again
    assert room.kinds("600") == ["right"]
    assert room.kinds("-d1 800 +d1 1000 -e2 200 +e2 1000") == ["solved"]


def test_the_opponents_king_says_that_there_is_no_piece() -> None:
    room = Classroom(exercise(BLOCKED, Reach(sq("c2"), 0)))
    assert room.kinds("-e8 800 +e8 2000") == ["solved"]
    room = Classroom(exercise(START, Touch(squares("d1"))))
    assert room.kinds("-e8 800 +e8 2000") == ["wrong"]


def test_a_piece_is_touched_down_wherever_it_may_go_and_brought_home() -> None:
    wanted = squares("b5 b6 c6 d5 b4 c3")
    room = Classroom(exercise(KING, Reach(sq("c5"), wanted)))
    assert room.kinds("-c5 100 +c6 100 -c6 +d5 100 -d5 +b6 100 -b6 +b4 100 -b4") == ["right"] * 4
    assert room.kinds("+e5 600 -e5") == ["wrong"]
    assert room.kinds("+c3 100 -c3") == ["right"]
    assert room.kinds("-b5 20 +b5 100") == ["right"]  # as if it captured the pawn
    assert room.kinds("+c5 100") == ["solved"]


def test_a_piece_that_may_be_captured_may_also_be_lifted_and_put_back() -> None:
    room = Classroom(exercise(KING, Reach(sq("c5"), squares("b5"))))
    assert room.kinds("-d6 800 +d6 2000") == ["wrong"]
    assert room.kinds("-b5 800 +b5 1600") == ["right", "solved"]


def test_stars_are_visited_by_moves_of_the_pieces() -> None:
    room = Classroom(exercise(ROOK, Stars(squares("c6 f6"), 2)))
    assert room.kinds("-c2 100 +c6 300") == ["right"]
    assert room.kinds("-c6 100 +e7 600") == ["wrong"]
    assert room.kinds("-e7 100 +c6 300 -a1 100 +b1 600") == ["wrong", "hint"]  # kings stand still
    assert room.kinds("-b1 100 +a1 300 -c6 100 +f6 300") == ["solved"]
    assert room.tutor.results[-1].moves == 2


def test_stars_are_captured_and_what_was_captured_may_be_put_back() -> None:
    room = Classroom(exercise("7k/8/3n4/4b3/3r4/4P3/8/K7 w - - 0 1", Stars(squares("d4 e5"), 2)))
    assert room.kinds("-d4 -e3 100 +d4 800") == ["right"]
    assert room.kinds("-d4 100 +d5 300 -d5 100 +d4 300") == []  # a pawn that walks back
    assert room.kinds("-e5 -d4 100 +e5 800") == ["solved"]


def test_a_captured_piece_may_be_put_back_later_than_the_capturing_piece() -> None:
    fen = "7k/8/8/8/8/3p4/2P5/K7 w - - 0 1"
    room = Classroom(exercise(fen, Stars(squares("c3 c4"), 2)))
    assert room.kinds("-d3 -c2 +d3 800") == []
    assert room.kinds("-d3 +c2 3000 +d3 500") == []
    assert room.kinds("-c2 +c3 500 -c3 +c4 500") == ["right", "solved"]


def test_a_wrong_move_and_an_illegal_one_go_home_before_the_right_one() -> None:
    room = Classroom(exercise(BACK_RANK, OneMove((move(BACK_RANK, "Ra8#"),))))
    assert room.kinds("-a1 100 +a7 600") == ["wrong"]
    assert room.kinds("-a7 100 +a8 1000") == []  # first it goes home
    assert room.kinds("-a8 100 +a1 600 -a1 100 +b8 600") == ["wrong", "hint"]
    assert room.kinds("-b8 100 +a1 600 -a1 100 +a8 300") == ["solved"]


def test_a_pawn_that_becomes_the_wrong_piece_is_told_so() -> None:
    fen = "8/q1P1k3/8/8/8/8/8/4K3 w - - 0 1"
    room = Classroom(exercise(fen, OneMove((move(fen, "c8=N+"),))))
    said = "wrong: No: the pawn goes there, but is to become another piece."
    assert room.dance("-c7 +c8 6000") == [said, "put: Take the queen on c8 off the board."]
    assert room.kinds("-c8 +c7 800") == []
    assert room.kinds("-c7 +c8 500 -c8 300 +c8 500 -c8 300 +c8 600") == ["solved"]


def test_a_pawn_that_becomes_another_piece_than_the_lights_show_is_told_so() -> None:
    fen = "8/8/8/8/8/6K1/k1p5/8 w - - 0 1"
    mine = move(fen, "Kf4")
    shown = move("8/8/8/8/5K2/8/k1p5/8 b - - 1 1", "c1=N")
    room = Classroom(exercise(fen, Line(((mine,), (shown,)), WHITE)))
    assert "become another piece" in room.dance("-g3 +f4 1000 -c2 +c1 6000")[-2]
    room.dance("-c1 +c2 1000 -c2 +c1 500 -c1 300 +c1 500 -c1 300 +c1 6000")
    assert [result.errors for result in room.tutor.results] == [0]


def test_all_moves_are_played_and_each_is_taken_back() -> None:
    moves = (move(KNIGHT, "Nf6+"), move(KNIGHT, "Nd6+"))
    room = Classroom(exercise(KNIGHT, All(moves)))
    assert room.lit(Cue.COUNTER) == squares("a7 b7")  # so many are left
    assert room.kinds("-e4 100 +f6 400 -f6 100 +e4 400") == ["right"]
    assert room.lit(Cue.COUNTER) == squares("a7")
    assert room.kinds("-e4 100 +f6 400 -f6 100 +e4 400") == []  # no error
    assert room.kinds("-e4 100 +c5 600 -c5 100 +e4 400") == ["wrong"]
    assert room.kinds("-e4 100 +d6 400") == ["solved"]


def test_what_is_not_allowed_is_answered_by_the_other_sides_king() -> None:
    room = Classroom(exercise(THROUGH, May(sq("e1"), sq("c1"), False)))
    assert room.kinds("-e1 100 +c1 -a1 100 +d1 600") == ["wrong"]
    assert "d1" in room.told[-2].text
    assert room.kinds("-d1 100 +a1 -c1 100 +e1 600 -e8 800 +e8 1600") == ["solved"]


@pytest.mark.parametrize("fen", [THROUGH, FREE])
@pytest.mark.parametrize("held_ms", [300, 900, 2500, 9000])
def test_holding_the_piece_that_is_asked_about_is_no_answer(fen: str, held_ms: int) -> None:
    room = Classroom(exercise(fen, May(sq("e1"), sq("c1"), fen == FREE)))
    assert room.kinds(f"-e1 {held_ms} +e1 6000") == []


@pytest.mark.parametrize(
    "dance", ["-e1 100 +c1 900 -a1 100 +d1 300", "-a1 100 +d1 900 -e1 +c1 300"]
)
def test_castling_may_rest_half_way(dance: str) -> None:
    room = Classroom(exercise(FREE, May(sq("e1"), sq("c1"), True)))
    assert room.kinds(dance) == ["solved"]


def test_what_is_allowed_is_done_not_put_back() -> None:
    room = Classroom(exercise(FREE, May(sq("e1"), sq("c1"), True)))
    assert room.kinds("-e8 800 +e8 1600 -e1 100 +d1 600") == ["wrong", "wrong", "hint"]


@pytest.mark.parametrize(
    ("fen", "state", "right", "wrong"),
    [
        (MATED, State.MATE, "-d8 800 +d8", ["-d8 100 +d7", "-d8 800 -g1 800 +g1 100 +d8"]),
        (DEAD, State.DRAW, "-e3 800 -e6 800 +e6 200 +e3", ["-e3 800 +e3", "-e3 100 +d3"]),
        (GOING, State.GOES_ON, "-f3 100 +f4", ["-e3 800 +e3", "-e6 800 -e3 800 +e3 +e6"]),
    ],
)
def test_mate_draw_or_neither(fen: str, state: State, right: str, wrong: list[str]) -> None:
    room = Classroom(exercise(fen, Verdict(state)))
    for dance in wrong:
        assert room.kinds(f"{dance} 2000")[0] == "wrong", dance
        home = " ".join(_home(dance))
        room.dance(f"{home} 600")
    assert "solved" in room.kinds(f"{right} 2000")


def _home(dance: str) -> list[str]:
    """Back from a move of one piece."""
    steps = [step for step in dance.split() if not step.isdigit()]
    lifted, put = steps[0][1:], steps[-1][1:]
    return [] if "-" + put in steps else [f"-{put}", f"+{lifted}"]


def test_a_line_shows_the_other_sides_plies_and_asks_for_yours() -> None:
    first = move(STEP, "c5")
    after = exercise(STEP, Touch(0)).position.play(first)
    takes = next(m for m in after.legal_moves() if m.is_en_passant)
    room = Classroom(exercise(STEP, Line(((first,), (takes,)), 0), you=0))
    assert room.kinds("-c7 100 +c6 600 -c6 100 +c7 600") == ["wrong"]
    assert room.kinds("-c7 100 +c5 600") == []
    assert room.kinds("-b5 100 +b6 600 -b6 100 +b5 600") == ["wrong"]
    assert room.kinds("-b5 100 +c6 600 -c5 800") == ["solved"]
    assert room.tutor.results[-1].errors == 1  # the other side's slip did not count


def test_pieces_are_set_up_and_proved() -> None:
    room = Classroom(exercise(ROOK, Place(guided=True, proof=(squares("a1"),))))
    assert room.kinds("-h8 100 -a1 100 -c2 1000 +a1 200 +d3 600") == ["wrong"]
    assert room.kinds("-d3 200 +h8 200 +c2 400") == ["right"]
    assert room.kinds("-c2 800 +c2 1600") == ["wrong", "hint"]
    assert room.kinds("-a1 800 +a1 1600") == ["solved"]


TASKS: list[tuple[str, Task, str]] = [
    (START, Find((sq("e4"),)), "-e2 200 +e3"),
    (KING, Reach(sq("c5"), squares("c6")), "-c5 200 +e5"),
    (BACK_RANK, OneMove((move(BACK_RANK, "Ra8#"),)), "-a1 200 +a7"),
    (ROOK, Stars(squares("c6"), 1), "-c2 200 +e7"),
]


@pytest.mark.parametrize(("fen", "task", "dance"), TASKS)
def test_wrong_counts_after_half_a_second(fen: str, task: Task, dance: str) -> None:
    room = Classroom(exercise(fen, task))
    room.dance(dance)
    put_us = room.t_us
    room.wait(1000)
    assert 500_000 <= room.when(Kind.WRONG) - put_us <= 530_000


def test_a_touch_ripens_in_a_second_and_a_half_and_right_squares_count_at_once() -> None:
    room = Classroom(exercise(START, Touch(squares("d1 d8"))))
    room.dance("-d1 900 +d1")
    put_us = room.t_us
    room.wait(2000)
    assert abs(room.when(Kind.RIGHT) - put_us - 1_500_000) <= 20_000
    room = Classroom(exercise(START, Find((sq("e4"), sq("d5")))))
    room.dance("-e2 200 +e4")
    put_us = room.t_us
    room.wait(200)
    assert room.when(Kind.RIGHT) - put_us <= SETTLE_US + 25_000


def test_a_line_that_has_gone_on_past_its_end_is_over_whatever_is_touched_next() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    after = parse_fen(fen).play(move(fen, "Ra2"))
    trap = Line(((move(fen, "Ra2"),), (parse_san(after, "Ra7"),)), WHITE, claims=False)
    room = Classroom(exercise(fen, trap))
    assert room.kinds("-a1 300 +a2 1000 -a8 300 +a7 1000 -a2 300 +a1 400")[-1] == "solved"
    assert room.kinds("-a1 300 +a3 200") == []
