"""The options of ``sim:`` and ``sim-i2c:`` URLs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from boardfw.errors import WiringError
from boardfw.recording import START_FEN
from boardfw.squares import SWITCH_BY_NAME, Occupancy, Switch, occupancy_of
from hardware.board_url import BoardUrl, hint
from hardware.sim.board import pieces_of
from hardware.sim.faults import PRESETS, Faults
from hardware.sim.i2c.controller import BCM2835, CONTROLLERS, Controller
from hardware.sim.i2c.faults import BusFaults, FaultKind, drawn
from hardware.sim.wiring_mistakes import Reality, scrambled, with_mistakes
from hardware.wiring import Wiring

KNOWN = ("seed", "faults", "stuck_open", "stuck_closed", "pieces")
PLACES = ("ready", "box", "start")
"""Where the pieces are at first: as the game begins, in the box beside the board, or in the usual
starting position."""
KNOWN_SIM = (*KNOWN, "hang_s")
KNOWN_I2C = (*KNOWN, "controller", "trouble", "every_s", "wiring_seed", "mistakes")
ALIASES = {"": "reference", "mcp23017": "reference", "pca9555": "tca9555"}
"""Chips whose board has another name."""
HOUR_US = 3_600_000_000
LONGEST_US = 2_000_000
"""How long a trouble of the bus lasts at most."""
MOST_MISTAKES = 20
"""Most mistakes in the wires: each needs up to two squares of its own."""


@dataclass(frozen=True, slots=True)
class SimOptions:
    """What a URL asks of the simulator."""

    seed: int = 0
    faults: Faults = PRESETS["reed"]
    pieces: str = "ready"
    """One of ``PLACES``."""

    def placed(self, wanted: Mapping[Switch, str]) -> tuple[dict[Switch, str], Counter[str]]:
        """The pieces on the board at first, and those beside it: the rest of a whole set."""
        start = pieces_of(START_FEN)
        pieces = {"ready": dict(wanted), "box": {}, "start": start}[self.pieces]
        return pieces, (Counter(start.values()) | Counter(wanted.values())) - Counter(
            pieces.values()
        )


def sim_options(url: BoardUrl) -> SimOptions:
    """The options after ``sim:``, as ``?key=value&key=value``. Raises WiringError."""
    name, given = url.split
    if name:
        raise WiringError(f"'{url}': options begin with a question mark, sim:?seed=7")
    options = _common_options(url, given, KNOWN_SIM)
    if "hang_s" not in given:
        return options
    hang_us = 1_000_000 * url.number("hang_s", given["hang_s"])
    return replace(options, faults=replace(options.faults, hang_us=hang_us))


def _common_options(url: BoardUrl, given: dict[str, str], known: tuple[str, ...]) -> SimOptions:
    for key in given:
        if key not in known:
            raise WiringError(f"'{url}': no option {key!r}; {hint(key, known)}")
    faults = replace(
        PRESETS[_one_of(url, "faults", given.get("faults", "reed"), tuple(PRESETS))],
        stuck_open=_switches(url, given.get("stuck_open", "")),
        stuck_closed=_switches(url, given.get("stuck_closed", "")),
    )
    pieces = given.get("pieces", "ready")
    if pieces not in PLACES:
        raise WiringError(f"'{url}': the pieces cannot be {pieces!r}; {hint(pieces, PLACES)}")
    return SimOptions(url.number("seed", given.get("seed", "0")), faults, pieces)


def _one_of(url: BoardUrl, what: str, name: str, known: tuple[str, ...]) -> str:
    if name not in known:
        raise WiringError(f"'{url}': no {what} {name!r}; {hint(name, known)}")
    return name


def _switches(url: BoardUrl, text: str) -> Occupancy:
    names = text.split(",") if text else []
    for name in names:
        if name not in SWITCH_BY_NAME:
            raise WiringError(f"'{url}': {name!r} is not a square; write squares as e4,a1")
    return occupancy_of(SWITCH_BY_NAME[name] for name in names)


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
        return BusFaults(drawn(random, self.kinds, count, (0, HOUR_US), addresses, LONGEST_US))

    def reality(self, wiring: Wiring) -> Reality:
        """The real wiring of a board that the firmware believes to be wired like this."""
        random = Random(f"{self.sim.seed if self.wiring_seed is None else self.wiring_seed} wires")
        if self.wiring_seed is not None:
            wiring = scrambled(wiring, random)
        return with_mistakes(wiring, random, self.mistakes)


def i2c_options(url: BoardUrl) -> I2cOptions:
    """What follows ``sim-i2c:``, as ``BOARD?key=value&key=value``. Raises WiringError."""
    board, given = url.split
    sim = _common_options(url, given, KNOWN_I2C)
    name = _one_of(url, "controller", given.get("controller", "bcm2835"), tuple(CONTROLLERS))
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
    return tuple(known[_one_of(url, "trouble", name, (*known, "all"))] for name in names)
