"""The options of ``sim:`` and ``sim-i2c:`` URLs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from boardfw.errors import WiringError
from boardfw.squares import BY_NAME, Occupancy, occupancy_of
from hardware import hint
from hardware.wiring import Wiring

from .faults import PRESETS, Faults
from .i2c.controller import BCM2835, CONTROLLERS, Controller
from .i2c.faults import BusFaults, FaultKind, drawn

KNOWN = ("seed", "faults", "stuck_open", "stuck_closed")
KNOWN_I2C = (*KNOWN, "controller", "trouble", "every_s")
ALIASES = {"": "reference", "mcp23017": "reference", "pca9555": "tca9555"}
"""Chips whose board has another name."""
HOUR_US = 3_600_000_000
LONGEST_US = 2_000_000
"""A trouble of the bus lasts so long at most."""


@dataclass(frozen=True, slots=True)
class SimOptions:
    """What a URL asks of the simulator."""

    seed: int = 0
    faults: Faults = PRESETS["reed"]


@dataclass(frozen=True, slots=True)
class I2cOptions:
    """What a URL asks of a simulated board behind a bus."""

    board: str
    sim: SimOptions
    controller: Controller = BCM2835
    kinds: tuple[FaultKind, ...] = ()
    """What goes wrong on the bus, on the average every ``every_s`` seconds of the first hour."""
    every_s: int = 10

    def troubles(self, wiring: Wiring) -> BusFaults:
        """The faults of the bus of this wiring."""
        if not self.kinds:
            return BusFaults()
        count, addresses = HOUR_US // (self.every_s * 1_000_000), [c.address for c in wiring.chips]
        random = Random(f"{self.sim.seed} bus")
        return BusFaults(drawn(random, self.kinds, count, (0, HOUR_US), addresses, LONGEST_US))


def i2c_options(url: str, rest: str) -> I2cOptions:
    """What follows ``sim-i2c:``, as ``BOARD?key=value&key=value``. Raises WiringError."""
    board, mark, options = rest.partition("?")
    given = _pairs(url, mark + options, KNOWN_I2C)
    name = given.get("controller", "bcm2835")
    if name not in CONTROLLERS:
        raise WiringError(f"{url!r}: no controller {name!r}; {hint(name, tuple(CONTROLLERS))}")
    return I2cOptions(
        ALIASES.get(board, board),
        _sim_options(url, given),
        CONTROLLERS[name],
        _kinds(url, given.get("trouble", "")),
        max(1, _number(url, "every_s", given.get("every_s", "10"))),
    )


def _kinds(url: str, text: str) -> tuple[FaultKind, ...]:
    known = {kind.value: kind for kind in FaultKind}
    names = list(known) if text == "all" else text.split(",") if text else []
    for name in names:
        if name not in known:
            raise WiringError(f"{url!r}: no trouble {name!r}; {hint(name, (*known, 'all'))}")
    return tuple(known[name] for name in names)


def sim_options(url: str, rest: str) -> SimOptions:
    """The options after ``sim:``, as ``?key=value&key=value``. Raises WiringError."""
    return _sim_options(url, _pairs(url, rest, KNOWN))


def _sim_options(url: str, given: dict[str, str]) -> SimOptions:
    faults = replace(
        _preset(url, given.get("faults", "reed")),
        stuck_open=_squares(url, given.get("stuck_open", "")),
        stuck_closed=_squares(url, given.get("stuck_closed", "")),
    )
    return SimOptions(_number(url, "seed", given.get("seed", "0")), faults)


def _pairs(url: str, rest: str, known: tuple[str, ...]) -> dict[str, str]:
    if rest and not rest.startswith("?"):
        raise WiringError(f"{url!r}: options begin with a question mark, sim:?seed=7")
    given: dict[str, str] = {}
    for pair in filter(None, rest[1:].split("&")):
        key, _, value = pair.partition("=")
        if key not in known:
            raise WiringError(f"{url!r}: no option {key!r}; {hint(key, known)}")
        if key in given:
            raise WiringError(f"{url!r}: option {key!r} is given twice")
        given[key] = value
    return given


def _number(url: str, key: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise WiringError(f"{url!r}: {key} must be a number of up to 18 digits, not {text!r}")
    return int(text)


def _preset(url: str, name: str) -> Faults:
    if name not in PRESETS:
        raise WiringError(f"{url!r}: no faults {name!r}; {hint(name, tuple(PRESETS))}")
    return PRESETS[name]


def _squares(url: str, text: str) -> Occupancy:
    names = text.split(",") if text else []
    for name in names:
        if name not in BY_NAME:
            raise WiringError(f"{url!r}: {name!r} is no square; write squares as e4,a1")
    return occupancy_of(BY_NAME[name] for name in names)
