"""What the screen and the printer say of help."""

from __future__ import annotations

import pytest

from boardfw.game.events import Doubted, HelpOffered
from boardfw.game.record import Record
from boardfw.rules.reasons import Why
from boardfw.shell.config import PlayerHelp
from boardfw.terminal.messages import news, situation
from tests.shell.pupil import Pupil
from tests.shell.test_objections import EACH

NAMELESS = (Why.WRONG_PIECE, Why.CASTLE_RIGHT_LOST)
"""Said without a square: the side to move, and that castling is no longer allowed."""


def told(pupil: Pupil) -> list[str]:
    return situation(pupil.desk.view, pupil.desk.session.record)


@pytest.mark.parametrize(
    ("fen", "dance", "named"),
    [
        (fen, dance, "" if why in NAMELESS else f"{pieces} {squares}")
        for why, fen, dance, pieces, squares in EACH
    ],
)
def test_a_move_that_is_illegal_is_told_in_one_sentence_before_the_way_back(
    fen: str, dance: str, named: str
) -> None:
    pupil = Pupil(fen)
    pupil.do(f"{dance} 3500")
    _, reason, *steps = told(pupil)
    assert [square for square in named.split() if square not in reason] == []
    assert steps[0].endswith(f"-> {dance.split()[-2][1:]}") or len(steps) > 1


def test_a_piece_that_cannot_move_is_told_with_the_reason() -> None:
    pupil = Pupil()
    pupil.do("-a1")
    assert told(pupil) == [
        "White to move",
        "white rook a1 cannot move",
        "blocked by your own pieces: the knight on b1 and the pawn on a2",
    ]


def test_attackers_and_defenders_are_told() -> None:
    pupil = Pupil("4k3/8/8/3p4/4N3/3P4/8/4K3 w - - 0 1", white=PlayerHelp(level=2))
    pupil.do("-e4 1600")
    assert "attacked by d5" in told(pupil)
    assert "defended by d3" in told(pupil)


def test_a_doubt_is_told_as_long_as_it_lasts() -> None:
    pupil = Pupil("4k3/8/2p5/8/8/8/8/R2QK3 w - - 0 1", white=PlayerHelp(level=3))
    pupil.do("-d1 +d5 200")
    text = "really? the queen on d5 can be taken: take it back, or let it stand"
    assert text in told(pupil)
    (said,) = pupil.heard(Doubted)
    assert news(said, pupil.desk.session.record) == text
    pupil.do("3000")
    assert text not in told(pupil)


def test_an_offer_says_what_to_type() -> None:
    record = Record(Pupil().desk.view.position, 0)
    offer = HelpOffered(0, "black", 1)
    assert news(offer, record) == "black hardly needs help any more: 'level black 1'"
