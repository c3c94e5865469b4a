"""The options of a ``sim:`` URL, and what all simulated boards have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from boardfw.errors import WiringError
from boardfw.recording import START_FEN
from boardfw.squares import SWITCH_BY_NAME, Occupancy, Switch, occupancy_of
from hardware import hint
from hardware.sim.board import pieces_of
from hardware.sim.faults import PRESETS, Faults

KNOWN = ("seed", "faults", "stuck_open", "stuck_closed", "pieces")
PLACES = ("ready", "box", "start")
"""Where the pieces are at first: as the game begins, in the box beside the board, or in the usual
starting position."""
KNOWN_SIM = (*KNOWN, "hang_s")


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
    pieces = given.get("pieces", "ready")
    if pieces not in PLACES:
        raise WiringError(f"{url!r}: the pieces cannot be {pieces!r}; {hint(pieces, PLACES)}")
    return SimOptions(number(url, "seed", given.get("seed", "0")), faults, pieces)


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
        if name not in SWITCH_BY_NAME:
            raise WiringError(f"{url!r}: {name!r} is not a square; write squares as e4,a1")
    return occupancy_of(SWITCH_BY_NAME[name] for name in names)
