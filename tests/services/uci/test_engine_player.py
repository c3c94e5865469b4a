"""A level becomes what an engine offers, within what it announces."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.game.opponent import Gone, Plays
from boardfw.rules.chess960 import start_position
from boardfw.services.levels import FULL, LEVELS, Level
from boardfw.services.uci.engine_player import ERRING_MOVES, handicap
from boardfw.services.uci.options import Option
from tests.services.uci.engines import Table, needs_proc, played

MULTIPV = {"multipv": Option("MultiPV", "spin", "1", 1, 500)}
SKILL = {"skill level": Option("Skill Level", "spin", "20", 0, 20)}


def rated(least: int, most: int) -> dict[str, Option]:
    return {
        "uci_limitstrength": Option("UCI_LimitStrength", "check", "false"),
        "uci_elo": Option("UCI_Elo", "spin", str(least), least, most),
    }


@given(st.integers(400, 3500), st.integers(500, 2000), st.integers(0, 2000))
def test_an_elo_that_an_engine_has_is_asked_for(elo: int, least: int, width: int) -> None:
    options = {**rated(least, least + width), **SKILL, **MULTIPV}
    asked = handicap(Level(1, "any", elo), options)
    if elo < least:
        assert asked.options["UCI_LimitStrength"] == "false"
    else:
        assert least <= int(asked.options["UCI_Elo"]) <= least + width
        assert asked.options["UCI_LimitStrength"] == "true"
        assert asked.depth is asked.nodes is None
        assert asked.errors == (0, 0)


@given(
    st.lists(st.integers(400, 3500), min_size=2, max_size=2).map(sorted),
    st.sampled_from([{}, MULTIPV, SKILL | MULTIPV, rated(1350, 2850) | MULTIPV]),
)
def test_a_stronger_level_is_never_weakened_more(
    elos: list[int], options: dict[str, Option]
) -> None:
    weak, strong = (handicap(Level(1, "any", elo), options) for elo in elos)
    assert (weak.depth or 99) <= (strong.depth or 99)
    assert (weak.nodes or 10**9) <= (strong.nodes or 10**9)
    assert weak.errors.blind >= strong.errors.blind
    assert weak.errors.spread_cp >= strong.errors.spread_cp
    assert weak.depth or not strong.depth
    for name in ("UCI_Elo", "Skill Level"):
        if not weak.depth and name in weak.options and name in strong.options:
            assert int(weak.options[name]) <= int(strong.options[name])


def test_without_options_for_it_a_weak_player_searches_little_and_errs() -> None:
    depths = [handicap(level, MULTIPV).depth for level in LEVELS[:-1]]
    assert None not in depths
    assert handicap(LEVELS[0], MULTIPV).multipv == ERRING_MOVES
    assert handicap(LEVELS[0], {}).multipv == 1
    full = handicap(FULL, MULTIPV)
    assert full.depth is full.nodes is None


@needs_proc
async def test_a_weak_engine_is_told_so(tmp_path: Path) -> None:
    table = Table(tmp_path, "good", level=LEVELS[0])
    table.seat.ask(played())
    assert isinstance(await table.answer(), Plays)
    await table.seat.close()
    assert f"setoption name MultiPV value {ERRING_MOVES}" in table.told()
    assert any(line.startswith("go depth 1 nodes") for line in table.told())


@needs_proc
async def test_chess960_is_asked_for_where_it_is_played(tmp_path: Path) -> None:
    table = Table(tmp_path, "good")
    table.seat.ask(played(start=start_position(1)))
    assert isinstance(await table.answer(), Plays)
    await table.seat.close()
    assert "setoption name UCI_Chess960 value true" in table.told()
    assert any(line.startswith("position fen") for line in table.told())


@needs_proc
async def test_an_engine_that_cannot_play_chess960_says_so(tmp_path: Path) -> None:
    table = Table(tmp_path, "knows-no-chess960")
    table.seat.ask(played(start=start_position(1)))
    assert isinstance(await table.answer(), Gone)
    table.seat.ask(played())
    assert isinstance(await table.answer(), Plays)
    await table.seat.close()


@pytest.mark.parametrize("level", [LEVELS[0], FULL])
@needs_proc
async def test_a_take_back_and_another_game(tmp_path: Path, level: Level) -> None:
    table = Table(tmp_path, "good", level=level)
    for words in (("e2e4", "e7e5"), ("e2e4", "e7e5", "d2d4", "d7d5"), ("e2e4", "e7e5"), ()):
        table.seat.ask(played(*words))
        assert isinstance(await table.answer(), Plays)
    await table.seat.close()
    assert table.told().count("ucinewgame") == 2
