"""Tables of docs/build whose figures come from the code: power, and the lines of config.txt."""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.lights.palette import CHANNEL_MA, QUIESCENT_MA
from docs.drawing.pages import table
from docs.drawing.parts import amperes, fuse_ma, supply_ma
from hardware.model import CORE_CLOCK
from hardware.wiring import Wiring

WITHOUT = "without the firmware's limit"


def power_table(boards: Sequence[tuple[str, Wiring]]) -> str:
    """What the strip may draw, and what that asks of its adapter and fuse."""
    head = ("board", "`supply_ma`", "adapter", "fuse", f"all LEDs white, {WITHOUT}")
    rows = (
        (
            f"`{name}`",
            wiring.supply_ma,
            amperes(supply_ma(wiring)),
            amperes(fuse_ma(wiring)),
            f"{white_ma(wiring) / 1000:.1f} A",
        )
        for name, wiring in boards
    )
    return table(head, rows)


def white_ma(wiring: Wiring) -> int:
    """What the strip draws at its brightest."""
    return len(wiring.leds.squares) * (3 * CHANNEL_MA + QUIESCENT_MA)


def config_table() -> str:
    """The lines beside the common ones, for each model."""
    models: dict[tuple[str, ...], list[str]] = {}
    for model, lines in CORE_CLOCK.items():
        models.setdefault(lines, []).append(model.removeprefix("Raspberry Pi "))
    rows = [(", ".join(names), _code(lines)) for lines, names in models.items()]
    return table(("Raspberry Pi", "lines"), [*rows, ("any other, 5 and 500 among them", "none")])


def _code(lines: Sequence[str]) -> str:
    return " and ".join(f"`{line}`" for line in lines)


def common_lines(boards: Sequence[tuple[str, Wiring]]) -> str:
    """What config.txt needs on every model. Raises ValueError where boards differ."""
    (hz,) = {wiring.bus.hz for _, wiring in boards}
    return f"```\ndtparam=i2c_arm=on,i2c_arm_baudrate={hz}\ndtparam=spi=on\n```"
