"""How a simulated board is really wired, which may differ from its board file.

A mistake affects squares, inputs and LEDs that no other mistake has touched, so that each can be
found by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from boardfw.squares import EVERY_SWITCH, NO_SWITCHES, Occupancy, Switch
from hardware.calibration.inputs import pins_of, rewired
from hardware.wiring import Chip, Wiring


@dataclass(frozen=True, slots=True)
class Mistake:
    """What a soldering iron has done."""

    kind: str
    squares: tuple[Switch, ...] = ()
    leds: tuple[int, ...] = ()
    """Numbers of LEDs, the strip's first is 0."""


@dataclass(frozen=True, slots=True)
class Reality:
    """What the wires do."""

    inputs: tuple[tuple[Occupancy, ...], ...]
    """For each chip and each of its inputs, the squares whose switches close it."""
    strip: tuple[Switch | None, ...]
    """The square that each LED lights; None: it is dark, or under no square."""
    shorted: frozenset[tuple[int, int]] = frozenset()
    """Inputs (chip, place) that are always closed."""
    mistakes: tuple[Mistake, ...] = ()


def as_wired(wiring: Wiring) -> Reality:
    """A board as its board file has it."""
    return Reality(tuple(map(_closing, wiring.chips)), wiring.leds.squares)


def _closing(chip: Chip) -> tuple[Occupancy, ...]:
    return tuple(NO_SWITCHES if square is None else 1 << square for square in chip.squares)


def scrambled(wiring: Wiring, random: Random) -> Wiring:
    """The same chips and strip, with the squares at random places on them."""
    pins = pins_of(wiring.chips)
    chips = rewired(
        wiring.chips,
        pins,
        dict(zip(EVERY_SWITCH, random.sample(range(len(pins)), 64), strict=True)),
    )
    squares = list(wiring.leds.squares)
    random.shuffle(squares)
    return replace(wiring, chips=chips, leds=replace(wiring.leds, squares=tuple(squares)))


def with_mistakes(wiring: Wiring, random: Random, count: int) -> Reality:
    """The board of this wiring with ``count`` mistakes in it, as far as there is room for them."""
    work = _Work(wiring, random)
    for _ in range(count):
        random.choice(work.kinds)()
    return work.done()


class _Work:
    """A board that is being soldered."""

    def __init__(self, wiring: Wiring, random: Random) -> None:
        self._random = random
        self._inputs = [list(_closing(chip)) for chip in wiring.chips]
        self._strip = list(wiring.leds.squares)
        self._shorted: set[tuple[int, int]] = set()
        self._mistakes: list[Mistake] = []
        self._place = {
            square: (number, at)
            for number, chip in enumerate(wiring.chips)
            for at, square in enumerate(chip.squares)
            if square is not None
        }
        self._whole = sorted(self._place)
        self._leds = [led for led, square in enumerate(self._strip) if square is not None]
        self._free = [
            (pin.chip, pin.at)
            for pin in pins_of(wiring.chips)
            if wiring.chips[pin.chip].squares[pin.at] is None
        ]
        self.kinds: Sequence[Callable[[], None]] = (
            self._swap,
            self._cut,
            self._double,
            self._join,
            self._bridge,
            self._short,
            self._darken,
            self._swap_leds,
        )

    def done(self) -> Reality:
        """The board."""
        inputs = tuple(map(tuple, self._inputs))
        shorted, mistakes = frozenset(self._shorted), tuple(self._mistakes)
        return Reality(inputs, tuple(self._strip), shorted, mistakes)

    def _swap(self) -> None:
        one, other = self._two()
        self._set(self._place[one], 1 << other)
        self._set(self._place[other], 1 << one)
        self._note("swapped", one, other)

    def _cut(self) -> None:
        square = self._one()
        self._set(self._place[square], NO_SWITCHES)
        self._note("missing", square)

    def _double(self) -> None:
        """The wire of one square goes to the pin of another."""
        one, other = self._two()
        self._set(self._place[one], NO_SWITCHES)
        self._set(self._place[other], 1 << one | 1 << other)
        self._note("doubled", one, other)

    def _join(self) -> None:
        """Two wires touch."""
        one, other = self._two()
        for square in (one, other):
            self._set(self._place[square], 1 << one | 1 << other)
        self._note("joined", one, other)

    def _bridge(self) -> None:
        """A wire touches a pin that is not used."""
        if self._free:
            square = self._one()
            self._set(self._free.pop(self._random.randrange(len(self._free))), 1 << square)
            self._note("bridged", square)

    def _short(self) -> None:
        square = self._one()
        self._shorted.add(self._place[square])
        self._note("stuck", square)

    def _darken(self) -> None:
        led = self._one_led()
        if led is not None:
            self._strip[led] = None
            self._mistakes.append(Mistake("dark", leds=(led,)))

    def _swap_leds(self) -> None:
        one, other = self._one_led(), self._one_led()
        if one is not None and other is not None:
            self._strip[one], self._strip[other] = self._strip[other], self._strip[one]
            self._mistakes.append(Mistake("led order", leds=(one, other)))

    def _one(self) -> Switch:
        return self._whole.pop(self._random.randrange(len(self._whole)))

    def _two(self) -> tuple[Switch, Switch]:
        return self._one(), self._one()

    def _one_led(self) -> int | None:
        return self._leds.pop(self._random.randrange(len(self._leds))) if self._leds else None

    def _set(self, place: tuple[int, int], squares: Occupancy) -> None:
        self._inputs[place[0]][place[1]] = squares

    def _note(self, kind: str, *squares: Switch) -> None:
        self._mistakes.append(Mistake(kind, squares))
