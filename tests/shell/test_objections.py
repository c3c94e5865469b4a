"""A piece stands where it may not go: the lights say why, beside the way back."""

from __future__ import annotations

import pytest

from boardfw.lights.cue import WAYS, Cue
from boardfw.lights.scene import MAX_IDEAS
from boardfw.rules.reasons import Why, in_words
from boardfw.shell.config import PlayerHelp
from boardfw.squares import BY_NAME
from tests.lights.cue_compatibility import ON_EMPTY_SQUARES, UNDER_PIECES
from tests.shell.pupil import Pupil

EACH: list[tuple[Why, str, str, str, str]] = [
    # reason, position, touches, pieces that are lit, squares that are lit
    (Why.WRONG_PIECE, "4k3/p7/8/8/8/8/8/4K3 w - - 0 1", "-a7 +a6", "e1", ""),
    (Why.KING_TAKEN, "4k3/4p3/8/8/8/8/8/4R1K1 w - - 0 1", "-e8 -e1 +e8", "", ""),
    (Why.OWN_PIECE, "4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", "-a2 -a1 +a2", "", ""),
    (Why.NOT_LIKE_THAT, "4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "-a1 +a2", "", "c2 b3"),
    (Why.BLOCKED, "4k3/8/8/p7/p7/8/8/R3K3 w - - 0 1", "-a1 +a8", "a4", ""),
    (Why.PAWN_TAKES_STRAIGHT, "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "-e3 -e2 +e3", "", ""),
    (Why.PAWN_NOTHING_TO_TAKE, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "-e2 +d3", "", ""),
    (Why.PAWN_DOUBLE_STEP, "4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "-e2 +e4", "e3", ""),
    (Why.EN_PASSANT_TOO_LATE, "4k3/8/8/1Pp5/8/8/8/4K3 w - - 0 2", "-c5 -b5 +c6", "", ""),
    (Why.PINNED, "4k3/8/8/8/4b3/5R2/6K1/8 w - - 0 1", "-f3 +f1", "e4", "g2"),
    (Why.CHECK_NOT_ANSWERED, "4k3/4r3/8/8/8/8/8/R3K3 w - - 0 1", "-a1 +a2", "e7", "e1"),
    (Why.KING_ATTACKED, "4k3/8/8/8/8/8/3r4/7K w - - 0 1", "-h1 +h2", "d2", ""),
    (Why.CASTLE_RIGHT_LOST, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "-e1 +c1", "a1", ""),
    (Why.CASTLE_WAY_BLOCKED, "4k3/8/8/8/8/8/8/Rn2K3 w Q - 0 1", "-e1 +c1", "b1", ""),
    (Why.CASTLE_IN_CHECK, "4k3/8/8/8/4r3/8/8/R3K3 w Q - 0 1", "-e1 +c1", "e4", ""),
    (Why.CASTLE_THROUGH_CHECK, "3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "-e1 +c1", "d8", "d1"),
    (Why.CASTLE_INTO_CHECK, "2r1k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "-e1 +c1", "c8", ""),
]


@pytest.mark.parametrize(("why", "fen", "dance", "pieces", "squares"), EACH)
def test_each_kind_of_reason_is_told_beside_the_way_back(
    why: Why, fen: str, dance: str, pieces: str, squares: str
) -> None:
    pupil = Pupil(fen)
    pupil.do(f"{dance} 3500")
    view = pupil.desk.view
    assert view.reason is not None
    assert view.reason.why is why
    assert pupil.moves == ""
    *_, lifted, dropped = dance.split()
    assert pupil.lit(Cue.REPAIR_FROM) == dropped[1:]
    assert pupil.lit(Cue.REPAIR_TO).split() != []
    where = lifted[1:]
    assert where in (pupil.lit(Cue.REPAIR_TO), *pupil.lit(Cue.MISSING).split())
    shown = pupil.lit(Cue.WHO_MOVES if why is Why.WRONG_PIECE else Cue.REASON_PIECE)
    assert set(pieces.split()) <= set(shown.split())
    lit = pupil.lit(Cue.QUIET if why is Why.NOT_LIKE_THAT else Cue.REASON_SQUARE)
    assert set(squares.split()) <= set(lit.split())
    assert in_words(view.position, view.reason, BY_NAME[where])


@pytest.mark.parametrize(("fen", "dance"), [(fen, dance) for _, fen, dance, *_ in EACH])
def test_what_its_place_tells_apart_is_seen_in_its_place(fen: str, dance: str) -> None:
    pupil = Pupil(fen)
    pupil.do(f"{dance} 3500")
    standing = pupil.desk.view.standing
    for cue, where in pupil.scene.lit:
        assert cue not in UNDER_PIECES or not where & ~standing, cue
        assert cue not in ON_EMPTY_SQUARES or not where & standing, cue


def test_what_shows_the_reason_hides_nothing_of_the_way_back_and_is_one_idea() -> None:
    pupil = Pupil("4k3/4r3/8/8/8/8/8/R3K3 w - - 0 1")
    pupil.do("-a1 +a2")
    assert pupil.line == "e6 e5 e4 e3 e2"
    assert (pupil.lit(Cue.REPAIR_FROM), pupil.lit(Cue.REPAIR_TO)) == ("a2", "a1")
    assert MAX_IDEAS == 3
    assert pupil.lit(Cue.CHECK) == ""


def test_en_passant_that_bares_the_king_is_told_to_who_saw_the_double_step() -> None:
    pupil = Pupil("8/3p4/8/K3P2r/8/8/8/4k3 b - - 0 1")
    pupil.do("-d7 +d5 4000 -e5 +d6")
    view = pupil.desk.view
    assert view.reason is not None
    assert view.reason.why is Why.EN_PASSANT_BARES_KING
    assert pupil.lit(Cue.REASON_PIECE) == "h5"
    assert pupil.line == "g5 f5 d5 c5 b5"
    assert pupil.lit(Cue.REPAIR_TO) == "e5"


def test_king_and_rook_that_castled_through_check_are_both_led_home() -> None:
    pupil = Pupil("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    pupil.do("-e1 +c1 -a1 +d1 4000")
    view = pupil.desk.view
    assert view.reason is not None
    assert view.reason.why is Why.CASTLE_THROUGH_CHECK
    assert pupil.lit(Cue.REASON_PIECE) == "d8"
    pupil.do("-d1 +a1 -c1 +e1")
    assert pupil.desk.view.reason is None
    assert not pupil.scene.lit


def test_a_capture_that_is_none_leads_both_pieces_back_though_no_switch_stands_wrong() -> None:
    pupil = Pupil("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1")
    pupil.do("-e3 -e2 +e3")
    assert (pupil.lit(Cue.REPAIR_FROM), pupil.lit(Cue.REPAIR_TO)) == ("e3", "e2")
    pupil.do("-e3 +e2 +e3")
    assert pupil.desk.view.reason is None
    assert not pupil.scene.lit
    pupil.do("-e1 +d1")
    assert pupil.moves == "e1d1"


@pytest.mark.parametrize("dance", ["-e3 +e3 -e2", "-e3 -e2 +e3 -e3 +e2", "-e3 -e2 +e3 -e3 +e3"])
def test_whoever_only_holds_a_piece_is_not_objected_to(dance: str) -> None:
    pupil = Pupil("4k3/8/8/8/8/p3p3/4P3/4K3 w - - 0 1")
    pupil.do(dance)
    assert pupil.lit(Cue.REPAIR_FROM) == ""
    assert not pupil.desk.view.extra


def test_a_legal_capture_is_no_objection() -> None:
    pupil = Pupil("4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1")
    pupil.do("-d3 -e2 +d3 2000")
    assert pupil.moves == "e2d3"
    assert pupil.desk.view.reason is None


def test_level_nought_shows_the_way_back_and_no_reason() -> None:
    pupil = Pupil("4k3/8/8/8/4b3/5R2/6K1/8 w - - 0 1", white=PlayerHelp(level=0))
    pupil.do("-f3 +f1")
    assert (pupil.lit(Cue.REPAIR_FROM), pupil.lit(Cue.REPAIR_TO)) == ("f1", "f3")
    assert pupil.desk.view.reason is None


@pytest.mark.parametrize(
    ("fen", "name", "pieces", "line"),
    [
        ("4k3/4r3/8/8/8/4N3/8/4K3 w - - 0 1", "e3", "e7", "e6 e5 e4 e3 e2"),
        ("4k3/8/8/8/8/8/P7/RN2K3 w - - 0 1", "a1", "b1 a2", ""),
        ("4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1", "a2", "e7", "e6 e5 e4 e3 e2"),
        ("4k3/8/8/8/8/4p3/4P3/K7 w - - 0 1", "e2", "e3", ""),
        ("k7/8/8/8/7P/1r6/7r/K7 w - - 0 1", "a1", "h2 b3", "b2 g2 f2 e2 d2 c2"),
    ],
)
def test_a_piece_who_cannot_move_at_all_says_why(
    fen: str, name: str, pieces: str, line: str
) -> None:
    pupil = Pupil(fen)
    pupil.do(f"-{name}")
    assert pupil.lit(Cue.REASON_PIECE) == pieces
    assert pupil.line == line
    pupil.do(f"+{name}")
    assert pupil.desk.view.reason is None


def test_a_piece_who_can_move_gives_no_reason() -> None:
    pupil = Pupil()
    pupil.do("-g1")
    assert pupil.desk.view.reason is None
    assert all(not pupil.lit(cue) for cue in (Cue.REASON_PIECE, *WAYS))
