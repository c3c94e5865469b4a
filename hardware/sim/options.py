"""The options of a ``sim:`` URL, and what all simulated boards have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from boardfw.errors import WiringError
from boardfw.recording import START_FEN
from boardfw.squares import BY_NAME, Occupancy, Square, occupancy_of
from hardware import hint
from hardware.sim.board import men_of
from hardware.sim.faults import PRESETS, Faults
from hardware.sim.i2c.controller import BCM2835, CONTROLLERS, Controller
from hardware.sim.i2c.faults import BusFaults, FaultKind, drawn
from hardware.sim.wiring_mistakes import Reality, scrambled, with_mistakes
from hardware.wiring import Wiring

KNOWN = ("seed", "faults", "stuck_open", "stuck_closed", "men")
PLACES = ("ready", "box", "start")
"""Where the men are at first: as the game begins, in the box beside the board, or as games usually
begin."""
KNOWN_SIM = (*KNOWN, "hang_s")


@dataclass(frozen=True, slots=True)
class SimOptions:
    """What a URL asks of the simulator."""

    seed: int = 0
    faults: Faults = PRESETS["reed"]
    men: str = "ready"
    """One of ``PLACES``."""

    def placed(self, wanted: Mapping[Square, str]) -> tuple[dict[Square, str], Counter[str]]:
        """Who stands where at first, and who is beside the board: the others of a whole set."""
        start = men_of(START_FEN)
        men = {"ready": dict(wanted), "box": {}, "start": start}[self.men]
        return men, (Counter(start.values()) | Counter(wanted.values())) - Counter(men.values())


def sim_options(url: str, rest: str) -> SimOptions:
    """The options after ``sim:``, as ``?key=value&key=value``. Raises WiringError."""
    given = pairs(url, rest, KNOWN_SIM)
    options = common_options(url, given)
    if "hang_s" not in given:
        return options
    hang_us = 1_000_000 * number(url, "hang_s", given["hang_s"])
    return replace(options, faults=replace(options.faults, hang_us=hang_us))


def common_options(url: str, given: dict[str, str]) -> SimOptions:
    """The options of any simulated board. Raises WiringError."""
    faults = replace(
        _preset(url, given.get("faults", "reed")),
        stuck_open=_squares(url, given.get("stuck_open", "")),
        stuck_closed=_squares(url, given.get("stuck_closed", "")),
    )
    men = given.get("men", "ready")
    if men not in PLACES:
        raise WiringError(f"{url!r}: the men cannot be {men!r}; {hint(men, PLACES)}")
    return SimOptions(number(url, "seed", given.get("seed", "0")), faults, men)


def pairs(url: str, rest: str, known: tuple[str, ...]) -> dict[str, str]:
    """The options by name. Raises WiringError."""
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


def number(url: str, key: str, text: str) -> int:
    """A number of seeds or seconds. Raises WiringError."""
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


# FROM i2c_options.py: The options of a ``sim-i2c:`` URL.

KNOWN_I2C = (*KNOWN, "controller", "trouble", "every_s", "wiring_seed", "mistakes")
ALIASES = {"": "reference", "mcp23017": "reference", "pca9555": "tca9555"}
"""Chips whose board has another name."""
HOUR_US = 3_600_000_000
LONGEST_US = 2_000_000
"""A trouble of the bus lasts so long at most."""
MOST_MISTAKES = 20
"""In the wires: each wants up to two squares of its own."""


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
    """All squares and LEDs are wired by this chance; None: as the board file has them."""
    mistakes: int = 0
    """Mistakes made in wiring them."""

    def troubles(self, wiring: Wiring) -> BusFaults:
        """The faults of the bus of this wiring."""
        if not self.kinds:
            return BusFaults()
        count, addresses = HOUR_US // (self.every_s * 1_000_000), [c.address for c in wiring.chips]
        random = Random(f"{self.sim.seed} bus")
        return BusFaults(drawn(random, self.kinds, count, (0, HOUR_US), addresses, LONGEST_US))

    def reality(self, wiring: Wiring) -> Reality:
        """How the board is wired that the firmware believes to be wired like this."""
        random = Random(f"{self.sim.seed if self.wiring_seed is None else self.wiring_seed} wires")
        if self.wiring_seed is not None:
            wiring = scrambled(wiring, random)
        return with_mistakes(wiring, random, self.mistakes)


def i2c_options(url: str, rest: str) -> I2cOptions:
    """What follows ``sim-i2c:``, as ``BOARD?key=value&key=value``. Raises WiringError."""
    board, mark, options = rest.partition("?")
    given = pairs(url, mark + options, KNOWN_I2C)
    name = given.get("controller", "bcm2835")
    if name not in CONTROLLERS:
        raise WiringError(f"{url!r}: no controller {name!r}; {hint(name, tuple(CONTROLLERS))}")
    return I2cOptions(
        ALIASES.get(board, board),
        common_options(url, given),
        CONTROLLERS[name],
        _kinds(url, given.get("trouble", "")),
        max(1, number(url, "every_s", given.get("every_s", "10"))),
        number(url, "wiring_seed", given["wiring_seed"]) if "wiring_seed" in given else None,
        min(number(url, "mistakes", given.get("mistakes", "0")), MOST_MISTAKES),
    )


def _kinds(url: str, text: str) -> tuple[FaultKind, ...]:
    known = {kind.value: kind for kind in FaultKind}
    names = list(known) if text == "all" else text.split(",") if text else []
    for name in names:
        if name not in known:
            raise WiringError(f"{url!r}: no trouble {name!r}; {hint(name, (*known, 'all'))}")
    return tuple(known[name] for name in names)
