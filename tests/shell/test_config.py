"""What the owner of a board relies on: the sample tells the truth, and mistakes are named."""

from __future__ import annotations

import re
import tomllib
from itertools import takewhile
from pathlib import Path

import msgspec
import pytest

from boardfw.document import keys_of
from boardfw.errors import ConfigError
from boardfw.game.clock import ClockUse, parse_control
from boardfw.lights import palette
from boardfw.shell.config import Settings, load_config

SAMPLE = Path(__file__).parents[2] / "docs" / "boardfw.toml"


def complaint(tmp_path: Path, text: str | bytes) -> str:
    """What load_config says about this file, with the name of the file as FILE."""
    path = tmp_path / "boardfw.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(str(path), "FILE")


def test_no_file_gives_the_defaults() -> None:
    assert load_config() == Settings()


def test_an_empty_file_gives_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "empty.toml"
    path.touch()
    assert load_config(path) == Settings()


def test_the_sample_names_every_key_with_its_default() -> None:
    document = tomllib.loads(SAMPLE.read_text(encoding="utf-8"))
    assert document == msgspec.to_builtins(Settings())


def test_every_key_of_the_sample_has_a_comment_above_it_or_above_its_section() -> None:
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()
    for name in msgspec.to_builtins(Settings()):
        below = next(n for n, line in enumerate(lines) if line.startswith(f"[{name}")) + 1
        assert lines[below].startswith("# "), name


def test_the_sample_gives_the_range_of_every_whole_number() -> None:
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()
    ranges = {
        dotted: found[0]
        for dotted, hint in keys_of(Settings).items()
        if (found := re.search(r"\d+ to \d+", hint.__metadata__[0].description))
    }
    assert {"scan.period_us", "lights.budget_ma", "help.black.delay_ms"} <= set(ranges)
    for dotted, wanted in ranges.items():
        section, _, key = dotted.rpartition(".")
        below = lines.index(f"[{section}]")
        at = next(n for n in range(below, len(lines)) if lines[n].startswith(f"{key} = "))
        comment = " ".join(takewhile(lambda line: line.startswith("#"), reversed(lines[:at])))
        numbers = re.findall(r"\d+", wanted)
        assert [n for n in numbers if not re.search(rf"\b{n}\b", comment)] == [], key


def test_what_the_file_says_replaces_the_default_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "boardfw.toml"
    path.write_text('[lights]\nbrightness = 1\n[tags]\nwhite = "Zoë"\n', encoding="utf-8")
    settings = load_config(path)
    assert settings.lights.brightness == 1.0
    assert settings.tags.white == "Zoë"
    assert settings.tags.black == Settings().tags.black
    assert settings.scan == Settings().scan


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Settings().lights.mono = True  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[board]\nbrightness = 1\n", "FILE:2: unknown key 'board.brightness'; did you mean 'li"),
        ("[scan]\nqqq = 1\n", "FILE:2: unknown key 'scan.qqq'; there are scan.period_us"),
        ("\n[ligths]\nmono = true\n", "FILE:2: unknown section 'ligths'; did you mean [lights]?"),
        ("[lights]\nbrightness = nan\n", "FILE:2: 'lights.brightness' must be a number from 0"),
        ("[board]\nurl = 'sim'\n", "FILE:2: 'board.url' must be a board URL in quotes, such as"),
        ('[board]\nurl = "spy:a\\u0000b,sim:"\n', "FILE:2: 'board.url' must be a board URL in quo"),
        ('[tags]\nevent = "One\\n"\n', "FILE:2: 'tags.event' must be one line of text, at most"),
    ],
)
def test_a_mistake_has_its_line_its_key_and_its_remedy(
    tmp_path: Path, text: str, expected: str
) -> None:
    assert complaint(tmp_path, text).startswith(expected)


def test_a_time_control_that_cannot_be_played_is_named_with_its_line(tmp_path: Path) -> None:
    text = "[clock]\npress = 'ply'\ncontrol = '{}'\n"
    assert complaint(tmp_path, text.format("5 min")).startswith(
        "FILE:3: 'clock.control': time control '5 min': not understood; write minutes"
    )
    assert complaint(tmp_path, text.format("300:60")) == (
        "FILE:3: 'clock.control': time control '300:60': stage 1 never ends; "
        "give it a number of moves, such as 40/7200"
    )


def test_a_clock_is_what_the_file_says(tmp_path: Path) -> None:
    path = tmp_path / "boardfw.toml"
    path.write_text("[clock]\ncontrol = '40/7200:3600+30'\npress = 'button'\n", encoding="utf-8")
    assert load_config().clock.use() is None
    assert load_config(path).clock.use() == ClockUse(
        parse_control("40/7200:3600+30"), by_button=True
    )


def test_what_no_parser_can_stomach_is_still_one_line(tmp_path: Path) -> None:
    assert complaint(tmp_path, "a = " + "[" * 100_000).startswith("FILE:1: ")
    assert complaint(tmp_path, "a = " + "9" * 5_000).startswith("FILE:1: ")
    assert complaint(tmp_path, b"[tags]\nwhite = 'Zo\xeb'\n") == (
        "FILE:2: not UTF-8; save the file as UTF-8 text"
    )


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: cannot be read: No such file"):
        load_config(tmp_path / "nowhere.toml")
    with pytest.raises(ConfigError, match=r"cannot be read: Is a directory"):
        load_config(tmp_path)


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "bom.toml"
    path.write_bytes(b"\xef\xbb\xbf[lights]\nmono = true\n")
    assert load_config(path).lights.mono


def test_every_key_says_what_it_wants() -> None:
    assert all(hint.__metadata__[0].description for hint in keys_of(Settings).values())


@pytest.mark.parametrize(
    ("key", "least", "most"), [("brightness", 0, 1), ("budget_ma", 64, 20_000), ("gamma", 1, 3)]
)
def test_the_lights_take_whatever_the_file_may_say(
    tmp_path: Path, key: str, least: int, most: int
) -> None:
    for value in (least, most):
        path = tmp_path / f"{value}.toml"
        path.write_text(f"[lights]\n{key} = {value}\n", encoding="utf-8")
        chosen = load_config(path).lights
        palette.Settings(chosen.brightness, chosen.mono, chosen.budget_ma, chosen.gamma)
    assert "must be" in complaint(tmp_path, f"[lights]\n{key} = {least - 1}\n")
    assert "must be" in complaint(tmp_path, f"[lights]\n{key} = {most + 1}\n")
