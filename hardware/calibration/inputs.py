"""All inputs of all chips, whatever is wired to them: their names, and one reading of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from boardfw.errors import BusError, WiringError
from boardfw.squares import EVERY_SWITCH, Switch
from hardware.bus import I2cBus
from hardware.datasheets import ADDRESSES, DATASHEETS
from hardware.expander import WatchedChip, insist, open_chip
from hardware.wiring import Chip, ChipKind

Inputs: TypeAlias = int
"""A set of inputs: bit n stands for the n-th pin of ``pins_of``."""


@dataclass(frozen=True, slots=True)
class Pin:
    """One input."""

    chip: int
    """Its number in the wiring, from 0."""
    at: int
    """Its place in ``Chip.squares``."""
    name: str
    """As a person finds it: ``0x21 GPB4``."""


def pins_of(chips: Sequence[Chip]) -> tuple[Pin, ...]:
    """Every input that may have a switch.

    Output-only pins are among them only where the wiring uses them, or where the others do not
    make 64.
    """
    legal = tuple(pin for pin, is_legal in _all(chips) if is_legal)
    return legal if len(legal) >= 64 else tuple(pin for pin, _ in _all(chips))


def _all(chips: Sequence[Chip]) -> Iterator[tuple[Pin, bool]]:
    for number, chip in enumerate(chips):
        for at, each in enumerate(DATASHEETS[chip.kind].inputs):
            is_legal = not each.output_only or chip.squares[at] is not None
            yield Pin(number, at, f"{chip.address:#04x} {each.pin}"), is_legal


def inputs_in(inputs: Inputs) -> list[int]:
    """The numbers of the inputs of a set, in order."""
    return [number for number in range(inputs.bit_length()) if inputs >> number & 1]


def inputs_of(numbers: Iterable[int]) -> Inputs:
    """The set of these inputs."""
    return sum(1 << number for number in set(numbers))


def places_of(chips: Sequence[Chip], pins: Sequence[Pin]) -> dict[Switch, int]:
    """The input of each square as a wiring has it."""
    wired = ((chips[pin.chip].squares[pin.at], number) for number, pin in enumerate(pins))
    return {square: number for square, number in wired if square is not None}


def rewired(
    chips: Sequence[Chip], pins: Sequence[Pin], places: Mapping[Switch, int]
) -> tuple[Chip, ...]:
    """The same chips with each square on this input."""
    squares: list[list[Switch | None]] = [[None] * len(chip.squares) for chip in chips]
    for square, number in places.items():
        squares[pins[number].chip][pins[number].at] = square
    return tuple(
        replace(chip, squares=tuple(row)) for chip, row in zip(chips, squares, strict=True)
    )


class InputReader:
    """Reads all pins over the bus; chips are brought up by the first reading."""

    def __init__(self, chips: Sequence[Chip], pins: Sequence[Pin], bus: I2cBus) -> None:
        self._chips = [
            WatchedChip(_as_wired(chip, [p for p in pins if p.chip == number]), bus)
            for number, chip in enumerate(chips)
        ]
        self._closed_low = [not chip.closed_high for chip in chips]
        self._pins = pins
        self._is_up = False
        self._next = 0

    def read(self) -> Inputs:
        """The inputs whose switch is closed, undebounced. Raises BusError."""
        return insist(self._read, self._distrust)

    def _read(self) -> Inputs:
        if not self._is_up:
            for chip in self._chips:
                chip.configure()
            self._is_up = True
        self._look_at_next()
        levels = [chip.read() for chip in self._chips]
        return sum(
            1 << number
            for number, pin in enumerate(self._pins)
            if (levels[pin.chip] >> pin.at & 1) ^ self._closed_low[pin.chip]
        )

    def _look_at_next(self) -> None:
        """One chip's registers a reading: without pull-ups its inputs may seem to keep still."""
        self._next = (self._next + 1) % len(self._chips)
        self._chips[self._next].verify()

    def _distrust(self) -> None:
        for chip in self._chips:
            chip.distrust()


def _as_wired(chip: Chip, pins: Iterable[Pin]) -> Chip:
    """The chip with something on each of these pins: a driver makes inputs of them."""
    squares: list[Switch | None] = [None] * len(chip.squares)
    for pin in pins:
        squares[pin.at] = EVERY_SWITCH[0]
    return replace(chip, squares=tuple(squares))


# ------------------------------------------------------------------------- which chips are there

ORDER = (ChipKind.MCP23017, ChipKind.TCA9555, ChipKind.PCF8575)
"""The kinds in the order in which they are tried.

No chip tells its name, but what was written to registers can be read back only where those
registers are. An MCP23017 has memory wherever a TCA9555 has registers, so it would pass for one; a
PCF8575 has no registers and is tried last. None of these writes drives a pin high that a closed
switch holds to ground.
"""


def find_chips(bus: I2cBus) -> tuple[Chip, ...]:
    """The chips at 0x20 to 0x27, nothing wired to them yet. Raises BusError, WiringError.

    A single MCP23017 must be a diode matrix, because it has too few inputs for anything else.
    """
    found = tuple(chip for address in ADDRESSES if (chip := _at(bus, address)) is not None)
    if not found:
        raise WiringError(
            f"{bus.device}: no chip answers at 0x20 to 0x27; look at supply, SDA, SCL and RESET"
        )
    if len(found) == 1 and found[0].kind is ChipKind.MCP23017:
        return (replace(found[0], kind=ChipKind.MATRIX, squares=(None,) * 64),)
    return found


def _at(bus: I2cBus, address: int) -> Chip | None:
    for kind in ORDER:
        # All legal inputs of an MCP23017; the others have no other.
        pins = 0x7F7F if kind is ChipKind.MCP23017 else 0xFFFF
        chip = Chip(
            kind, address, tuple(EVERY_SWITCH[0] if pins >> at & 1 else None for at in range(16))
        )
        try:
            open_chip(chip, bus).configure()
        except BusError:
            continue
        return replace(chip, squares=(None,) * 16)
    return None
