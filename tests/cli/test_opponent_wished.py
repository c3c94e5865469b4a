"""Which opponent a run has: as the command line says, else as the settings do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardfw.cli import main
from boardfw.cli.opponent_wished import Wished, who_plays
from boardfw.errors import ConfigError
from boardfw.rules import BLACK, WHITE
from boardfw.services.levels import LEVELS, Level
from boardfw.shell.config import Settings, load_config
from boardfw.shell.store.engine_games import level_for

OPPONENT = """[opponent]
side = "black"
engine = "own"
level = "club player"
pause = false
resigns = false
draws = false
"""


newcomer = partial(level_for, None)


def wished(
    tmp_path: Path,
    text: str = OPPONENT,
    white: str | None = None,
    black: str | None = None,
    *,
    is_by_hand: bool = True,
    level: Callable[[str], Level] = newcomer,
) -> Wished:
    path = tmp_path / "boardfw.toml"
    path.write_text(text)
    settings = load_config(path)
    names = (white, black)
    return who_plays(settings, path, names, seed=5, is_by_hand=is_by_hand, level_for=level)


def test_the_opponent_of_the_settings_sits_down_without_a_word(tmp_path: Path) -> None:
    found = wished(tmp_path)
    assert found.sitting is not None
    wish = found.sitting.wish
    assert (found.sitting.color, wish.name, wish.level) == (BLACK, "own", LEVELS[6])
    assert (wish.resigns, wish.draws, wish.pace.is_human, wish.seed) == (False, False, False, 5)
    assert found.names == (None, "boardfw, level 7 (club player)")


def test_what_is_typed_overrules_it_and_keeps_the_rest(tmp_path: Path) -> None:
    found = wished(tmp_path, white="engine?level=1")
    assert found.sitting is not None
    assert (found.sitting.color, found.sitting.wish.name) == (WHITE, "own")
    assert found.sitting.wish.level == LEVELS[0]
    assert found.sitting.wish.resigns is False
    assert found.names == ("boardfw, level 1 (just learnt the rules)", None)


def test_a_level_that_follows_the_player_is_that_of_who_sits_there(tmp_path: Path) -> None:
    asked: list[str] = []

    def level(player: str) -> Level:
        asked.append(player)
        return LEVELS[8]

    text = "[tags]\nwhite = 'Cleo'\n[opponent]\nside = 'black'\nengine = 'own'\nlevel = 'adaptive'"
    for white, black in ((None, None), ("Ann", None), (None, "engine:own?level=adaptive")):
        sitting = wished(tmp_path, text, white, black, level=level).sitting
        assert sitting is not None
        assert (sitting.wish.adapts, sitting.wish.level) == (True, LEVELS[8])
    assert asked == ["Cleo", "Ann", "Cleo"]


@pytest.mark.parametrize("black", ["Ann", ""])
def test_a_person_who_is_named_sits_at_the_board(tmp_path: Path, black: str) -> None:
    found = wished(tmp_path, black=black)
    assert found.sitting is None
    assert found.names == (None, black)


def test_where_no_hands_play_nobody_is_asked(tmp_path: Path) -> None:
    assert wished(tmp_path, is_by_hand=False).sitting is None


def test_without_settings_both_are_at_the_board(tmp_path: Path) -> None:
    assert wished(tmp_path, "").sitting is None


def test_an_engine_of_the_settings_is_found_by_its_name(tmp_path: Path) -> None:
    engine = tmp_path / "deepthought"
    engine.write_text("#!/bin/sh\n")
    engine.chmod(0o755)
    found = wished(tmp_path, f"[opponent]\nengine = '{engine}'\n", white="engine:deepthought")
    assert found.sitting is not None
    assert found.sitting.wish.name == str(engine)


def test_an_engine_that_is_not_there_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"boardfw.toml:2: 'opponent.engine': engine 'nobody'"):
        wished(tmp_path, "[opponent]\nengine = 'nobody'\n")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("level = 12", "'opponent.level': level '12': there is none such; write one of 1 (just"),
        ("level = 'strong'", "'opponent.level': level 'strong': there is none such; write one"),
        ("side = 'red'", "'opponent.side' must be 'white', 'black' or 'none' (both players"),
        ("resigns = 'often'", "'opponent.resigns' must be true, false or 'usual' (from level 5"),
        ("colour = 'white'", "unknown key 'opponent.colour'; did you mean 'opponent"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "boardfw.toml"
    path.write_text(f"[opponent]\n{line}\n")
    result = CliRunner().invoke(main, ["run", "--config", str(path)])
    assert result.exit_code == 2
    assert result.output.startswith(f"{path}:2: {told}")
    assert result.output.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("enginee:stockfish", "engine:stockfish"),
        ("Engine:own?level=3", "engine:own?level=3"),
        ("lichess:x", "engine:stockfish"),
        ("stockfish?level=3", "engine:stockfish?level=3"),
        ("engnie?level=3", "engine?level=3"),
        *((name, "engine") for name in ("enginee", "engin", "ENGINE", "Engine")),
    ],
)
def test_a_misspelt_opponent_is_no_person(tmp_path: Path, name: str, meant: str) -> None:
    told = CliRunner().invoke(main, ["run", "--play", "famous", f"--black={name}"])
    assert (told.exit_code, len(told.stderr.splitlines())) == (2, 1)
    assert told.stderr.startswith(f"--black: '{name}' is no opponent; did you mean '{meant}'?")
    with pytest.raises(ConfigError, match=r"boardfw.toml:2: 'tags.white': '.*' is no opponent"):
        wished(tmp_path, f"[tags]\nwhite = '{name}'\n")


@pytest.mark.parametrize(
    "name", ["Engin", "Eugene", "Anna: the great", "Dr. Who", "stockfish", "?", "Ann (1500)", "ann"]
)
def test_a_name_of_a_person_is_one(tmp_path: Path, name: str) -> None:
    assert Settings().with_players(name, name, None).tags.black == name
    assert wished(tmp_path, f"[tags]\nwhite = '{name}'\n").sitting is None


def test_an_opponent_has_a_section_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"'tags.black': an opponent is chosen by side"):
        wished(tmp_path, "[tags]\nblack = 'engine:own'\n")
