"""The pages on building a board agree with the board files, and their pictures can be read."""

from __future__ import annotations

import importlib.util
import platform
import re
import shutil
import sysconfig
import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from gpiozero.pins.mock import MockFactory

import packages
from boardfw.squares import NAMES
from docs.draw_build import files
from hardware.bus import REMEDIES
from hardware.model import CORE_CLOCK

ROOT = Path(__file__).parents[2]

DOCS = ROOT / "docs"
BUILD = DOCS / "build"
BOARDS = ("reference", "tca9555", "pcf8575", "matrix")
SVG = "{http://www.w3.org/2000/svg}"
A4_MM = (210, 297)
FIRST_LEG = {"a": 21, "b": 1, "p0": 4, "p1": 13}
"""The leg of a port's bit 0, as the comments of the board files have it."""


@pytest.fixture(scope="module")
def drawn() -> dict[Path, str]:
    return files()


@pytest.fixture(scope="module")
def pictures(drawn: dict[Path, str]) -> dict[str, ET.Element]:
    return {path.stem: ET.fromstring(text) for path, text in drawn.items() if path.suffix == ".svg"}


def read(page: str) -> str:
    return (BUILD / page).read_text(encoding="utf-8")


def table(text: str) -> list[list[str]]:
    """The cells of every row of a page's tables."""
    rows = re.findall(r"^\| (.+) \|$", text, re.MULTILINE)
    return [[cell.strip() for cell in row.split(" | ")] for row in rows]


def board(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / "hardware" / "boards" / f"{name}.toml").read_text("utf-8"))


def texts(picture: ET.Element) -> dict[str, tuple[float, float]]:
    """Where each text is: the last of those that are alike."""
    return {
        str(text.text): (float(text.attrib["x"]), float(text.attrib["y"]))
        for text in picture.iter(f"{SVG}text")
    }


# --- nothing drifts


def test_every_picture_is_shown_and_every_picture_shown_is_there(drawn: dict[Path, str]) -> None:
    pages = "".join(path.read_text("utf-8") for path in BUILD.glob("*.md"))
    shown = set(re.findall(r"\(pictures/([\w-]+\.svg)\)", pages))
    made = {path.name for path in drawn if path.suffix == ".svg"}
    assert shown == made == {path.name for path in (BUILD / "pictures").iterdir()}


def test_every_link_leads_somewhere() -> None:
    for page in BUILD.glob("*.md"):
        for target in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8")):
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            assert file.exists(), f"{page.name}: {target}"
            assert not anchor or anchor in anchors(file), f"{page.name}: {target}"


def anchors(page: Path) -> set[str]:
    """As GitHub makes them from headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}


def test_every_page_is_on_the_way_through() -> None:
    linked = set(re.findall(r"\]\(([\w-]+\.md)", read("README.md")))
    assert linked == {path.name for path in BUILD.glob("*.md")} - {"README.md"}


# --- what the board files say


def test_every_board_that_can_be_built_has_its_page(drawn: dict[Path, str]) -> None:
    shipped = {path.stem for path in (ROOT / "hardware" / "boards").glob("*.toml")}
    assert set(BOARDS) == shipped - {"simulator"}
    pages = {path.stem for path in drawn if path.stem.startswith("board-")}
    assert pages == {f"board-{name}" for name in BOARDS}


def squares_of(chip: dict[str, Any]) -> list[str]:
    ports = [chip[key] for key in FIRST_LEG if key in chip] + chip.get("rows", [])
    return [square for port in ports for square in port if square]


@pytest.mark.parametrize("name", BOARDS)
def test_the_list_of_parts_is_counted_in_the_board_file(name: str) -> None:
    rows = table(read("parts.md"))
    column = rows[0].index(f"`{name}`")
    listed = {row[0]: row[column] for row in rows}
    file = board(name)
    kinds = [chip["kind"] for chip in file["chips"]]
    matrices = [chip for chip in file["chips"] if "rows" in chip]
    wanted = {
        "MCP23017": sum(kind.startswith("mcp") for kind in kinds),
        "TCA9555 or PCA9555": kinds.count("tca9555"),
        "PCF8575": kinds.count("pcf8575"),
        "Reed switch": sum(len(squares_of(chip)) for chip in file["chips"]),
        "Schottky diode": sum(len(squares_of(chip)) for chip in matrices),
        "Resistor 4.7 kΩ": int("reset" in file["lines"]),
        "Resistor 10 kΩ": 8 * len(matrices) + 1,
        "Capacitor 100 nF": len(kinds) + 1,
        "WS2812B LED": 64,
        "Push button": len(file["buttons"]),
        "Active buzzer": 1,
        "Magnet": 34,
    }
    assert {part: listed[part] for part in wanted} == {
        part: str(count or "-") for part, count in wanted.items()
    }


@pytest.mark.parametrize("name", BOARDS)
def test_fuse_and_adapter_bear_what_the_lights_may_draw(name: str) -> None:
    rows = {row[0]: row for row in table(read("power.md"))}
    _, supply_ma, adapter, fuse, white = rows[f"`{name}`"]
    assert int(supply_ma) == board(name)["supply_ma"]
    fuse_a, adapter_a = (float(rating.removesuffix(" A")) for rating in (fuse, adapter))
    assert 1.25 * int(supply_ma) <= 1000 * fuse_a <= 1000 * adapter_a
    assert float(white.removesuffix(" A")) > fuse_a  # or it would protect from nothing


@pytest.mark.parametrize("name", ["reference", "tca9555", "pcf8575"])
def test_each_switch_is_at_the_leg_of_its_pin(
    name: str, drawn: dict[Path, str], pictures: dict[str, ET.Element]
) -> None:
    page = drawn[BUILD / f"board-{name}.md"]
    for chip in board(name)["chips"]:
        of_chip = page.partition(f"{name}-chip-{chip['address']:#04x}.svg")[2].partition("\n## ")[0]
        told = {row[2]: int(row[0]) for row in table(of_chip) if row[2].startswith("switch")}
        wired = {
            f"switch {square}": first + bit
            for key, first in FIRST_LEG.items()
            for bit, square in enumerate(chip.get(key, []))
            if square
        }
        assert told == wired
        assert wired.keys() <= texts(pictures[f"{name}-chip-{chip['address']:#04x}"]).keys()


@pytest.mark.parametrize("name", BOARDS)
def test_the_straps_make_the_address(name: str, drawn: dict[Path, str]) -> None:
    page = drawn[BUILD / f"board-{name}.md"]
    for chip in board(name)["chips"]:
        of_chip = page.partition(f"{name}-chip-{chip['address']:#04x}.svg")[2].partition("\n## ")[0]
        straps = {row[1]: row[2][-1] for row in table(of_chip)}
        assert int("".join(straps[f"A{bit}"] for bit in (2, 1, 0)), 2) == chip["address"] - 0x20


# As the datasheets have them: DS20001952, table 1-1 (SPDIP); SCPS200, SCPS121 (PW, DW).
OTHER_LEGS = {
    "reference": "9 VDD, 10 VSS, 12 SCL, 13 SDA, 15 A0, 16 A1, 17 A2, 18 RESET, 20 INTA",
    "tca9555": "1 INT, 2 A1, 3 A2, 12 GND, 21 A0, 22 SCL, 23 SDA, 24 VCC",
    "pcf8575": "1 INT, 2 A1, 3 A2, 12 GND, 21 A0, 22 SCL, 23 SDA, 24 VCC",
    "matrix": "9 VDD, 10 VSS, 12 SCL, 13 SDA, 15 A0, 16 A1, 17 A2, 18 RESET",
}


@pytest.mark.parametrize("name", BOARDS)
def test_supply_bus_and_address_are_at_the_legs_of_the_datasheet(
    name: str, drawn: dict[Path, str]
) -> None:
    rows = table(drawn[BUILD / f"board-{name}.md"])
    told = {f"{row[0]} {row[1]}" for row in rows if re.fullmatch(r"A\d|[A-Z]+", row[1])}
    assert told == set(OTHER_LEGS[name].split(", "))


def test_one_resistor_at_reset_is_named_everywhere() -> None:
    pages = [*BUILD.glob("*.md"), *BUILD.glob("pictures/*.svg")]
    named: dict[str, set[str]] = {}
    for page in (*pages, *(ROOT / "hardware" / "boards").glob("*.toml")):
        for value in re.findall(r"RESET[^.;|<\n]*?([\d.]+) k(?:Ω|Ohm)", page.read_text("utf-8")):
            named.setdefault(value, set()).add(page.name)
    assert named.keys() == {"4.7"}, named


def test_no_square_is_on_a_pin_that_is_no_input(drawn: dict[Path, str]) -> None:
    for row in table(drawn[BUILD / "board-reference.md"]):
        assert row[1] not in ("GPA7", "GPB7")


def test_rows_and_columns_of_the_matrix(drawn: dict[Path, str]) -> None:
    told = {
        row[1]: (row[0], row[2]) for row in table(drawn[BUILD / "board-matrix.md"])[1:] if row[2:]
    }
    assert told["GPA1"] == ("22", "row a1 to h1")
    assert told["GPB7"] == ("8", "row a8 to h8")
    assert told["GPB0"] == ("1", "column a1 to a8, 10 kΩ")
    assert told["GPA0"] == ("21", "column h1 to h8, 10 kΩ")
    assert "INTA" not in told


@pytest.mark.parametrize("name", BOARDS)
def test_the_header_is_that_of_a_raspberry_pi(name: str, drawn: dict[Path, str]) -> None:
    pins = MockFactory().board_info.headers["J8"].pins
    file = board(name)
    section = drawn[BUILD / f"board-{name}.md"].partition("## The header as a list")[2]
    told = {int(row[0]): row[1] for row in table(section)[1:]}
    for button, gpio in file["buttons"].items():
        (number,) = (number for number, pin in pins.items() if pin.name == f"GPIO{gpio}")
        assert told[number] == f"button {button}"
    at = {pins[number].name: what for number, what in told.items() if "button " not in what}
    lines = file["lines"]
    assert at[f"GPIO{file['leds']['gpio']}"].startswith("lights")
    assert at["GPIO2"].startswith("SDA")
    assert at["GPIO3"].startswith("SCL")
    assert at[f"GPIO{lines['buzzer']}"].startswith("buzzer")
    for word, key in (("INT", "interrupt"), ("RESET", "reset")):
        found = [pin for pin, what in at.items() if what.startswith(word)]
        assert found == ([f"GPIO{lines[key]}"] if key in lines else [])
    assert all(pins[n].name == "GND" for n, what in told.items() if what.startswith("ground"))


@pytest.mark.parametrize("name", BOARDS)
def test_from_below_everything_is_mirrored(name: str, pictures: dict[str, ET.Element]) -> None:
    above = texts(pictures[f"{name}-switches-above"])
    below = texts(pictures[f"{name}-switches-below"])
    middle = (above["a1"][0] + above["h1"][0]) / 2
    for square in NAMES:
        assert below[square][0] == pytest.approx(2 * middle - above[square][0])
        assert below[square][1] == above[square][1]


# --- what the program says


def test_every_fault_of_the_bus_is_explained() -> None:
    page = read("faults.md")
    for why, remedy in REMEDIES.items():
        assert f"`chip 0x22: {why}; {remedy}`" in page


def test_the_lines_of_every_model_are_there() -> None:
    page = read("config.md")
    for model, lines in CORE_CLOCK.items():
        (row,) = (
            row for row in table(page) if model.removeprefix("Raspberry Pi ") in row[0].split(", ")
        )
        assert row[1] == " and ".join(f"`{line}`" for line in lines)


def test_what_the_log_says_is_in_the_program() -> None:
    """Quoted in the tables of faults, up to the first thing that differs from time to time."""
    source = "".join(
        re.sub(r'"\s*\n\s*f?"', "", path.read_text("utf-8"))
        for room in ("hardware", "boardfw/shell")
        for path in (ROOT / room).glob("*.py")
    )
    quoted = [
        quote for row in table(read("faults.md")) for quote in re.findall(r"`([^`]{30,})`", row[0])
    ]
    assert len(quoted) > 10
    for quote in quoted:
        for part in re.split(r"; |: |\.\.\.| \(", quote):
            if not re.search(r"0x|^/dev|^chip|GPIO by", part):
                assert part.strip() in source, part


# --- for all readers


def test_the_pictures_fit_on_a4(pictures: dict[str, ET.Element]) -> None:
    for name, picture in pictures.items():
        size = [float(picture.attrib[side].removesuffix("mm")) for side in ("width", "height")]
        assert size[0] <= A4_MM[0], name
        assert size[1] <= A4_MM[1], name


def test_no_text_lies_on_another_or_leaves_the_sheet(pictures: dict[str, ET.Element]) -> None:
    for name, picture in pictures.items():
        width = float(picture.attrib["width"].removesuffix("mm"))
        boxes = [box(text) for text in picture.iter(f"{SVG}text")]
        for words, left, right, _, _ in boxes:
            assert 2 <= left < right <= width - 2, f"{name}: {words}"
        for (one, l1, r1, t1, b1), (other, l2, r2, t2, b2) in combinations(boxes, 2):
            apart = r1 <= l2 or r2 <= l1 or b1 <= t2 or b2 <= t1
            assert apart, f"{name}: {one} / {other}"


def box(text: ET.Element) -> tuple[str, float, float, float, float]:
    """Words, left, right, top and bottom, in a font as wide as DejaVu Sans."""
    words, size = str(text.text), float(text.attrib["font-size"])
    wide = len(words) * size * (0.68 if "font-weight" in text.attrib else 0.6)
    x, y = float(text.attrib["x"]), float(text.attrib["y"])
    left = x - {"start": 0, "middle": wide / 2, "end": wide}[text.attrib["text-anchor"]]
    return words, left, left + wide, y - 0.75 * size, y + 0.2 * size


@pytest.mark.parametrize("page", ["README.md", "docs/build/config.md"])
def test_a_pi_s_system_packages_are_named_where_its_set_up_begins(
    page: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    wanted = {}
    for machine in ("aarch64", "armv7l"):
        monkeypatch.setattr(platform, "machine", lambda name=machine: name)
        wanted[machine] = {"make", *packages.missing("pi")}
    text = (ROOT / page).read_text()
    commands = re.findall(r"sudo apt(?:-get)? install ([\w -]+)", text)
    assert wanted["aarch64"] <= {*commands[0].split()}
    assert all(name in text for name in wanted["armv7l"])
    assert "pip install '.[pi]'" not in text
