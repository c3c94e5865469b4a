"""A game goes on by the reader on trial after a ply that nobody watched."""

from __future__ import annotations

import pytest

from tests.dances import Table
from tests.game.test_resuming import SPANISH, cut_off, squares, standing

pytestmark = pytest.mark.usefixtures("on_trial")


def resumed(changed: str) -> Table:
    """A board on which these squares show otherwise than when the game was cut off."""
    unfinished = cut_off(SPANISH)
    before = standing(unfinished)
    return Table(unfinished=unfinished, standing=before ^ squares(changed))


@pytest.mark.parametrize(("changed", "played"), [("b5 a4", "b5a4"), ("", "")])
def test_a_ply_in_the_dark_is_found(changed: str, played: str) -> None:
    table = resumed(changed)
    assert "ask" not in " ".join(table.play("!pause 3000"))
    assert table.moves == f"{SPANISH} {played}".strip()


def test_one_of_several_is_asked_about() -> None:
    """The bishop is gone from b5, and what it captured was not seen."""
    table = resumed("b5")
    assert "ask b5a6 b5c6" in table.play("!pause 3000")
    table.play("!answer_2")
    assert table.moves == f"{SPANISH} b5c6"
