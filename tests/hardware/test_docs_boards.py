"""The page on board files and the shipped boards say what the code does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import pytest

from boardfw.document import keys_of
from boardfw.ports import BUTTONS
from hardware.boards.board_file import shipped_boards
from hardware.boards.line_checks import STRIP_GPIOS
from hardware.boards.tables import BoardTable, BusTable, ChipTable, LedTable, LineTable
from hardware.wiring import LedDriver
from tests.hardware.board_files import loaded

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "boards.md").read_text(encoding="utf-8")
EVERY_KEY = PAGE[PAGE.index("## Every key") : PAGE.index("\nButtons:")]
ROWS = re.findall(r"^\| `(.+?)` \| (.+?) \| (.+?) \| .+ \|$", EVERY_KEY, re.MULTILINE)
TABLES: dict[str, type[msgspec.Struct]] = {
    "": BoardTable, "bus.": BusTable, "chips.": ChipTable, "leds.": LedTable, "lines.": LineTable
}  # fmt: skip


def test_the_page_names_every_key_once_and_what_it_must_be() -> None:
    described = [(key, wanted_of(hint)) for key, hint in keys_of(BoardTable).items()]
    assert sorted((key, wanted) for key, _, wanted in ROWS) == sorted(described)


def wanted_of(hint: Any) -> str:
    value = get_args(hint)[1] if get_origin(hint) is dict else hint
    return str(value.__metadata__[0].description)


def test_the_page_says_what_each_key_is_when_it_is_left_out() -> None:
    defaults = {
        above + field.name: shown(field)
        for above, table in TABLES.items()
        for field in msgspec.structs.fields(table)
    }
    for key, default, _ in ROWS:
        assert default == ("the file's name" if key == "name" else defaults[key]), key


def shown(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "required"
    if field.default in (None, (), msgspec.NODEFAULT):
        return "none"
    return f"`{msgspec.json.encode(field.default).decode()}`"


def test_the_example_on_the_page_is_a_board() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert loaded(example).leds.squares[0] == 63


def test_the_page_names_every_button_and_every_shipped_board() -> None:
    buttons = PAGE[PAGE.index("\nButtons:") : PAGE.index("\nNo GPIO may")]
    assert re.findall(r"`(\w+)`", buttons) == list(BUTTONS)
    boards = PAGE[PAGE.index("| name |") : PAGE.index("## One example")]
    assert sorted(re.findall(r"^\| `(\w+)`", boards, re.MULTILINE)) == shipped_boards()


@pytest.mark.parametrize("driver", [LedDriver.SPI, LedDriver.WS281X])
def test_the_page_names_the_lines_of_each_driver(driver: LedDriver) -> None:
    drivers = PAGE[PAGE.index("| driver |") :]
    (lines,) = re.findall(rf"^\| `{driver.value}` \| ([^|]*) \|", drivers, re.MULTILINE)
    assert tuple(int(number) for number in re.findall(r"\d+", lines)) == STRIP_GPIOS[driver]


@pytest.mark.parametrize("name", shipped_boards())
def test_a_shipped_board_is_a_lesson(name: str) -> None:
    lines = (ROOT / "hardware" / "boards" / f"{name}.toml").read_text("utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert max(map(len, lines)) <= 100
