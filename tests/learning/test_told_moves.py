"""What lights show is told as well: a lesson may be done by ear."""

from __future__ import annotations

from boardfw.learning.task import Find, Goal, Line, Play
from boardfw.lights.cue import Cue
from boardfw.notation.fen import parse_fen
from boardfw.rules import WHITE
from boardfw.squares import BY_NAME
from tests.learning.classroom import START, Classroom, exercise, move, squares

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
