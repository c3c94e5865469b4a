"""A mistake in a board file gives one line: where, which key, and how to mend it."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.errors import WiringError
from hardware.boards.board_file import find_wiring
from tests.hardware.board_files import GOOD, loaded

SQUARES = [f'"{file}{rank}"' for rank in "12345678" for file in "abcdefgh"]
STRIP = ", ".join(SQUARES)
IDLE = '"", ' * 86 + "\n"
TOO_LONG = f"[\n{STRIP},\n{IDLE * 3}'',  # HERE\n]"
RULE = 'corner = "a1"\nalong = "ranks"\nserpentine = true\nper_square = 1'
SIGNAL = '"spi"\ndevice = "/dev/spidev0.0"\ngpio = 10'
H_FILE = 'p0 = ["h5", "h6", "h7", "h8", "", "", "", ""]'
RANK_7 = '"a7", "b7", "c7", "d7", "e7", "f7", "g7", ""'
SUPPLY = "supply_ma = 3000"
HZ = "hz = 400000"
LAST_CHIP = f'[[chips]]\nkind = "pcf8575"\naddress = 0x24\n{H_FILE}'
BARE_CHIP = '[[chips]]\nkind = "pcf8575"\naddress = 0x24'

MISTAKES = [
    # What is written, what instead, the key, the remedy. HERE marks the line of the culprit, which
    # otherwise is where the two begin to differ.
    (SUPPLY, "supply_ma = 3", "supply_ma", "100 to 20000"),
    (HZ, "hz = 1700000", "bus.hz", "10000 to 1000000"),
    (HZ, "hz = 1000000", "bus.hz", "write 400000, here and in config.txt"),
    (HZ, "supply_ma = 3000", "bus.supply_ma", "did you mean 'supply_ma' above the first section?"),
    ("address = 0x24", "address = 0x22", "chips.address", "set the pins A2, A1, A0 of one of them"),
    ("address = 0x23", "address = 23", "chips.address", "from 0x20 to 0x27 (did you mean 0x23?)"),
    ("address = 0x24", "address = 0x38", "chips.address", "A2, A1, A0 choose from 0x20 to 0x27"),
    ("address = 0x24", 'address = "0x24"', "chips.address", "0x20 to 0x27 without quotes"),
    (LAST_CHIP, BARE_CHIP, "chips", "list its squares in 'p0' and 'p1', or leave the chip out"),
    (H_FILE, f"a{H_FILE[2:]}", "chips.a", "list its squares in 'p0' and 'p1'"),
    ('"e7"', '"e9"', "chips.a", "a square in quotes such as 'e4', or '' where nothing is wired"),
    ('"e7"', '"E7"', "chips.a", "a square in quotes such as 'e4'"),
    ('"f8", "g8", ""', '"f8", 8, ""', "chips.b", "a square in quotes such as 'e4'"),
    (RANK_7, f'{RANK_7}, ""', "chips.a", "write one entry for each, '' for an unused pin"),
    (RANK_7, RANK_7[:-4], "chips.a", "write one entry for each, '' for an unused pin"),
    ('"e7"', '"e6"', "chips.a", "name the square that is really wired there"),
    ('"f8", "g8", ""', '"f8", "a1", ""', "chips.b", "(no input has g8)"),
    (
        '"b7", "c7", "d7", "e7", "f7"',
        '"", "", "", "", ""',
        "chips",
        "at most; write it where its switch is wired; 0x23 GPA1 for one has no",
    ),
    (SUPPLY, "dead = ['e9']", "dead", "a square such as 'e4'"),
    (SUPPLY, "dead = ['a1', 'a2', 'a3', 'a4']", "dead", "3 switches at most; fix their"),
    ('"g7", ""', '"", "g7"', "chips.a", "wire it to GPA0-6 or GPB0-6 of this or another chip, or"),
    ('"f8", "g8", ""', '"f8", "", "g8"', "chips.b", "allow_output_only_pins = true in this [[ch"),
    (
        "gpio = 10",
        "gpio = 18",
        "leds.gpio",
        "use 10, or write driver = 'rpi_ws281x' or driver = 'l",
    ),
    (SIGNAL, '"rpi_ws281x"\ngpio = 17  # HERE', "leds.gpio", "use 10, 12, 13, 18, 19 or 21"),
    (SIGNAL, '"leds0"\ngpio = 3  # HERE', "leds.gpio", "wire it to a free one such as 4, 7 or 8"),
    ('"/dev/spidev0.0"', '"/dev/leds0"', "leds.device", "use /dev/spidev0.0 or /dev/spidev0.1, or"),
    ('"GRB"', '"GRG"', "leds.colours", "the letters R, G and B in the strip's order"),
    (
        '"GRB"',
        '"GRBW"',
        "leds.colours",
        "has a W, and a ws2812b has no white light; write kind = 'sk",
    ),
    (
        'gpio = 10\ncolours = "GRB"',
        'gpio = 10\nkind = "sk2812"  # HERE\ncolours = "GRB"',
        "leds.kind",
        "one of ws2812b, ws2812b-v5, ws2812b-2020, sk6812",
    ),
    (
        f'{SIGNAL}\ncolours = "GRB"',
        '"rpi_ws281x"\nkind = "sk6812"\ncolours = "WGRB"  # HERE',
        "leds.colours",
        "wants W last; write driver = 'spi'",
    ),
    (
        f'colours = "GRB"\n{RULE}',
        f'kind = "sk6812"\ncolours = "GRBW"\n{RULE[:-1]}4  # HERE',
        "leds.per_square",
        "a strip of 256 LEDs, and at most 241 can be sent; lower it",
    ),
    ('corner = "a1"', 'corner = "e4"', "leds.corner", "the corner 'a1', 'h1', 'a8' or 'h8'"),
    ("per_square = 1", "per_square = 3\npasses = 2  # HERE", "leds.passes", "lower one"),
    (RULE, f"squares = [{STRIP[:-6]}]", "leds.squares", "no LED for h8; name each square at its"),
    (RULE, f"squares = [{STRIP}]\nalong = 'files'  # HERE", "leds.along", "remove one of the two"),
    (RULE, f"squares = {TOO_LONG}", "leds.squares", "cut the strip behind the last square"),
    ("reset = 27", "reset = 40", "lines.reset", "a GPIO's BCM number, 0 to 27"),
    ("reset = 27", "reset = 17", "lines.reset", "wire it to a free one such as 4, 12 or 13"),
    ("interrupt = 17", "interrupt = 2", "lines.interrupt", "wire it to a free one such as 4, 12"),
    ("buzzer = 22", "buzzer = 9", "lines.buzzer", "wire it to a free one such as 4, 12 or 13"),
    ("draw = 6", "draw = 5", "buttons.draw", "wire it to a free one such as 4, 6 or 12"),
    ("draw = 6", "draw = -1", "buttons.draw", "a GPIO's BCM number, 0 to 27, not the pin of the"),
    ("draw = 6", "draw = 6\ndraw = 7  # HERE", "", "not TOML: Cannot overwrite a value"),
    ("draw = 6", "draw = six", "buttons.draw", "a GPIO's BCM number, 0 to 27, not the pin of the"),
]


def complaint(text: str | bytes) -> str:
    """The message about this file, without its folder."""
    with pytest.raises(WiringError) as caught:
        loaded(text)
    message = str(caught.value)
    assert "\n" not in message
    return message[message.index("board.toml") :]


def line_of_culprit(text: str, written: str) -> int:
    """Where HERE stands; without it, where the good file begins to differ."""
    marked = text.find("# HERE")
    start = marked if marked >= 0 else GOOD.index(written)
    return text.count("\n", 0, start) + 1


@pytest.mark.parametrize(("written", "instead", "key", "remedy"), MISTAKES)
def test_a_mistake_is_named_with_its_line_its_key_and_its_remedy(
    written: str, instead: str, key: str, remedy: str
) -> None:
    assert GOOD.count(written) == 1
    text = GOOD.replace(written, instead)
    said = re.fullmatch(r"board\.toml:(\d+): (.*)", complaint(text))
    assert said is not None
    assert int(said[1]) == line_of_culprit(text, written)
    assert repr(key) in said[2] or not key
    assert remedy in said[2]


@pytest.mark.parametrize("chip", ["reference", "matrix", "tca9555", "pcf8575"])
def test_a_bus_is_no_faster_than_its_chips(chip: str) -> None:
    board = resources.files("hardware") / "boards" / f"{chip}.toml"
    said = complaint(board.read_text(encoding="utf-8").replace("400000 ", "400001 ", 1))
    title = {"reference": "MCP23017", "matrix": "MCP23017"}.get(chip, chip.upper())
    assert f"400001 is more than the {title} can follow; write 400000" in said


def test_too_few_chips_are_named_where_the_next_one_belongs() -> None:
    fourth = GOOD.index('[[chips]]\nkind = "mcp23017"\naddress = 0x23')
    text = GOOD[:fourth] + GOOD[GOOD.index("[leds]") :]
    last = text.count("\n", 0, text.rindex("[[chips]]")) + 1
    # The two free pins of each MCP23017 may not be used.
    assert complaint(text) == (
        f"board.toml:{last}: 'chips' have no input for h5, h6, a7, b7 and 14 more; "
        "a board can play without 3 switches at most, and no input is free; "
        "add another [[chips]] below this one"
    )


VALUES = [
    "1", "-1", "0x20", "99999999999999999999", "1.5", "nan", "-inf", "true", "1979-05-27",
    "07:32:00", "''", "'e4'", '"\\n"', "[]", "[[]]", "['e4']", "[1, 'a1']", "[['e4'], 5]",
    "{}", "{ a = 1 }", "[{}]", "[{ kind = 'pcf8575', address = 0x20 }]",
]  # fmt: skip
LINES = [line for line in GOOD.splitlines() if line]


@given(st.data())
def test_whatever_is_written_gives_a_wiring_or_one_line(data: st.DataObject) -> None:
    lines = list(LINES)
    for number in data.draw(st.lists(st.integers(0, len(lines) - 1), min_size=1, max_size=3)):
        key, equals, _ = lines[number].partition(" = ")
        values = [f"{key} = {value}" for value in VALUES] if equals else ["", "[lines]"]
        lines[number] = data.draw(st.sampled_from([*values, *LINES]))
    text = "\n".join(lines)
    try:
        loaded(text)
    except WiringError as error:
        line = re.search(r"board\.toml:(\d+): .+\Z", str(error))
        assert line is not None
        assert int(line[1]) <= len(lines)


EMPTY = ["" for _ in range(8)]
H_ROW = ["h5", "h6", "h7", "h8", "", "", "", ""]


def with_matrix(rows: list[list[str]]) -> str:
    """The good file with a matrix of these rows, each on a line, as its last chip."""
    lines = "".join(f"{row},\n" for row in rows)
    chip = BARE_CHIP.replace("pcf8575", "mcp23017-matrix")
    return GOOD.replace(LAST_CHIP, f"{chip}\nrows = [\n{lines}]")


def test_a_matrix_may_be_one_chip_among_others() -> None:
    assert loaded(with_matrix([H_ROW, *[EMPTY] * 7])).warnings == ()


@pytest.mark.parametrize(
    ("rows", "below", "said"),
    [
        ([H_ROW, *[EMPTY] * 6], 0, "'chips.rows' lists 7, but there are 8 pins; write one entry"),
        ([H_ROW, *[EMPTY] * 8], 0, "'chips.rows' lists 9, but there are 8 pins; write one entry"),
        (
            [H_ROW, *[EMPTY] * 3, EMPTY[1:], *[EMPTY] * 3],
            5,
            "'chips.rows' item 5 lists 7, but there are 8 pins; write one entry for each",
        ),
        (
            [EMPTY, H_ROW, ["", "a1", *EMPTY[2:]], *[EMPTY] * 5],
            3,
            "'chips.rows' puts a1 on 0x24 GPA3/GPB1, but 0x20 P00 has it already; name",
        ),
    ],
)
def test_mistakes_in_a_matrix_have_the_line_of_their_row(
    rows: list[list[str]], below: int, said: str
) -> None:
    text = with_matrix(rows)
    line = text.count("\n", 0, text.index("rows =")) + 1 + below
    assert complaint(text).startswith(f"board.toml:{line}: {said}")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("refrence", "no board 'refrence' is shipped; did you mean 'reference', or a file of your"),
        (
            "xyz",
            "no board 'xyz' is shipped; there are matrix, pcf8575, reference, simulator, tca95",
        ),
        (
            "nowhere/x.toml",
            "nowhere/x.toml: cannot be read: No such file or directory; name a file",
        ),
        (".", ".: cannot be read: Is a directory; name a file that is there and readable"),
        ("", ".: cannot be read: Is a directory; name a file that is there and readable"),
    ],
)
def test_a_board_that_is_not_there(name: str, expected: str) -> None:
    with pytest.raises(WiringError) as caught:
        find_wiring(name)
    assert str(caught.value).startswith(expected)


def test_the_name_of_the_file_is_told_as_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "my board.toml"
    path.write_text("chips = 5\n", encoding="utf-8")
    with pytest.raises(WiringError, match=re.escape(f"{path}:1: 'chips' ")):
        find_wiring(str(path))
