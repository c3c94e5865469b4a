"""What a calibration has found: the wiring as it is, and what is wrong with it; pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from boardfw.squares import Switch
from hardware.calibration.inputs import Inputs, Pin, inputs_in, places_of, rewired
from hardware.calibration.measures import Measures
from hardware.calibration.owners import Owners, owners_of
from hardware.calibration.strip_order import dark_faults, order_faults, strip_of, unlit_faults
from hardware.calibration.wire_faults import Fault, Remarks
from hardware.datasheets import warnings_about
from hardware.wiring import LedDriver, Wiring

FEW = 8
"""More differences from the board file than this are told in one line: that file was a guess."""


@dataclass(frozen=True, slots=True)
class Findings:
    """``wiring``: None while a square has no input of its own, or no light."""

    wiring: Wiring | None
    faults: tuple[Fault, ...]
    """What is wrong, or different from the board file."""
    troubles: tuple[Fault, ...]
    """Switches that are wired well and will make trouble."""


def conclude(
    believed: Wiring,
    pins: Sequence[Pin],
    seen: Mapping[Switch, Inputs],
    lit: Mapping[int, Switch | None],
    stuck: Inputs,
    measures: Measures,
) -> Findings:
    """Findings about a board whose file says ``believed``; ``pins``: of its chips.

    The rest is what ``procedure.Calibration`` has learnt under the same names.
    """
    owners = owners_of(seen)
    words = Remarks(pins, places_of(believed.chips, pins))
    places = _places(owners, words)
    strip = strip_of(believed.leds.squares, lit) if lit else believed.leds.squares
    faults = [
        *words.stuck(stuck | owners.sticking),
        *_about_inputs(owners, words, stuck),
        *_otherwise(places, words),
        *dark_faults(believed.leds.squares, lit),
        *(unlit_faults(strip) if believed.leds.driver is not LedDriver.NONE else ()),
        *order_faults(believed.leds.squares, strip, FEW),
    ]
    has_light = believed.leds.driver is LedDriver.NONE or len({*strip} - {None}) == 64
    wiring = None
    if len(places) == 64 and has_light:
        chips = tuple(c for c in rewired(believed.chips, pins, places) if c.covers)
        leds = replace(believed.leds, squares=strip)
        wiring = replace(believed, chips=chips, leds=leds, warnings=warnings_about(chips))
    owner = {number: square for square, number in places.items()}
    troubles = (Fault("switch", (square,), text) for square, text in measures.troubles(owner))
    return Findings(wiring, tuple(faults), tuple(troubles))


def _places(owners: Owners, words: Remarks) -> dict[Switch, int]:
    """The input that the new file gives each square; of several, the one it had."""
    chosen = {
        square: words.places[square] if words.places.get(square) in free else free[0]
        for square, free in owners.bridged.items()
    }
    return {**owners.own, **chosen}


def _about_inputs(owners: Owners, words: Remarks, stuck: Inputs) -> Iterator[Fault]:
    silent = [
        number
        for number in range(len(words.pins))
        if not (stuck | owners.sticking) >> number & 1
        and not any(inputs >> number & 1 for inputs in owners.seen.values())
    ]
    for square in owners.missing:
        yield words.missing(square, silent, len(owners.missing))
    for number, squares in sorted(owners.shared.items()):
        yield words.shared(squares, number, silent)
    for squares, numbers in owners.joined:
        yield words.joined(squares, numbers)
    for square in owners.bridged:
        yield words.bridged(square, inputs_in(owners.seen[square]))


def _otherwise(places: Mapping[Switch, int], words: Remarks) -> Iterator[Fault]:
    """Squares that are on another input than the board file says."""
    moved = {s: n for s, n in places.items() if words.places.get(s, n) != n}
    if len(moved) > FEW:
        yield words.rewired(sorted(moved))
        return
    was = {number: square for square, number in words.places.items()}
    for square, number in moved.items():
        other = was.get(number)
        if other is not None and moved.get(other) == words.places[square]:
            if square < other:
                yield words.swapped(square, other, number, moved[other])
        else:
            yield words.moved(square, number)
