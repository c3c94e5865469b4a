"""The options of ``sim:`` URLs, which those of ``sim-i2c:`` have as well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from boardfw.errors import WiringError
from boardfw.recording import START_FEN
from boardfw.squares import SWITCH_BY_NAME, Occupancy, Switch, occupancy_of
from hardware.board_url import BoardUrl, hint
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


def sim_options(url: BoardUrl) -> SimOptions:
    """The options after ``sim:``, as ``?key=value&key=value``. Raises WiringError."""
    name, given = url.split
    if name:
        raise WiringError(f"'{url}': options begin with a question mark, sim:?seed=7")
    options = common_options(url, given, KNOWN_SIM)
    if "hang_s" not in given:
        return options
    hang_us = 1_000_000 * url.number("hang_s", given["hang_s"])
    return replace(options, faults=replace(options.faults, hang_us=hang_us))


def common_options(url: BoardUrl, given: dict[str, str], known: tuple[str, ...]) -> SimOptions:
    """The options that both kinds of simulated boards have. Raises WiringError for others."""
    for key in given:
        if key not in known:
            raise WiringError(f"'{url}': no option {key!r}; {hint(key, known)}")
    faults = replace(
        PRESETS[one_of(url, "faults", given.get("faults", "reed"), tuple(PRESETS))],
        stuck_open=_switches(url, given.get("stuck_open", "")),
        stuck_closed=_switches(url, given.get("stuck_closed", "")),
    )
    pieces = given.get("pieces", "ready")
    if pieces not in PLACES:
        raise WiringError(f"'{url}': the pieces cannot be {pieces!r}; {hint(pieces, PLACES)}")
    return SimOptions(url.number("seed", given.get("seed", "0")), faults, pieces)


def one_of(url: BoardUrl, what: str, name: str, known: tuple[str, ...]) -> str:
    """The name, if it is known. Raises WiringError."""
    if name not in known:
        raise WiringError(f"'{url}': no {what} {name!r}; {hint(name, known)}")
    return name


def _switches(url: BoardUrl, text: str) -> Occupancy:
    names = text.split(",") if text else []
    for name in names:
        if name not in SWITCH_BY_NAME:
            raise WiringError(f"'{url}': {name!r} is not a square; write squares as e4,a1")
    return occupancy_of(SWITCH_BY_NAME[name] for name in names)
