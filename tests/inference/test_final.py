"""When a ply is final: the rule as a table, and the rule at work."""

from __future__ import annotations

import pytest

from boardfw.game.events import Finalised
from boardfw.inference.final import (
    ANSWERED_US,
    DOUBT_US,
    GO_ON_US,
    HELD_US,
    LEAST_US,
    RESTING_US,
    SWAPPED_US,
    TOUCH_US,
    Standing,
    wait_us,
)
from tests.dances import Table
from tests.shell.pupil import Pupil

CASES = [
    # how the ply stands, how long it must stand so
    (Standing(), TOUCH_US),
    (Standing(on_its_way=True), GO_ON_US),
    (Standing(on_its_way=True, tempo_us=1_600_000), 800_000),
    (Standing(on_its_way=True, tempo_us=100_000), LEAST_US),
    (Standing(in_hand=True), GO_ON_US),
    (Standing(odd=True), DOUBT_US),
    (Standing(half_made=True), RESTING_US),
    (Standing(slid=True, on_its_way=True), RESTING_US),
    (Standing(swapped=True), SWAPPED_US),
    (Standing(swapped=True, tempo_us=800_000, slower_us=2_000_000), 1_000_000),
    (Standing(swapped=True, together=True), HELD_US),
    (Standing(answered=True, half_made=True), ANSWERED_US),
    (Standing(answered=True, odd=True), None),
    (Standing(answered=True, swapped=True), None),
    (Standing(unshown=True), None),
    (Standing(rivalled=True), None),
]


@pytest.mark.parametrize(("ply", "wanted"), CASES)
def test_the_rule(ply: Standing, wanted: int | None) -> None:
    assert wait_us(ply) == wanted


def test_a_piece_that_cannot_go_on_makes_its_ply_final_at_once() -> None:
    table = Table()
    table.play("-e2 +e4 195")
    assert table.heard(Finalised) == []
    table.play("20")
    assert table.heard(Finalised) == ["final 1 e2e4"]


def test_a_piece_that_can_go_on_is_waited_for() -> None:
    table = Table()
    table.play("-e2 +e3 600")
    assert table.heard(Finalised) == []
    table.play("-e3 +e4 1600")
    assert table.heard(Finalised) == ["final 1 e2e4"]
    assert table.told == ["move 1 e2e3", "amend 1 e2e4"]


@pytest.mark.parametrize("gap_ms", [1, 60, 119, 300])
def test_a_first_ply_right_after_the_game_began_is_final_as_any_other(gap_ms: int) -> None:
    pupil = Pupil()
    pupil.press("new_game")
    pupil.wait(gap_ms * 1000)
    pupil.touch("-e2")
    pupil.wait(300_000)
    pupil.touch("+e4")
    pupil.wait(500_000)
    assert [one.uci for one in pupil.said if isinstance(one, Finalised)] == ["e2e4"]


def test_the_opponents_lift_ends_the_wait() -> None:
    table = Table()
    table.play("-e2 +e3 200 -e7 450")
    assert table.heard(Finalised) == ["final 1 e2e3"]


def test_two_pieces_of_a_side_in_the_air_are_no_reply_unless_they_may_castle() -> None:
    table = Table("r3k3/4p2p/8/8/8/8/4P3/4K3 w q - 0 1")
    table.play("-e2 +e3 300 -e7 300 -h7 5000")
    assert table.heard(Finalised) == []
    table.play("+h7 +e7 300 -e8 300 -a8 1500")
    assert table.heard(Finalised) == ["final 1 e2e3"]


def test_pieces_knocked_over_and_set_up_slowly_are_no_capture() -> None:
    """The queen and the pawn before it fall over together; the pawn is set up first."""
    table = Table("4k3/8/8/8/3p4/3Q4/8/4K3 w - - 0 1")
    table.play("-d4 30 -d3 2700 +d4 9000")
    assert table.heard(Finalised) == []
    table.play("+d3 2000")
    assert table.heard(Finalised) == []
    assert table.moves == ""


def test_three_pieces_knocked_over_are_no_capture_and_reply() -> None:
    """Three pawns fall; those that look like a capture and a reply are set up first."""
    table = Table("4k3/8/8/5p2/4PP2/8/8/4K3 b - - 0 1")
    table.play("-f5 40 -e4 10 -f4 1900 +e4 2900 +f5 5000")
    assert table.heard(Finalised) == []
    table.play("+f4 2000")
    assert table.moves == ""


def test_a_piece_seen_to_slide_is_waited_for_where_it_may_go_on() -> None:
    table = Table("4k3/8/8/8/8/8/8/R3K2B w - - 0 1")
    table.play("-a1 +a2 60 -a2 +a3 3000 -e8 300 +e7 2000")
    assert table.heard(Finalised) == ["final 1 a1a3", "final 2 e8e7"]
    table.play("-h1 250 +g2 3000")
    assert table.heard(Finalised)[2:] == []
    table.play("-g2 30 +f3 100 -f3 30 +e4 9000")
    assert table.heard(Finalised)[2:] == ["final 3 h1e4"]


def test_hands_that_have_carried_a_few_pieces_may_yet_slide_one() -> None:
    table = Table()
    table.play("-e2 2200 +e4 5000 -e7 3000 +e5 8000 -g1 1600 +f3 9000 -b8 1300 +c6 9000")
    table.play("-f1 160 +e2 2900 -e2 230 +d3 200 -d3 1800 +c4 600 -c4 1900 +b5 9000")
    assert table.heard(Finalised)[4:] == ["final 5 f1b5"]


def test_a_ply_put_back_after_handling_has_not_stood_so_yet() -> None:
    """The queen comes to a6, is shown where it may not go, and passes a6 on its way home."""
    table = Table("4k3/q7/8/8/8/8/8/4K2R b - - 0 1")
    table.play("-a7 +a6 100 -a6 300 +b1 1500 -b1 300 +a6 60 -a6 +a7 3000")
    assert table.heard(Finalised) == []


def test_what_is_told_in_place_of_a_final_ply_is_final_only_when_two_plies_confirm_it() -> None:
    """The bishop is put down beside the pawn, as if the pawn had gone further and it taken."""
    table = Table("6k1/p7/8/1B6/8/8/8/4K3 b - - 0 1")
    table.play("-a7 300 +a5 550 -a5 220 +a6 9000")
    assert table.heard(Finalised) == ["final 1 a7a5", "final 1 a7a6"]
    table.play("-b5 800 +a5 1000")
    assert table.moves == "a7a5 b5a6"
    assert table.heard(Finalised) == ["final 1 a7a5", "final 1 a7a6"]


def test_a_square_touched_briefly_makes_nothing_final() -> None:
    table = Table()
    table.play("-b1 30 +a3 40 -a3 200 +c3 600")
    assert table.heard(Finalised) == ["final 1 b1c3"]


def test_a_final_ply_is_not_undone_by_a_brief_touch() -> None:
    table = Table()
    table.move("e2e4")
    assert table.play("-e4 50 +e2 40 -e2 50 +e4 1000") == []
    assert table.moves == "e2e4"


def test_a_piece_in_the_air_since_before_the_landing_may_be_the_one_that_stands_there() -> None:
    table = Table()
    table.play("-e2 -e7 +e4 5000")
    assert table.heard(Finalised) == []
    table.play("+e5 2500")
    assert table.heard(Finalised) == ["final 1 e2e4", "final 2 e7e5"]


@pytest.mark.parametrize(("lifted", "finals"), [("d5", 2), ("b8", 3)])
def test_so_may_one_that_was_lifted_beside_it_just_after(lifted: str, finals: int) -> None:
    table = Table()
    table.move("a2a3 d7d5")
    table.play(f"-e2 +e4 60 -{lifted} 3000")
    assert len(table.heard(Finalised)) == finals


def test_the_time_starts_again_when_what_stood_wrong_is_put_right() -> None:
    table = Table()
    table.play("-e2 +e4 100 -g1 3000 +g1 150")
    assert table.heard(Finalised) == []
    table.play("100")
    assert table.heard(Finalised) == ["final 1 e2e4"]


def test_a_reply_that_another_piece_forbids_makes_it_not_final_what_a_pawn_became() -> None:
    """The king went where the queen that was shown checks it: either may be the mistake."""
    table = Table("8/P6k/7p/8/8/8/7K/8 w - - 0 1")
    table.play("-a7 +a8 -a8 +a8 500 -h7 +h8 400")
    assert table.heard(Finalised) == []


def test_a_promotion_is_final_when_no_choice_is_open_any_more() -> None:
    table = Table("8/P6k/7p/8/8/8/7K/8 w - - 0 1")
    table.play("-a7 +a8 600 -a8 300 +a8 3800")
    assert table.heard(Finalised) == []
    table.play("1000")
    assert table.heard(Finalised) == ["final 1 a7a8q"]


def test_a_reply_alone_does_not_confirm_an_unseen_capture() -> None:
    """Two plies more do: until then White's king may be in a hand."""
    table = Table("6k1/5ppp/8/8/8/8/6p1/6K1 w - - 0 1")
    table.play("-g1 2000 -h7 400 +h6 6000")
    assert (table.moves, table.heard(Finalised)) == ("g1g2 h7h6", [])
    table.move("g2f3 h6h5")
    table.play("6000")
    plies = ["g1g2", "h7h6", "g2f3", "h6h5"]
    assert [word.split()[2] for word in table.heard(Finalised)] == plies


def test_a_piece_that_is_slid_a_square_and_on_against_the_rules_was_not_final() -> None:
    table = Table("4k3/8/1p6/8/8/8/8/4K3 b - - 0 1")
    table.play("-b6 20 +b5 260 -b5 +b4 1500 -b4 600 +b6 3000")
    assert (table.moves, table.heard(Finalised)) == ("", [])


def test_a_piece_lifted_that_could_have_been_captured_instead_answers_no_sweep() -> None:
    """The pawn and the knight go at once: the knight took the other one, or is set up again."""
    table = Table("6k1/5p2/2n5/4N3/8/8/8/6K1 w - - 0 1")
    table.play("-e5 20 -f7 300 +f7 100 -c6 900")
    assert table.heard(Finalised) == []
    table.play("+c6 900")
    assert "e5f7" not in [word.split()[2] for word in table.heard(Finalised)]
