"""What games that are known say of the constants of the reader on trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from boardfw.accuracy.games import games_of
from boardfw.accuracy.playing import Recorded, Task, record
from boardfw.accuracy.reading_evidence import Estimate, cases_of, constants_in_use, estimate
from boardfw.inference.reading import constants


def played(kind: str, seed: int = 1) -> Recorded:
    """The shortest famous game by these hands."""
    game = min(games_of(["famous"], None, 1), key=lambda game: len(game.moves))
    return record(Task((replace(game, moves=game.moves[:30]),), kind, 1, seed))


def estimates(kind: str, moves: Sequence[str] | None = None) -> dict[str, Estimate]:
    game = played(kind)
    known = game.truth.moves if moves is None else moves
    return estimate(cases_of(iter([(game.recording(), known)])))


def test_every_constant_names_its_value_and_source() -> None:
    found = {one.name: one for one in constants_in_use()}
    numbers = {name for name in vars(constants) if name.isupper()}
    assert set(found) == numbers
    assert [name for name, one in found.items() if not one.source] == []
    assert found["SETTLE_US"].value == constants.SETTLE_US
    assert found["SETTLE_US"].unit == "us"


def test_what_hands_do_is_found_in_their_recording() -> None:
    careful, dragger = estimates("careful"), estimates("dragger")
    assert careful["P_UNSEEN"].value == 0
    assert 300_000 < careful["CARRY_US"].value < 1_200_000
    assert dragger["P_SLIDE"].value > 0.5 > careful["P_SLIDE"].value


def test_an_estimate_names_how_many_cases_it_rests_on() -> None:
    game = played("careful")
    found = estimate(cases_of(iter([(game.recording(), game.truth.moves)])))
    assert found["P_PLY"].cases == len(game.truth.moves)


def test_plies_that_were_not_played_say_nothing() -> None:
    moves = ["e2e4", "a7a6"]
    assert estimates("careful", moves)["P_PLY"].cases <= 2


def test_times_are_estimated_by_the_middle_and_probabilities_by_the_share() -> None:
    found = estimate({"HOLD_US": [1.0, 2.0, 900.0], "P_EARLY": [1.0, 0.0, 0.0, 0.0]})
    assert found["HOLD_US"] == Estimate(2.0, 3)
    assert found["P_EARLY"].value == pytest.approx(0.25)
