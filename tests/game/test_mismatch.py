"""What has no explanation is shown until it is undone."""

from __future__ import annotations

import pytest

from boardfw.game.events import Finalised
from tests.dances import Table


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
    table.play("!answer_1 -e1 +f2 3000")  # what is left to ask, if anything
    assert table.heard(Finalised)[1:3] == ["final 1 f2f3", "final 2 e4f3"]


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
