"""What a calibration has found: the wiring as it is, and what is wrong with it; pure.

LEDs are counted from 0 in code and from 1 for people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from boardfw.squares import ALL_SWITCHES, NAMES, Occupancy, Switch, occupancy_of, switches_in
from hardware.boards.led_rule import LedRule, rule_of
from hardware.calibration.inputs import Inputs, Pin, inputs_in, places_of, rewired
from hardware.calibration.owners import Owners, owners_of
from hardware.calibration.procedure import Calibration
from hardware.calibration.wire_faults import AS_IT_IS, Fault, Remarks
from hardware.datasheets import warnings_about
from hardware.wiring import MOST_DEAD, LedDriver, Wiring

FEW = 8
"""More differences from the board file than this are told in one line: that file was a guess."""


@dataclass(frozen=True, slots=True)
class Findings:
    """``wiring``: None while too many squares have no input of their own, or one has no light."""

    wiring: Wiring | None
    faults: tuple[Fault, ...]
    """What is wrong, or different from the board file."""
    troubles: tuple[Fault, ...]
    """Switches that are wired well and will make trouble."""


def conclude(believed: Wiring, pins: Sequence[Pin], learnt: Calibration) -> Findings:
    """Findings about a board whose file says ``believed``; ``pins``: of its chips."""
    lit, stuck, owners = learnt.lit, learnt.stuck, owners_of(learnt.seen)
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
    if 64 - len(places) <= MOST_DEAD and has_light:
        dead = ALL_SWITCHES & ~occupancy_of(places)
        kept = _kept(dead, words, owners, stuck)
        chips = tuple(c for c in rewired(believed.chips, pins, {**places, **kept}) if c.covers)
        leds = replace(believed.leds, squares=strip)
        told = warnings_about(chips, leds, dead)
        wiring = replace(believed, chips=chips, leds=leds, dead=dead, warnings=told)
    owner = {number: square for square, number in places.items()}
    troubles = (
        Fault("switch", (square,), text) for square, text in learnt.measures.troubles(owner)
    )
    return Findings(wiring, tuple(faults), tuple(troubles))


def _places(owners: Owners, words: Remarks) -> dict[Switch, int]:
    """The input that the new file gives each square; of several, the one it had."""
    chosen = {
        square: words.places[square] if words.places.get(square) in free else free[0]
        for square, free in owners.bridged.items()
    }
    return {**owners.own, **chosen}


def _kept(dead: Occupancy, words: Remarks, owners: Owners, stuck: Inputs) -> dict[Switch, int]:
    """Return the inputs that the board file gives squares of dead switches, if nothing closes them.

    A switch that is dead now may be repaired there: the game believes it once it moves.
    """
    silent = _silent(owners, words, stuck)
    believed = {square: words.places.get(square) for square in switches_in(dead)}
    return {square: number for square, number in believed.items() if number in silent}


def _silent(owners: Owners, words: Remarks, stuck: Inputs) -> list[int]:
    """Return the inputs that nothing has closed."""
    return [
        number
        for number in range(len(words.pins))
        if not (stuck | owners.sticking) >> number & 1
        and not any(inputs >> number & 1 for inputs in owners.seen.values())
    ]


def _about_inputs(owners: Owners, words: Remarks, stuck: Inputs) -> Iterator[Fault]:
    silent = _silent(owners, words, stuck)
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


Strip = tuple[Switch | None, ...]


def strip_of(believed: Strip, lit: Mapping[int, Switch | None]) -> Strip:
    """The square over each LED; LEDs that stayed dark lie where that can be inferred.

    That is so where one LED stayed dark and one square has no light, and where the board file has
    the dark LEDs just under the squares without light.
    """
    seen = [lit.get(led) for led in range(len(believed))]
    unlit = {*range(64)} - {square for square in seen if square is not None}
    dark = [led for led, square in lit.items() if square is None]
    if {believed[led] for led in dark} == unlit:
        inferred = {led: believed[led] for led in dark}
    else:
        inferred = dict(zip(dark, unlit, strict=True)) if len(dark) == len(unlit) == 1 else {}
    return tuple(inferred.get(led, square) for led, square in enumerate(seen))


def dark_faults(believed: Strip, lit: Mapping[int, Switch | None]) -> Iterator[Fault]:
    """LEDs that were switched on and stayed dark."""
    dark = sorted(led for led, square in lit.items() if square is None)
    tail = [led for led in dark if all(lit[at] is None for at in lit if at >= led)]
    if len(tail) > 1:
        yield _cut(believed, tail)
        dark = [led for led in dark if led not in tail]
    for led in dark:
        square = believed[led]
        where = "" if square is None else f" ({NAMES[square]} in the board file)"
        text = (
            f"LED {led + 1} of the strip{where} stays dark; exchange it, or look at its supply, "
            "and whether it lies under a square at all"
        )
        yield Fault("dark", () if square is None else (square,), text)


def _cut(believed: Strip, tail: Sequence[int]) -> Fault:
    first = tail[0] + 1
    before = f"between LED {tail[0]} and LED {first}" if tail[0] else "to its first LED"
    text = (
        f"the strip is dark from LED {first} on; look at the data line {before}, its direction, "
        "and the supply there; or the strip has fewer LEDs than the board file says"
    )
    return Fault("dark", tuple(s for led in tail if (s := believed[led]) is not None), text)


def unlit_faults(strip: Strip) -> Iterator[Fault]:
    """Squares under which no LED lies."""
    unlit = sorted({*range(64)} - {*strip})
    if unlit:
        names = ", ".join(NAMES[square] for square in unlit[:8])
        more = f" and {len(unlit) - 8} more" if len(unlit) > 8 else ""
        text = (
            f"no LED lights {names}{more}; count the strip's LEDs ({len(strip)} in the board "
            "file), and see that each lies under its square"
        )
        yield Fault("unlit", tuple(unlit), text)


def order_faults(believed: Strip, strip: Strip, few: int) -> Iterator[Fault]:
    """LEDs under other squares than the board file says; more than a few in one line."""
    moved = {led: at for led, at in enumerate(strip) if at is not None and at != believed[led]}
    if len(moved) > few:
        rule = rule_of(strip)
        how = "in no simple order" if rule is None else _in_words(rule)
        text = f"{len(moved)} LEDs lie elsewhere than the board file says, {how}; {AS_IT_IS}"
        yield Fault("led order", tuple(sorted(set(moved.values()))), text)
        return
    for led, square in moved.items():
        was = believed[led]
        instead = "" if was is None else f", not under {NAMES[was]}"
        text = f"LED {led + 1} of the strip lies under {NAMES[square]}{instead}; {AS_IT_IS}"
        yield Fault("led order", (square,), text)


def _in_words(rule: LedRule) -> str:
    way = "back and forth" if rule.serpentine else "every line the same way"
    return f"from {rule.corner} along the {rule.along}, {way}"
