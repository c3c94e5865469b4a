"""What a calibration has found: the wiring as it is, and what is wrong with it; pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from boardfw.squares import NAMES, Square
from hardware.calibration.inputs import Inputs, Pin, inputs_in, places_of, rewired
from hardware.calibration.measures import Measures
from hardware.calibration.owners import Owners, owners_of
from hardware.calibration.strip_order import dark_faults, order_faults, strip_of, unlit_faults
from hardware.datasheets import warnings_about
from hardware.wiring import LedDriver, Wiring

# FROM remarks.py: What is wrong with the wires of the switches, one line each: square, chip and pin, remedy.

AS_IT_IS = "the new file has it as it is, nothing needs soldering"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that was found."""

    kind: str
    squares: tuple[Square, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Remarks:
    """``places``: each square's input as the board file has it."""

    pins: Sequence[Pin]
    places: Mapping[Square, int]

    def stuck(self, inputs: Inputs) -> Iterator[Fault]:
        """Inputs that read closed with nothing on the board."""
        was = {number: square for square, number in self.places.items()}
        for number in inputs_in(inputs):
            squares = (was[number],) if number in was else ()
            where = f" ({NAMES[squares[0]]} in the board file)" if squares else ""
            text = (
                f"{self._pin(number)}{where} reads closed with nothing on the board; look for a "
                "short to ground in its wire, a magnet left near its reed, or a reed that sticks"
            )
            yield Fault("stuck", squares, text)

    def missing(self, square: Square, silent: Sequence[int], missing: int) -> Fault:
        """Nothing closes; ``silent``: inputs that never did, for so many missing squares."""
        number = self.places.get(square)
        if number not in silent:
            number = silent[0] if missing == len(silent) == 1 else None
        if number is not None:
            where = f"follow its wire to {self._pin(number)}, which nothing closes"
        elif silent:
            where = f"its wire belongs on a pin that nothing closes, such as {self._some(silent)}"
        else:
            where = "no input is left over for it: its wire ends on another square's pin, or a chip"
            where += " is missing"
        text = f"{NAMES[square]}: nothing closes under a piece; look at its reed, and {where}"
        return Fault("missing", (square,), text)

    def shared(self, squares: Sequence[Square], number: int, silent: Sequence[int]) -> Fault:
        """Several squares on one input."""
        own = [self.places[s] for s in squares if self.places.get(s) in silent] or silent
        free = f", such as {self._pin(own[0])}" if own else ""
        text = (
            f"{_names(squares)} close one input, {self._pin(number)}; give each a pin of its own"
            f"{free}"
        )
        return Fault("doubled", tuple(squares), text)

    def joined(self, squares: Sequence[Square], numbers: Sequence[int]) -> Fault:
        """Squares that close the same several inputs."""
        text = (
            f"{_names(squares)} close {self._both(numbers)} together; their wires touch, or a "
            "magnet reaches too far: part the wires, or try a weaker piece"
        )
        return Fault("joined", tuple(squares), text)

    def bridged(self, square: Square, numbers: Sequence[int]) -> Fault:
        """One square on several inputs."""
        text = (
            f"{NAMES[square]} closes {self._both(numbers)}; the new file reads one of them: take "
            "its wire off the others"
        )
        return Fault("bridged", (square,), text)

    def swapped(self, one: Square, other: Square, of_one: int, of_other: int) -> Fault:
        """Two squares that are on each other's input."""
        text = (
            f"{NAMES[one]} and {NAMES[other]} are exchanged: {NAMES[one]} is on "
            f"{self._pin(of_one)}, {NAMES[other]} on {self._pin(of_other)}; {AS_IT_IS}"
        )
        return Fault("swapped", (one, other), text)

    def moved(self, square: Square, number: int) -> Fault:
        """A square on another input."""
        text = (
            f"{NAMES[square]} is on {self._pin(number)}, not on {self._pin(self.places[square])} "
            f"as the board file says; {AS_IT_IS}"
        )
        return Fault("moved", (square,), text)

    def rewired(self, squares: Sequence[Square]) -> Fault:
        """Many squares on other inputs."""
        text = f"{len(squares)} squares are on other pins than the board file says; {AS_IT_IS}"
        return Fault("moved", tuple(squares), text)

    def _pin(self, number: int) -> str:
        return self.pins[number].name

    def _both(self, numbers: Sequence[int]) -> str:
        return " and ".join(map(self._pin, numbers))

    def _some(self, numbers: Sequence[int]) -> str:
        return ", ".join(map(self._pin, numbers[:3]))


def _names(squares: Sequence[Square]) -> str:
    return " and ".join(NAMES[square] for square in sorted(squares))


FEW = 8
"""More differences from the board file than this are told in one line: that file was a guess."""


@dataclass(frozen=True, slots=True)
class Findings:
    """``wiring``: None while a square has no input of its own, or no light."""

    wiring: Wiring | None
    faults: tuple[Fault, ...]
    """What is wrong, or otherwise than the board file had it."""
    troubles: tuple[Fault, ...]
    """Switches that are wired well and will make trouble."""


def conclude(
    believed: Wiring,
    pins: Sequence[Pin],
    seen: Mapping[Square, Inputs],
    lit: Mapping[int, Square | None],
    stuck: Inputs,
    measures: Measures,
) -> Findings:
    """Findings about a board of which ``believed`` was thought; ``pins``: of its chips.

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


def _places(owners: Owners, words: Remarks) -> dict[Square, int]:
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


def _otherwise(places: Mapping[Square, int], words: Remarks) -> Iterator[Fault]:
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
