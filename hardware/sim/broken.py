"""What breaks on a board, or was wired wrong, as the reader of its switches sees it.

Times and places are random. Chips have 16 inputs each, two ranks (as on boards of four expanders).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from boardfw.squares import (
    EVERY_SWITCH,
    Occupancy,
    Switch,
    file_of,
    occupancy_of,
    rank_of,
    switch_at,
    switches_in,
)
from hardware.sim.faults import neighbours
from hardware.sim.forcing import FOR_EVER_US, Forcing, Scene

FROZEN_US = 20_000_000
"""How long a chip answers with what it read last, until it is reset."""

Wires = Callable[[Occupancy], Occupancy]
"""From what the switches are to what is read of them."""


def lost_row(scene: Scene) -> Iterator[Forcing]:
    """The wire of a whole rank or file breaks in mid-game: all its switches read open."""
    along = rank_of if scene.random.random() < 0.5 else file_of
    number = scene.random.randrange(8)
    row = occupancy_of(switch for switch in EVERY_SWITCH if along(switch) == number)
    yield Forcing(scene.some_time_us(0.3, 0.7), FOR_EVER_US, opened=row, is_fault=True)


def dead_switches(scene: Scene) -> Iterator[Forcing]:
    """Two switches never move, from the beginning on: they read open or closed."""
    for switch in scene.random.sample(EVERY_SWITCH, 2):
        mask = occupancy_of([switch])
        if scene.random.random() < 0.5:
            yield Forcing(0, FOR_EVER_US, opened=mask, is_fault=True)
        else:
            yield Forcing(0, FOR_EVER_US, closed=mask, is_fault=True)


def frozen_chip(scene: Scene) -> Iterator[Forcing]:
    """For a while the switches of two ranks read as they read at its beginning."""
    first = 2 * scene.random.randrange(4)
    chip = occupancy_of(switch_at(file, rank) for rank in (first, first + 1) for file in range(8))
    since_us = scene.some_time_us(0.1, 0.9)
    closed = scene.closed_at(since_us) & chip
    until_us = since_us + FROZEN_US
    yield Forcing(since_us, until_us, opened=chip & ~closed, closed=closed, is_fault=True)


def bridged(random: Random) -> Wires:
    """The wires of two neighbouring switches touch: both read closed if one of them is."""
    one = random.choice(EVERY_SWITCH)
    both = occupancy_of([one, random.choice(neighbours(one))])
    return lambda closed: closed | both if closed & both else closed


def swapped(random: Random) -> Wires:
    """The wires of two switches are interchanged."""
    one, other = random.sample(EVERY_SWITCH, 2)
    return _rewired({one: other, other: one})


def mirrored(_: Random) -> Wires:
    """The files are wired from the wrong end: what happens on a is read on h."""
    return _rewired({one: switch_at(7 - file_of(one), rank_of(one)) for one in EVERY_SWITCH})


def _rewired(read_at: dict[Switch, Switch]) -> Wires:
    return lambda closed: occupancy_of(
        read_at.get(switch, switch) for switch in switches_in(closed)
    )
