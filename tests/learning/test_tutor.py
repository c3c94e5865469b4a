"""How a lesson goes: pieces set up, help asked for, errors and what follows from them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boardfw.learning.lesson import Kind
from boardfw.learning.source import AGAIN_AFTER, InOrder
from boardfw.learning.task import Find, Goal, Line, May, OneMove, Play, Reach, Stars, Task, Touch
from boardfw.lights.cue import Cue
from boardfw.notation.fen import parse_fen
from boardfw.rules import WHITE
from boardfw.squares import BY_NAME
from tests.learning.classroom import START, Classroom, exercise, move, squares

ROOK = "7k/8/8/8/8/8/2R5/K7 w - - 0 1"
BISHOP = "7k/8/8/8/8/8/2B5/K7 w - - 0 1"
FAR = "k7/8/8/8/8/8/2R5/7K w - - 0 1"
BACK_RANK = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
MATE = OneMove((move(BACK_RANK, "Ra8#"),))


def test_the_next_set_up_is_led_from_what_stands_already() -> None:
    room = Classroom(exercise(ROOK, Stars(squares("c6"), 1)), exercise(FAR, Touch(squares("c2"))))
    room.dance("-c2 +c6 3000")
    assert room.phase.value == "setup"
    assert "rook c2" in room.told[-1].text
    game = room.tutor.lesson().game
    assert game.surplus == squares("c6 a1 h8")
    assert len(game.repair) == 3
    room.dance("-a1 -h8 +h1 +a8 -c6 +c2 1000")
    assert room.phase.value == "asked"


def test_a_stranger_on_a_right_square_is_exchanged_first() -> None:
    room = Classroom(exercise(ROOK, Touch(squares("c2"))), exercise(BISHOP, Touch(squares("c2"))))
    room.dance("-c2 800 +c2 5000")
    assert room.phase.value == "setup"  # the same squares are occupied, by another piece
    room.dance("-c2 200 +c2 600")
    assert room.phase.value == "asked"


def test_holding_the_king_gives_a_hint_and_no_error() -> None:
    room = Classroom(exercise(START, Touch(squares("d1 d8"))))
    said = room.dance("-e1 2100")
    assert said == ["hint: Do it. First hint."]
    assert room.kinds("+e1 3000") == []
    assert room.kinds("-e1 2100 +e1 2000") == ["hint"]
    assert room.lit(Cue.AREA)
    assert room.kinds("-d1 800 +d1 2000 -d8 800 +d8 2000") == ["right", "solved"]
    result = room.tutor.results[-1]
    assert (result.errors, result.helps) == (0, 2)


def test_a_king_that_is_an_answer_asks_for_nothing() -> None:
    room = Classroom(exercise(START, Touch(squares("e1 d8"))))
    assert room.kinds("-e1 3000 +e1 2000") == ["right"]


def test_the_ladder_reason_then_place_then_answer() -> None:
    room = Classroom(exercise(BACK_RANK, MATE))
    assert room.dance("-a1 +b3 600")[0].startswith("wrong: No: a rook does not move like that")
    assert room.lit(Cue.WRONG) == squares("b3")
    room.dance("800")
    assert room.lit(Cue.PUT_HERE) == squares("a1")  # the way home
    assert room.kinds("-b3 +a1 400 -a1 +a7 600") == ["wrong", "hint"]
    room.dance("-a7 +a1 2000")
    assert room.lit(Cue.AREA)
    assert room.kinds("-a1 +a6 600 -a6 +a1 4000") == ["wrong", "shown"]
    assert room.lit(Cue.THIS_ONE) == squares("a1")
    assert room.lit(Cue.PUT_HERE) == squares("a8")
    assert room.kinds("-a1 +a8 400") == ["solved"]
    assert room.tutor.results[-1].errors == 3


def test_a_reason_is_lit_on_the_pieces_that_give_it() -> None:
    fen = "4k3/8/8/8/4b3/5R2/6K1/8 w - - 0 1"
    room = Classroom(exercise(fen, OneMove((move(fen, "Kg3"),))))
    room.dance("-f3 +f7 1800")
    assert room.lit(Cue.REASON_PIECE) == squares("e4")
    assert "bishop on e4" in room.told[-2].text


def test_solved_is_a_wave_from_the_square() -> None:
    room = Classroom(exercise(BACK_RANK, MATE))
    room.dance("-a1 +a8 230")
    assert room.lit(Cue.DONE) == squares("a8")
    room.dance("90")
    assert room.lit(Cue.DONE) == squares("a7 b7 b8")
    room.dance("1000")
    assert not room.lit(Cue.DONE)


def test_lights_may_be_silent_until_the_first_error() -> None:
    room = Classroom(exercise(START, Touch(squares("d1")), lights=False))
    assert not room.lit(Cue.COUNTER) | room.lit(Cue.THIS_ONE)
    shown = Classroom(exercise(BACK_RANK, MATE))
    assert shown.lit(Cue.WHO_MOVES) == squares("g1")
    hidden = Classroom(exercise(BACK_RANK, MATE, lights=False))
    assert not hidden.lit(Cue.WHO_MOVES)


def test_a_learner_that_does_nothing_is_asked_once_more_and_then_shown_where_to_look() -> None:
    room = Classroom(exercise(START, Touch(squares("d1 d8"))))
    assert room.dance("19000") == []
    assert room.dance("2000") == ["ask: Do it."]
    assert room.dance("30000") == []
    assert not room.lit(Cue.AREA)
    room.dance("10000")
    assert room.lit(Cue.AREA)


def test_an_exercise_is_skipped_by_asking_on_or_by_a_word() -> None:
    room = Classroom(exercise(START, Touch(squares("d1"))), exercise(START, Find((BY_NAME["e4"],))))
    for _ in range(4):
        room.press("hint")
    assert [told.kind for told in room.told][-4:] == [
        Kind.HINT,
        Kind.HINT,
        Kind.SHOWN,
        Kind.SKIPPED,
    ]
    room.dance("100")
    room.tutor.skip()
    room.dance("100")
    assert [result.is_solved for result in room.tutor.results] == [False, False]
    assert room.phase.value == "over"


def test_what_was_given_up_comes_again_varied_after_some_others() -> None:
    asked = [exercise(START, Touch(squares("d1"))) for _ in range(6)]
    asked = [replace(one, key=f"test.{n}") for n, one in enumerate(asked)]
    varied = replace(asked[0], variant="colours")
    room = Classroom(*asked[:1])
    room.dance("-c1 800 +c1 1600 -b1 800 +b1 1600 -a1 800 +a1 1600 -d1 800 +d1 1600")
    failed = room.tutor.results[-1]
    source = InOrder(asked, [varied])
    source.next(None)
    following = [source.next(failed)] + [source.next(None) for _ in range(AGAIN_AFTER)]
    assert following == [*asked[1 : AGAIN_AFTER + 1], varied]


def test_a_piece_put_back_too_soon_is_mentioned_once_if_the_learner_waits() -> None:
    room = Classroom(exercise(START, Touch(squares("d1 d8"))))
    assert room.kinds("-d1 400 +d1 2000 -d1 400 +d1 2500") == []
    assert room.kinds("1000") == ["hint"]
    assert room.kinds("-d1 400 +d1 5000") == []


def test_forgotten_pieces_are_asked_for() -> None:
    room = Classroom(exercise(START, Touch(squares("d1 d8"))))
    room.dance("-a1 4000")
    assert not room.lit(Cue.PUT_HERE)
    room.dance("1500")
    assert room.lit(Cue.PUT_HERE) == squares("a1")
    room.dance("+a1 100")
    assert not room.lit(Cue.PUT_HERE)


def test_skipping_an_exercise_for_which_the_board_was_turned_keeps_the_pieces() -> None:
    first = exercise("7k/8/8/8/8/8/2R5/K7 w - - 0 1", Touch(squares("c2")))
    turned = exercise("8/8/k7/8/8/8/8/NKN5 w - - 0 1", Touch(squares("a1")))
    as_it_stands = exercise("7K/8/k7/8/8/8/8/NN6 w - - 0 1", Touch(squares("b1")))
    room = Classroom(first, turned, as_it_stands)
    room.dance("1000 -c2 800 +c2 6000")
    # The white king has stood all the time; the others are set up from the other side of the board.
    room.dance("-c2 300 -h8 300 +g8 500 +h3 500 +h8 500")
    room.tutor.skip()
    room.wait(1000)
    assert room.kinds("-g8 800 +g8 2000") == ["solved"]


def test_after_the_other_sides_ply_it_is_your_turn() -> None:
    fen = "4k3/2p5/8/1P6/8/8/8/4K3 b - - 0 1"
    first = move(fen, "c6")
    reply = next(m for m in exercise(fen, MATE).position.play(first).legal_moves() if m.captured)
    room = Classroom(exercise(fen, Line(((first,), (reply,)), 0), you=0))
    assert room.lit(Cue.THIS_ONE) == squares("c7")
    assert room.dance("-c7 +c6 400") == ["ask: Now you: White to move."]
    assert room.lit(Cue.WHO_MOVES) == squares("e1")
    assert room.kinds("-c6 -b5 +c6 1000") == ["solved"]


def test_the_way_home_from_illegal_castling_leads_each_piece_to_its_square() -> None:
    fen = "3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1"
    room = Classroom(exercise(fen, May(BY_NAME["e1"], BY_NAME["c1"], False)))
    room.dance("-e1 +c1 -a1 +d1 2000")
    assert set(room.tutor.lesson().way_home) == {
        (BY_NAME["c1"], BY_NAME["e1"]),
        (BY_NAME["d1"], BY_NAME["a1"]),
    }


def test_what_is_never_solved_comes_again_twice_and_then_another_day() -> None:
    asked = exercise(START, Touch(squares("d1")))
    room = Classroom(asked)
    room.dance("-c1 800 +c1 1600 -b1 800 +b1 1600 -a1 800 +a1 1600 -d1 800 +d1 1600")
    failed = room.tutor.results[-1]
    source = InOrder([asked])
    following = [source.next(last) for last in (None, failed, failed, failed)]
    assert following == [asked, asked, asked, None]


CASTLES = "4k2r/8/8/8/8/8/P7/K7 b k - 0 1"


def test_a_shown_move_of_a_line_is_told_by_its_squares_once() -> None:
    shown = move(CASTLES, "O-O")
    answer = next(m for m in parse_fen(CASTLES).play(shown).legal_moves() if m.uci() == "a2a4")
    room = Classroom(exercise(CASTLES, Line(((shown,), (answer,)), WHITE), you=WHITE))
    told = [told.text for told in room.told]
    assert told == ["Do it.", "Make Black's move: castling, king e8 to g8."]
    assert room.dance("-e8 +g8 300 -h8 +f8 3000") == ["ask: Now you: White to move."]
    assert room.kinds("-a2 +a4 1000") == ["solved"]


def test_what_the_board_plays_is_told_each_time() -> None:
    room = Classroom(exercise("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", Play(Goal.MATE, WHITE, 40)))
    assert room.dance("-g1 +g5 3000") == ["ask: Make Black's move: king h8 to h7."]
    assert room.dance("-h8 +h7 3000") == ["ask: Now you: White to move."]


def test_a_piece_on_a_wrong_square_is_lit_and_is_the_first_hint() -> None:
    room = Classroom(exercise(START, Find((BY_NAME["d5"], BY_NAME["h3"]))))
    assert room.kinds("-e2 +e5 600") == ["wrong"]
    assert room.lit(Cue.WRONG) == squares("e5")
    room.dance("1500")
    assert room.lit(Cue.SURPLUS) == squares("e5")
    room.press("hint")
    assert room.told[-1].text == "First lift the piece on e5."
    assert room.kinds("-e5 300 +d5 300") == ["right"]
    assert room.kinds("-d5 300 +h3 300") == ["solved"]
    assert (room.tutor.results[0].errors, room.tutor.results[0].helps) == (1, 0)


TAKES = "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1"


CAPTURE = OneMove((move(TAKES, "Rxd5"),))


def test_an_opponents_piece_in_the_box_is_named_when_the_task_is_told_again() -> None:
    room = Classroom(exercise(BACK_RANK, MATE))
    assert room.dance("-g7 19000") == []
    assert room.dance("2000") == ["ask: Do it. Off the board: pawn g7."]
    assert room.told[-1].news == "Off the board: pawn g7."  # a screen shows the task above it
    room.press("hint")
    assert (room.told[-1].text, room.told[-1].news) == ("Do it. First hint.", "First hint.")
    assert room.kinds("-a1 300 +a8 3000") == ["solved"]
    assert room.tutor.results[0].errors == 0


@pytest.mark.parametrize("thinks_ms", [5_000, 30_000, 90_000])
def test_a_capture_that_begins_with_its_captured_may_be_thought_over(thinks_ms: int) -> None:
    room = Classroom(exercise(TAKES, CAPTURE))
    assert room.kinds(f"-d5 {thinks_ms}") == []
    assert not room.lit(Cue.PUT_HERE)
    assert room.kinds(f"-d1 {thinks_ms} +d5 1000") == ["solved"]
    assert room.tutor.results[0].errors == 0


def test_a_piece_held_to_be_moved_is_not_off_the_board() -> None:
    room = Classroom(exercise(BACK_RANK, MATE))
    assert room.dance("-a1 21000") == ["ask: Do it."]
    assert room.dance("-g7 21000") == ["ask: Do it."]


def test_a_piece_captured_in_a_line_is_not_named() -> None:
    asked = exercise(TAKES, CAPTURE)
    taken = asked.position.play(move(TAKES, "Rxd5"))
    king = next(one for one in taken.legal_moves() if one.uci() == "e8e7")
    room = Classroom(exercise(TAKES, Line(((move(TAKES, "Rxd5"),), (king,)), WHITE)))
    assert room.dance("-d5 -d1 +d5 21000")[-1] == "ask: Do it."
    assert room.dance("-d5 21000") == ["ask: Do it. Off the board: rook d5."]


@pytest.mark.parametrize(
    ("task", "lifted", "told"),
    [
        (Touch(squares("d1 d8")), "c2 g8", "pawn c2, knight g8"),
        (Reach(BY_NAME["b1"], squares("a3 c3")), "b1 h2", "pawn h2"),
    ],
)
def test_so_is_any_piece_where_no_move_is_asked_for(task: Task, lifted: str, told: str) -> None:
    room = Classroom(exercise(START, task))
    dance = " ".join(f"-{name}" for name in lifted.split())
    assert room.dance(f"{dance} 21000") == [f"ask: Do it. Off the board: {told}."]
