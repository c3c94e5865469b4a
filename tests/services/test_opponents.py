"""Which opponent is found on a machine, and what is said where there is none."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from boardfw.errors import ConfigError
from boardfw.game.opponent import Plays
from boardfw.services import opponents
from boardfw.services.levels import LEVELS
from boardfw.services.opponents import OWN, Wish, parse_wish, seat
from tests.patience import PATIENCE_S
from tests.services.uci.engines import AT_ONCE, played


async def test_without_an_engine_our_own_player_sits_down_and_a_line_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(opponents, "usual_program", lambda: None)
    answers: asyncio.Queue[object] = asyncio.Queue()
    seated = seat(Wish(level=LEVELS[2], pace=AT_ONCE), answers.put_nowait)
    assert "install" in seated.text
    seated.opponent.ask(played())
    assert isinstance(await asyncio.wait_for(answers.get(), PATIENCE_S), Plays)
    await seated.opponent.close()


async def test_our_own_player_can_be_asked_for() -> None:
    seated = seat(Wish(OWN), print)
    assert seated.text == ""
    await seated.opponent.close()


async def test_an_engine_that_is_named_and_missing_is_refused() -> None:
    with pytest.raises(ConfigError, match="deepthought"):
        seat(Wish("deepthought"), print)


def test_an_engine_gets_one_thread_and_what_the_owner_says() -> None:
    assert Wish().engine_options()["Threads"] == "1"
    wished = Wish(threads=2, hash_mb=8, options={"Hash": "4", "Contempt": "0"}).engine_options()
    assert wished == {"Threads": "2", "Hash": "4", "Ponder": "false", "Contempt": "0"}


def test_a_player_s_name_asks_for_an_opponent() -> None:
    assert parse_wish("Ann") is None
    assert parse_wish("") is None
    own = Wish(OWN, LEVELS[0], seed=7)
    assert parse_wish("engine:own?level=club player", own) == Wish(OWN, LEVELS[6], seed=7)
    assert parse_wish("engine", own) == own
    assert parse_wish("engine:own?level=Adaptive", own) == replace(own, adapts=True)
    assert parse_wish("engine:own?level=2", replace(own, adapts=True)) == replace(
        own, level=LEVELS[1]
    )
    usual = parse_wish("engine")
    assert usual is not None
    assert (usual.name, usual.level.number) == ("", 3)
    assert Wish(OWN, LEVELS[0]).title == "boardfw, level 1 (just learnt the rules)"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("engine:deepthought", "deepthought"),
        ("engine:own?level=12", "level"),
        ("engine:own?level=", "level"),
        ("engine:own?strength=2", "level=3"),
    ],
)
def test_an_opponent_that_cannot_be_is_refused_with_the_remedy(name: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        parse_wish(name)
