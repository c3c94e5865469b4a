"""Worlds: what happens at a board while hands of any kind play on it.

A world changes the habits of the hands, lays an interference over their switches, breaks some of
them or wires them wrong. Worlds can be added to each other: ``blitz+bumps+wide`` is played by blitz
hands on a board of halls that is bumped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from boardfw.squares import EVERY_SWITCH, NO_SWITCHES, Occupancy
from hardware.sim.broken import (
    Wires,
    bridged,
    dead_switches,
    frozen_chip,
    lost_row,
    mirrored,
    swapped,
)
from hardware.sim.faults import PRESETS
from hardware.sim.forcing import Interference
from hardware.sim.hand_profiles import HandProfile
from hardware.sim.interference import bumps, rings

AND = "+"
"""What stands between the names of hands and of worlds."""


@dataclass(frozen=True, slots=True)
class World:
    """One thing that happens.

    ``hands``: figures of the hands' profile that are other ones there; ``scan_period_us``: of its
    board, None where it does not matter; ``is_analysed``: whether the players end the game, and
    then move the pieces about.
    """

    about: str
    hands: Mapping[str, Any] | None = None
    interference: Interference | None = None
    wires: Callable[[Random], Wires] | None = None
    scan_period_us: int | None = None
    is_analysed: bool = False


WORLDS: Mapping[str, World] = {
    "holding": World(
        "one or two pieces stay in the hand for 8 to 300 s, others are straightened meanwhile",
        {"long_hold": 0.12},
    ),
    "bumps": World("the board is bumped three times a game", interference=bumps),
    "both": World(
        "both players slide pieces at the same time",
        {"slide": 0.8, "overlap": 0.5, "overlap_us": (-900_000, -20_000)},
    ),
    "parking": World("captured pieces wait on squares of the board", {"park": 0.5}),
    "rings": World("bracelets with magnets pass over squares, or rest on the edge", None, rings),
    "sleeves": World("sleeves shove pieces aside, which are put straight", {"brush": 0.12}),
    "toppling": World("pieces fall over, and are stood up again", {"knock": 0.08}),
    "analysis": World(
        "a player resigns, then both move the pieces about and put them back or clear them away",
        is_analysed=True,
    ),
    "lost-row": World("a rank or a file of switches reads open from mid-game on", None, lost_row),
    "bridged": World("the wires of two neighbouring switches touch", wires=bridged),
    "frozen": World("two ranks of switches do not change for 20 s", interference=frozen_chip),
    "dead": World("two switches never move, and nobody says so", interference=dead_switches),
    "swapped": World("the wires of two switches are interchanged", wires=swapped),
    "mirrored": World("the files are wired from the wrong end", wires=mirrored),
    "wide": World(
        "halls that feel neighbouring pieces, read 50 times a second",
        {"board": PRESETS["wide"]},
        scan_period_us=20_000,
    ),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """The worlds in which a game is played, all at once."""

    worlds: tuple[World, ...] = ()

    @property
    def interferences(self) -> Sequence[Interference]:
        """What is laid over the switches, in the order of the worlds."""
        return [world.interference for world in self.worlds if world.interference]

    @property
    def is_analysed(self) -> bool:
        """True if the players look at the game when it is over."""
        return any(world.is_analysed for world in self.worlds)

    @property
    def scan_period_us(self) -> int | None:
        """How often the switches are read; None: it does not matter."""
        return max((world.scan_period_us or 0 for world in self.worlds), default=0) or None

    def hands(self, profile: HandProfile) -> HandProfile:
        """These hands as they are in these worlds."""
        for world in self.worlds:
            profile = replace(profile, **(world.hands or {}))
        return profile

    def wired(self, seed: int) -> tuple[Wires, Occupancy]:
        """How the board is wired, and the switches whose wires are wrong."""
        chosen = [world.wires(Random(f"{seed} wires")) for world in self.worlds if world.wires]

        def read(closed: Occupancy) -> Occupancy:
            for wires in chosen:
                closed = wires(closed)
            return closed

        wrong = NO_SWITCHES
        for switch in EVERY_SWITCH:
            alone = 1 << switch
            wrong |= NO_SWITCHES if read(alone) == alone else alone
        return read, wrong


def split(text: str) -> tuple[str, Setting]:
    """Return the name of the hands and the worlds of ``HANDS+WORLD+...``.

    Raises ValueError, with the name, for an unknown world.
    """
    hands, *names = text.split(AND)
    for name in names:
        if name not in WORLDS:
            raise ValueError(name)
    return hands, Setting(tuple(WORLDS[name] for name in dict.fromkeys(names)))
