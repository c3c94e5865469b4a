"""The options of ``sim-i2c:`` URLs: a simulated board behind a simulated bus."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from hardware.board_url import BoardUrl
from hardware.sim.i2c.controller import BCM2835, CONTROLLERS, Controller
from hardware.sim.i2c.faults import BusFaults, FaultKind, drawn
from hardware.sim.options import KNOWN, SimOptions, common_options, one_of
from hardware.sim.wiring_mistakes import Reality, scrambled, with_mistakes
from hardware.wiring import Wiring

KNOWN_I2C = (*KNOWN, "controller", "trouble", "every_s", "wiring_seed", "mistakes")
ALIASES = {"": "reference", "mcp23017": "reference", "pca9555": "tca9555"}
"""Chips whose board has another name."""
HOUR_US = 3_600_000_000
MOST_MISTAKES = 20
"""Most mistakes in the wires: each needs up to two squares of its own."""


@dataclass(frozen=True, slots=True)
class I2cOptions:
    """What a URL asks of a simulated board behind a bus."""

    board: str
    sim: SimOptions
    controller: Controller = BCM2835
    kinds: tuple[FaultKind, ...] = ()
    """What goes wrong on the bus, on the average every ``every_s`` seconds of the first hour."""
    every_s: int = 10
    wiring_seed: int | None = None
    """The seed by which all squares and LEDs are wired; None: as the board file has them."""
    mistakes: int = 0
    """Mistakes made in wiring them."""

    def troubles(self, wiring: Wiring) -> BusFaults:
        """The faults of the bus of this wiring."""
        if not self.kinds:
            return BusFaults()
        count, addresses = HOUR_US // (self.every_s * 1_000_000), [c.address for c in wiring.chips]
        random = Random(f"{self.sim.seed} bus")
        return BusFaults(drawn(random, self.kinds, count, (0, HOUR_US), addresses))

    def reality(self, wiring: Wiring) -> Reality:
        """The real wiring of a board that the firmware believes to be wired like this."""
        random = Random(f"{self.sim.seed if self.wiring_seed is None else self.wiring_seed} wires")
        if self.wiring_seed is not None:
            wiring = scrambled(wiring, random)
        return with_mistakes(wiring, random, self.mistakes)


def i2c_options(url: BoardUrl) -> I2cOptions:
    """What follows ``sim-i2c:``, as ``BOARD?key=value&key=value``. Raises WiringError."""
    board, given = url.split
    sim = common_options(url, given, KNOWN_I2C)
    name = one_of(url, "controller", given.get("controller", "bcm2835"), tuple(CONTROLLERS))
    return I2cOptions(
        ALIASES.get(board, board),
        sim,
        CONTROLLERS[name],
        _kinds(url, given.get("trouble", "")),
        max(1, url.number("every_s", given.get("every_s", "10"))),
        url.number("wiring_seed", given["wiring_seed"]) if "wiring_seed" in given else None,
        min(url.number("mistakes", given.get("mistakes", "0")), MOST_MISTAKES),
    )


def _kinds(url: BoardUrl, text: str) -> tuple[FaultKind, ...]:
    known = {kind.value: kind for kind in FaultKind}
    names = list(known) if text == "all" else text.split(",") if text else []
    return tuple(known[one_of(url, "trouble", name, (*known, "all"))] for name in names)
