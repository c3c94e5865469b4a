"""Every wrong touch gets its reason: why that piece, or that square, is not one of those asked."""

from __future__ import annotations

import pytest

from boardfw.learning import queries
from boardfw.learning.judge.not_asked import why_not_asked
from boardfw.learning.task import Find, Touch
from boardfw.learning.variant import VARIANTS
from boardfw.lights.cue import Cue
from boardfw.squares import BY_NAME, squares_in
from tests.learning.classroom import START, Classroom, exercise, squares
from tests.learning.courses import varied

CHECKED = "4k3/8/2n5/1B6/8/4r3/8/4K3 w - - 0 1"
BLOCKED = "4k3/8/8/8/8/r7/8/rN2K3 w - - 0 1"
HANGING = "4k3/3p4/2n5/8/4Nb2/6P1/8/2R1K3 w - - 0 1"
CAPTURES = "k7/8/8/2rnr3/3P4/7p/7B/7K w - - 0 1"
PINNED = "4k3/8/8/8/4b3/5R2/6K1/N7 w - - 0 1"
GUARDED = "4k3/8/2b5/8/4N3/3P2P1/8/R3K3 w - - 0 1"
BISHOPS = "7k/8/8/8/8/8/8/K1B2B2 w - - 0 1"
TOLD = [
    (CHECKED, "checkers", "c6", "the knight on c6 does not attack the king on e1"),
    (CHECKED, "checkers", "b5", "the bishop on b5 is White's, and Black's pieces are asked for"),
    (CHECKED, "checkers", "e8", "that king says that there is no such piece, and there is one"),
    (
        BLOCKED,
        "checkers",
        "a1",
        "the rook on a1 does not reach the king on e1: the knight on b1 is ",
    ),
    (BLOCKED, "checkers", "a3", "the rook on a3 does not attack the king on e1"),
    (HANGING, "hanging_enemy", "c6", "the knight on c6 is defended: capturing it wins nothing"),
    (HANGING, "hanging_enemy", "d7", "no white piece attacks the pawn on d7"),
    (HANGING, "hanging_enemy", "c1", "the rook on c1 is White's, and Black's pieces are asked for"),
    (GUARDED, "attacked_own", "e4", "the knight on e4 is defended: capturing it wins nothing"),
    (GUARDED, "attacked_own", "a1", "no black piece attacks the rook on a1"),
    (CAPTURES, "captures_of:d4", "d5", "a pawn does not capture straight ahead: the knight on d5"),
    (CAPTURES, "captures_of:d4", "h3", "a pawn does not move like that"),
    (CAPTURES, "captures_of:d4", "h2", "blocked by your own piece: the bishop on h2"),
    (CAPTURES, "captures_of:d4", "d4", "that is the pawn on d4"),
    (PINNED, "pinned", "a1", "the knight on a1 is not pinned: without it no other piece would att"),
    (PINNED, "pinned", "g2", "a king is never pinned"),
    (BISHOPS, "comes_to:e4", "c1", "the bishop on c1 stays on dark squares, and e4 is a light one"),
    (START, "kind:Q", "e1", "that is the king on e1"),
    (START, "squares:g1 b1", "c1", "that is the bishop on c1"),
]


@pytest.mark.parametrize(("fen", "query", "square", "told"), TOLD)
def test_why_a_piece_is_not_asked_for_is_said(fen: str, query: str, square: str, told: str) -> None:
    position = exercise(fen, Touch(0)).position
    asks, _, about = query.partition(":")
    task = Touch(queries.squares(position, query), asks, BY_NAME.get(about))
    assert why_not_asked(position, task, BY_NAME[square]).text.startswith(told)


def test_every_wrong_piece_of_the_course_has_a_reason() -> None:
    asked = [one for one in varied() if isinstance(one.task, Touch)]
    for one in asked:
        assert isinstance(one.task, Touch)
        for square in squares_in(one.position.occupied & ~one.task.squares):
            assert why_not_asked(one.position, one.task, square).text, f"{one.key} {square}"
    assert len(asked) > 20


def test_a_learner_hears_it_and_sees_what_is_in_the_way() -> None:
    room = Classroom(exercise(BLOCKED, Touch(0, "checkers")))
    told = room.dance("-a1 1000 +a1 1700")
    assert "the knight on b1 is in the way" in told[-1]
    assert room.lit(Cue.REASON_PIECE) == squares("b1")


def test_in_a_mirror_the_question_is_about_the_mirrored_square() -> None:
    task = Touch(squares("c5 e5"), "captures_of", BY_NAME["d4"])
    turned = VARIANTS["both"].task(task)
    assert turned == Touch(squares("f4 d4"), "captures_of", BY_NAME["e5"])


@pytest.mark.parametrize(
    ("square", "told"),
    [
        ("e5", "No: that is e5; its file is right, its rank is not."),
        ("d4", "No: that is d4; its rank is right, its file is not."),
        ("d5", "No: that is d5; neither its file nor its rank is right."),
    ],
)
def test_a_wrong_square_is_named_with_what_is_wrong_about_it(square: str, told: str) -> None:
    room = Classroom(exercise(START, Find((BY_NAME["e4"],))))
    assert f"wrong: {told}" in room.dance(f"-e2 300 +{square} 1000")
