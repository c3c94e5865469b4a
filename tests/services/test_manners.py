"""Resigning and draws: late, after some moves in a row, and never where they are switched off."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from boardfw.notation.fen import parse_fen
from boardfw.services.manners import HOPELESS_CP, HOPELESS_MOVES, LEVEL_MOVES, Manners
from tests.services.uci.engines import played

EARLY = played("e2e4", "e7e5")
LATE = played(start=parse_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 60"))
WORTHS = st.lists(st.floats(-3000, 3000), max_size=12)


@given(WORTHS, st.sampled_from([EARLY, LATE]))
def test_what_is_switched_off_never_happens(worth: list[float], asked: object) -> None:
    stubborn = Manners(resigns=False, draws=False)
    situation = LATE if asked is LATE else EARLY
    assert not stubborn.gives_up(worth)
    assert not stubborn.offers(situation, worth, None)
    assert not stubborn.accepts(situation, worth)


@given(WORTHS)
def test_nobody_resigns_for_one_bad_move(worth: list[float]) -> None:
    assert not Manners().gives_up([*worth, 0.0, HOPELESS_CP - 1.0])
    assert Manners().gives_up([*worth, *[HOPELESS_CP - 1.0] * HOPELESS_MOVES])


@given(WORTHS)
def test_a_draw_is_offered_late_in_a_level_game_and_not_again_at_once(worth: list[float]) -> None:
    level = [*worth, *[0.0] * LEVEL_MOVES]
    assert Manners().offers(LATE, level, None)
    assert not Manners().offers(EARLY, level, None)
    assert not Manners().offers(LATE, [*level, 300.0], None)
    assert not Manners().offers(LATE, level, 0)


def test_only_who_is_not_better_accepts() -> None:
    offered = replace(EARLY, draw_offered=True)
    assert not Manners().accepts(offered, [])
    assert not Manners().accepts(offered, [-20.0])
    assert Manners().accepts(offered, [-200.0])
    assert Manners().accepts(LATE, [-20.0])
    assert not Manners().accepts(LATE, [20.0])
