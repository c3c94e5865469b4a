"""What has no explanation is shown until it is undone; what is doubtful is asked."""

from __future__ import annotations

import pytest

from boardfw.game.build_view import look
from boardfw.game.events import Asked, Finalised, Moved
from boardfw.game.question import Question
from boardfw.inference.evidence import Reason
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.tracker import Tracker
from boardfw.notation.fen import parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.sensing.debounce import Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import BY_NAME
from tests.dances import Table

TWO_CAPTURED_PIECES = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize("bounce", [False, True])
def test_an_illegal_move_is_shown_after_half_a_second_until_it_is_undone(bounce: bool) -> None:
    table = Table(bounce=bounce)
    assert table.play("-e2 +e5 490") == []
    assert table.play("20") == ["mismatch -e2 +e5"]
    assert table.play("60000") == []
    assert table.play("-e5 +e2") == ["cleared"]
    assert table.move("e2e4") == ["move 1 e2e4"]
    assert table.session.record.history == []


def test_a_pawn_put_down_wrong_and_captured_later_is_not_captured_en_passant() -> None:
    """It went one square too far and back; the piece that captures it is lifted 5 s later."""
    table = Table("4k3/8/8/8/4p3/8/5P2/4K3 w - - 0 1")
    table.play("-f2 450 +f4 1300 -f4 400 +f3 5000 -e4 500 -f3 600 +f3 3000")
    assert table.moves == "f2f3 e4f3"
    assert table.heard(Finalised)[1:] == ["final 1 f2f3", "final 2 e4f3"]


@pytest.mark.parametrize(
    ("fen", "dance", "shown"),
    [
        ("4r1k1/8/8/8/4N3/8/8/4K3 w - - 0 1", "-e4 +f6", "-e4 +f6"),  # pinned
        ("4r1k1/8/8/8/8/8/8/1N2K3 w - - 0 1", "-b1 +c3", "-b1 +c3"),  # still in check
        ("8/8/8/8/8/6k1/8/4K2R w - - 0 1", "-e1 +g1", "-e1 +g1"),  # no longer allowed
    ],
)
def test_what_the_rules_forbid_is_never_recorded(fen: str, dance: str, shown: str) -> None:
    table = Table(fen)
    assert table.play(dance + " 20000")[0] == f"mismatch {shown}"
    assert table.moves == ""


@pytest.mark.parametrize(
    "fen", ["5rk1/8/8/8/8/8/8/4K2R w K - 0 1", "6k1/8/8/8/8/8/8/4K2R w - - 0 1"]
)
@pytest.mark.parametrize("dance", ["-e1 -h1 +g1 +f1", "-e1 +g1 -h1 +f1"])
def test_a_forbidden_castling_is_not_recorded_as_a_move_of_one_of_the_two(
    fen: str, dance: str
) -> None:
    table = Table(fen)
    assert table.play(dance + " 20000") == ["mismatch -e1 -h1 +f1 +g1"]
    assert table.moves == ""


def test_several_wrong_pieces_are_shown_together_and_as_they_change() -> None:
    table = Table()
    assert table.play("-g1 +g3 -b1 +b4 2000") == ["mismatch -b1 -g1 +g3 +b4"]
    assert table.play("-g3 +g1 1000") == ["mismatch -b1 +b4"]
    assert table.play("-b4 +b1") == ["cleared"]


# --- the board asks


def doubtful() -> Table:
    """A pawn left, two pieces that it could capture stand, and neither was seen to leave."""
    table = Table(TWO_CAPTURED_PIECES)
    table.play("-e4 12000")
    return table


def test_two_unseen_captured_pieces_are_asked_about_and_not_guessed_in_silence() -> None:
    table = doubtful()
    assert table.heard(Asked) == ["ask e4d5 e4f5"]
    assert [a.provisional for a in table.actions if isinstance(a, Moved)] == [True]
    assert table.play("20000") == [], "once is enough"


def test_nothing_is_asked_where_one_captured_was_seen() -> None:
    table = Table(TWO_CAPTURED_PIECES)
    table.play("-e4 -f5 +f5 12000")
    assert table.heard(Asked) == []
    assert table.moves == "e4f5"


@pytest.mark.parametrize("captured", ["d5", "f5"])
def test_touching_a_lit_square_decides(captured: str) -> None:
    table = doubtful()
    table.play(f"-{captured} +{captured}")
    assert table.moves == f"e4{captured}"
    assert not look(table.session).candidates
    assert table.move("e8e7") == ["move 2 e8e7"]


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
        Edge(1_000_000, BY_NAME["d5"], closed=False),
        Tracker([hypothesis], Trace(0, hypothesis.expected)),
    )
    assert (Reason.ANSWERED in [found.reason for found in hypothesis.state.found]) == answers


@pytest.mark.parametrize(("button", "captured"), [("answer_1", "d5"), ("answer_2", "f5")])
def test_a_button_decides(button: str, captured: str) -> None:
    table = doubtful()
    table.play(f"!{button}")
    assert table.moves == f"e4{captured}"
    assert table.play("5000") == []
    assert not look(table.session).provisional
    assert table.move("e8e7") == ["move 2 e8e7"]
    assert len(table.heard(Asked)) == 1


def test_an_answer_that_was_not_offered_decides_nothing() -> None:
    table = doubtful()
    table.play("!answer_3 !answer_4")
    assert look(table.session).provisional
    assert look(table.session).candidates


def test_an_answer_is_good_after_the_reply_too() -> None:
    table = doubtful()
    table.play("-e8 +e7 1000 !answer_2 1000")
    assert table.moves == "e4f5 e8e7"


def test_an_answer_pressed_right_after_the_reply_does_not_lose_it() -> None:
    table = doubtful()
    table.play("-e8 +e7 100 !answer_2 1000")
    assert table.moves == "e4f5 e8e7"


def test_a_piece_held_when_the_recording_is_cut_off_has_captured_nothing() -> None:
    table = Table()
    table.move("e2e4 d7d5")
    table.play("-e4 200")
    assert table.finish() == []
    assert table.moves == "e2e4 d7d5"


def test_an_illegal_move_onto_a_square_that_was_asked_about_answers_nothing() -> None:
    table = Table()
    table.move("e2e4 d7d5 e4d5")
    table.play("2000 -a8 +e5 1500 -e5 +a8 2000")
    assert table.moves == "e2e4 d7d5 e4d5"
    assert table.heard(Asked) == []


def test_a_promotion_holds_up_no_later_ply() -> None:
    table = Table("8/P7/7p/7k/8/8/7K/8 w - - 0 1")
    table.play("-a7 +a8 -a8 +a8 -a8 +a8 5000")
    table.move("h5g5 a8c7 g5f5")
    table.play("3000")
    assert [word.split()[2] for word in table.heard(Finalised)] == ["a7a8n", "h5g5", "a8c7", "g5f5"]


def test_a_button_pressed_the_instant_a_piece_stands_does_not_lose_its_ply() -> None:
    table = Table()
    table.play("-e2 +e4 0 !resign_black")
    assert table.moves == "e2e4"


def test_a_slide_past_a_neighbour_leaves_the_rest_of_the_game_alone() -> None:
    table = Table()
    table.play("-d2 20 +d3 30 +d2 0 +d4 40 -d3 20 -d2 2000")
    table.move("d7d5")
    assert table.moves == "d2d4 d7d5"


def test_a_piece_put_back_leaves_what_is_doubtful_open_for_later_play() -> None:
    """The rook went to b1, from where the other one was not seen to leave, or to e8, where it was
    captured: both look alike, until the king steps to g1, impossible with a black rook on b1."""
    table = Table("1rr3k1/5pb1/p2p1qp1/2nP4/2P3P1/3p1N2/P2Q1PBK/1R2R3 b - - 1 28")
    table.play("-b1 1530 -b8 630 +b1 3420 -e1 754 +c1 242 -c1 80 +a1 724 -a1 2858")
    table.play("-c8 914 +e8 2398 -e8 828 +c8 2030 -c8 748 +e8 11080")
    table.play("-h2 1252 +e1 2002 -e1 380 +h2 3180")
    table.play("-h2 578 +g1 12838 -f6 592 +c3 9000")
    assert table.moves == "b8b1 e1b1 c8e8 h2g1 f6c3"


def test_a_piece_that_rests_over_a_border_takes_no_plies_back() -> None:
    """With the queen on both g6 and h6, three plies ago looks the same: the pawn was on h6."""
    table = Table("5rk1/1bq5/1p1n3p/pP1p4/2rP1Pp1/3Q4/P3N1PP/2R2RK1 w - - 0 29")
    table.play("-d3 +g6 2000 -g8 +h8 2000 -h6 -g6 +h6 2000 -h8 +g8 6000")
    table.play("+g6 800 -h6 2000")
    assert table.moves == "d3g6 g8h8 g6h6 h8g8 h6g6"


def test_a_capture_pushed_in_unseen_is_told_by_the_two_plies_after_it() -> None:
    """The rook slid as far as e4, then pushed the pawn off e3 over e2, and stood there."""
    table = Table("k3r3/p7/2p3p1/6N1/8/4P3/Pr6/R4K2 b - - 0 36")
    table.play("-e8 2 +e7 142 +e6 2 -e7 106 +e5 0 -e6 120 +e4 0 -e5 336 -e4 58 +e2 734 -e2 6656")
    table.play("-a1 508 +e1 3894 -e3 322 +g3 3000")
    assert table.moves == "e8e3 a1e1 e3g3"


def test_a_piece_tried_on_empty_squares_does_not_hide_the_game() -> None:
    """The king took unseen; before the bishop's ply it was lifted twice and tried on e3 and c5."""
    table = Table("8/2R2pbk/1pQ1p1pp/8/1P2P3/6P1/5rKP/1B1q4 w - - 0 36")
    table.play("-g2 794 +g2 374 -g2 110 +e2 1644 -e2 4814 -g7 1090 +g7 1760 -g7 1182 +e3 2834 -e3")
    table.play("632 +g7 2552 -g7 1038 +c5 1526 -c5 726 +d4 4000")
    assert table.moves == "g2f2 g7d4"


def test_a_quick_reply_to_a_piece_that_was_tried_elsewhere_is_no_mistake() -> None:
    table = Table("4k3/2p1p1p1/8/1P1P1P1P/1p1p1p1p/8/2P1P1P1/4K3 w - - 0 1")
    told = table.play("300 -e1 300 +a1 496 -a1 300 +d1 300 -e8 496 +d7 6500")
    assert told == ["mismatch -e1 +a1", "cleared", "move 1 e1d1", "move 2 e8d7"]
