"""Board files for the tests: a good one to spoil, and any one that there may be."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import strategies as st

from boardfw.ports import BUTTONS
from boardfw.squares import EVERY_SWITCH, Switch, occupancy_of
from hardware.boards.board_file import load_wiring
from hardware.boards.led_rule import all_rules
from hardware.boards.line_checks import I2C_GPIOS, SPI_GPIOS, STRIP_DEVICES, STRIP_GPIOS
from hardware.datasheets import ADDRESSES, DATASHEETS, warnings_about
from hardware.spi import most_leds
from hardware.strip_sheets import STRIP_SHEETS
from hardware.wiring import (
    Bus,
    Chip,
    ChipKind,
    LedDriver,
    Leds,
    Lines,
    StripKind,
    Wiring,
    unread_by,
)

GOOD = """\
name = "mine"
supply_ma = 3000

[bus]
device = "/dev/i2c-1"
hz = 400000

[[chips]]
kind = "tca9555"
address = 0x20
p0 = ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1"]
p1 = ["a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2"]

[[chips]]
kind = "pca9555"
address = 0x21
p0 = ["a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3"]
p1 = ["a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4"]

[[chips]]
kind = "mcp23017"
address = 0x22
a = ["a5", "b5", "c5", "d5", "e5", "f5", "g5", ""]
b = ["a6", "b6", "c6", "d6", "e6", "f6", "g6", ""]

[[chips]]
kind = "mcp23017"
address = 0x23
closed = "low"
a = ["a7", "b7", "c7", "d7", "e7", "f7", "g7", ""]
b = [
    "a8", "b8", "c8", "d8",
    "e8", "f8", "g8", "",
]

[[chips]]
kind = "pcf8575"
address = 0x24
p0 = ["h5", "h6", "h7", "h8", "", "", "", ""]

[leds]
driver = "spi"
device = "/dev/spidev0.0"
gpio = 10
colours = "GRB"
corner = "a1"
along = "ranks"
serpentine = true
per_square = 1

[lines]
interrupt = 17
reset = 27
buzzer = 22
pin_factory = "lgpio"

[buttons]
new_game = 5
draw = 6
"""


def loaded(text: str | bytes) -> Wiring:
    """The wiring of a file ``board.toml`` with this text."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "board.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_wiring(path)


@st.composite
def wirings(draw: st.DrawFn) -> Wiring:
    """Any board that a board file can describe."""
    chips = draw(chips_of_a_board())
    leds = draw(strips())
    listed = draw(st.lists(st.sampled_from(EVERY_SWITCH), max_size=1))
    dead = unread_by(chips) | occupancy_of(listed)
    return Wiring(
        name=draw(st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=80)),
        chips=chips,
        bus=draw(st.builds(Bus, st.just("/dev/i2c-1"), st.integers(10_000, 400_000))),
        leds=leds,
        lines=draw(lines_beside(leds)),
        supply_ma=draw(st.integers(100, 20_000)),
        dead=dead,
        warnings=warnings_about(chips, leds, dead),
    )


def shuffled(squares: list[Switch | None]) -> st.SearchStrategy[list[Switch | None]]:
    """These in any order; drawn as one seed, because hundreds of draws are slow."""
    return st.randoms(use_true_random=True).map(lambda chance: chance.sample(squares, len(squares)))


@st.composite
def chips_of_a_board(draw: st.DrawFn) -> tuple[Chip, ...]:
    """Chips of any kinds, the squares in any order on their inputs."""
    kinds = draw(st.lists(st.sampled_from(list(ChipKind)), min_size=4, max_size=8))
    sizes = [len(DATASHEETS[kind].inputs) for kind in kinds]
    unread = draw(st.integers(0, 2))
    spare = sum(sizes) - 64 + unread
    order = draw(shuffled([*range(64 - unread), *([None] * spare)]))
    addresses = draw(st.permutations(ADDRESSES))
    chips = []
    for kind, size, address in zip(kinds, sizes, addresses, strict=False):
        squares, order = tuple(order[:size]), order[size:]
        if any(square is not None for square in squares):
            chips.append(Chip(kind, address, squares, draw(st.booleans())))
    return tuple(chips)


@st.composite
def strips(draw: st.DrawFn) -> Leds:
    """A strip by any rule, or listed LED by LED, on a line that its driver can use."""
    driver = draw(st.sampled_from(list(LedDriver)))
    listed = shuffled([*range(64), *range(9), *([None] * 7)]).map(tuple)
    unlit = [st.sampled_from([(), (0, None, 1)])] if driver is LedDriver.NONE else []
    free = [gpio for gpio in STRIP_GPIOS[driver] if gpio not in I2C_GPIOS["/dev/i2c-1"]]
    kind = draw(st.sampled_from(list(StripKind)))
    white = ["GRBW"] if STRIP_SHEETS[kind].has_white else []
    colours = draw(st.sampled_from(["RGB", "GRB", "BGR", *white]))
    rules = [rule for rule in all_rules() if rule.leds <= most_leds(colours)]
    by_rule = st.sampled_from(rules).map(lambda rule: rule.squares())
    return Leds(
        driver=driver,
        kind=kind,
        device=draw(st.sampled_from(STRIP_DEVICES[driver])),
        gpio=draw(st.sampled_from(free)),
        colours=colours,
        squares=draw(st.one_of(by_rule, listed, *unlit)),
    )


@st.composite
def lines_beside(draw: st.DrawFn, leds: Leds) -> Lines:
    """Lines and buttons on GPIOs that nothing else uses."""
    taken = {*I2C_GPIOS["/dev/i2c-1"], *SPI_GPIOS, leds.gpio}
    gpios = draw(st.permutations([gpio for gpio in range(28) if gpio not in taken]))
    interrupt, reset, buzzer = (draw(st.sampled_from([None, gpio])) for gpio in gpios[:3])
    buttons = draw(st.lists(st.sampled_from(BUTTONS), unique=True))
    factory = draw(st.sampled_from(["lgpio", "rpigpio", "native", "mock"]))
    named = dict(zip(buttons, gpios[3:], strict=False))
    return Lines(interrupt, reset, buzzer, named, factory)
