"""What cannot be true about the chips of a board file and the squares on their inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from boardfw.document import Place, Trouble, named
from boardfw.squares import ALL_SWITCHES, NAMES, Switch, names_of, occupancy_of
from hardware.boards.tables import PORT_KEYS, BoardTable, ChipTable
from hardware.datasheets import ADDRESSES, DATASHEETS, RISK, Input
from hardware.wiring import MOST_DEAD

PORT_PINS: Final = 8


def troubles_of_chips(board: BoardTable) -> Iterator[Trouble]:
    """What to mend, in order."""
    for number, chip in enumerate(board.chips):
        place = ("chips", number)
        yield from _impossible_address(chip, place)
        yield from _foreign_ports(chip, place)
        yield from _wrong_lengths(chip, place)
        yield from _reads_nothing(chip, place)
    yield from _same_address(board.chips)
    # From here on every list is known to be as long as its port.
    yield from _twice(board)
    yield from _misused(board)
    yield from _too_many_dead(board)
    yield from _too_fast(board)


def some(names: list[str]) -> str:
    """Names that stay on the line, however many they are."""
    shown = ", ".join(names[:4])
    return f"{shown} and {len(names) - 4} more" if len(names) > 4 else shown


def _impossible_address(chip: ChipTable, place: Place) -> Iterator[Trouble]:
    if chip.address not in ADDRESSES:
        title = DATASHEETS[chip.chip_kind].title
        what = f"'chips.address' {chip.address:#04x} is not an address of the {title}"
        remedy = f"its pins A2, A1, A0 choose from {ADDRESSES[0]:#04x} to {ADDRESSES[-1]:#04x}"
        yield (*place, "address"), f"{what}; {remedy}{_meant_in_hex(chip.address)}"


def _meant_in_hex(address: int) -> str:
    """Datasheets write 23 and mean 0x23."""
    meant = f"0x{address}"
    return f" (did you mean {meant}?)" if meant in map(hex, ADDRESSES) else ""


def _foreign_ports(chip: ChipTable, place: Place) -> Iterator[Trouble]:
    for key in PORT_KEYS:
        if getattr(chip, key) and key not in DATASHEETS[chip.chip_kind].keys:
            what = f"'chips.{key}' does not exist for a chip of the kind {chip.kind!r}"
            yield (*place, key), f"{what}; list its squares in {_lists(chip)}"


def _wrong_lengths(chip: ChipTable, place: Place) -> Iterator[Trouble]:
    for where, listed in _ports(chip, place):
        if len(listed) != PORT_PINS:
            what = f"{named(where)} lists {len(listed)}, but there are {PORT_PINS} pins"
            yield where, f"{what}; write one entry for each, '' for an unused pin"


def _ports(chip: ChipTable, place: Place) -> Iterator[tuple[Place, tuple[object, ...]]]:
    """Every list with an entry for each pin of a port; rows are a list of these lists."""
    for key in PORT_KEYS:
        if listed := getattr(chip, key):
            yield (*place, key), listed
    for number, row in enumerate(chip.rows):
        yield (*place, "rows", number), row


def _reads_nothing(chip: ChipTable, place: Place) -> Iterator[Trouble]:
    inputs = DATASHEETS[chip.chip_kind].inputs
    if all(chip.switch_at(each.place) is None for each in inputs):
        what = f"'chips' {chip.address:#04x} reads no square"
        yield place, f"{what}; list its squares in {_lists(chip)}, or leave the chip out"


def _lists(chip: ChipTable) -> str:
    return " and ".join(repr(key) for key in DATASHEETS[chip.chip_kind].keys)


def _same_address(chips: Iterable[ChipTable]) -> Iterator[Trouble]:
    seen: dict[int, int] = {}
    for number, chip in enumerate(chips, 1):
        if chip.address in seen:
            what = f"'chips.address' {chip.address:#04x} is that of chip {seen[chip.address]} too"
            remedy = "set the pins A2, A1, A0 of one of them otherwise and write its new address"
            yield ("chips", number - 1, "address"), f"{what}; {remedy}"
        seen.setdefault(chip.address, number)


@dataclass(frozen=True, slots=True)
class _Wire:
    """One input of one chip."""

    place: Place
    chip: ChipTable
    input: Input
    square: Switch | None

    @property
    def name(self) -> str:
        return f"{self.chip.address:#04x} {self.input.pin}"


def _wires(board: BoardTable) -> list[_Wire]:
    return [
        _Wire(("chips", number, *each.place), chip, each, chip.switch_at(each.place))
        for number, chip in enumerate(board.chips)
        for each in DATASHEETS[chip.chip_kind].inputs
    ]


def _unread_squares(board: BoardTable) -> list[str]:
    read = occupancy_of(wire.square for wire in _wires(board) if wire.square is not None)
    return names_of(ALL_SWITCHES & ~read)


def _twice(board: BoardTable) -> Iterator[Trouble]:
    seen: dict[Switch, _Wire] = {}
    unread = _unread_squares(board)
    for wire in _wires(board):
        if wire.square is None:
            continue
        if wire.square in seen:
            what = f"{_puts(wire)}, but {seen[wire.square].name} has it already"
            remedy = "name the square that is really wired there, or '' for none"
            yield wire.place, f"{what}; {remedy}{_without_input(unread)}"
        seen.setdefault(wire.square, wire)


def _without_input(unread: list[str]) -> str:
    """A square written twice mostly means that another was forgotten."""
    return f" (no input has {some(unread)})" if unread else ""


def _puts(wire: _Wire) -> str:
    square = "" if wire.square is None else NAMES[wire.square]
    return f"{named(wire.place[:3])} puts {square} on {wire.name}"


def _misused(board: BoardTable) -> Iterator[Trouble]:
    for wire in _wires(board):
        if wire.square is None or not wire.input.output_only or wire.chip.allow_output_only_pins:
            continue
        instead = DATASHEETS[wire.chip.chip_kind].instead
        remedy = f"{instead}, or take the risk with allow_output_only_pins = true in this [[chips]]"
        yield wire.place, f"{_puts(wire)}, but {RISK}; {remedy}"


def _too_many_dead(board: BoardTable) -> Iterator[Trouble]:
    unread = _unread_squares(board)
    dead = sorted({*unread, *board.dead})
    if len(dead) <= MOST_DEAD:
        return
    most = f"; a board can play without {MOST_DEAD} switches at most"
    if not unread:
        yield ("dead",), f"'dead' lists {some(dead)}{most}; fix their wires or reeds"
        return
    free = [wire for wire in _wires(board) if wire.square is None and not wire.input.output_only]
    what = f"'chips' have no input for {some(unread)}{most}"
    if free:
        remedy = f"write it where its switch is wired; {free[0].name} for one has no square yet"
        yield free[0].place, f"{what}; {remedy}"
    else:
        last = ("chips", len(board.chips) - 1)
        yield last, f"{what}, and no input is free; add another [[chips]] below this one"


def _too_fast(board: BoardTable) -> Iterator[Trouble]:
    for chip in board.chips:
        sheet = DATASHEETS[chip.chip_kind]
        if board.bus.hz > sheet.hz_most:
            what = f"'bus.hz' {board.bus.hz} is more than the {sheet.title} can follow"
            yield ("bus", "hz"), f"{what}; write {sheet.hz_most}, here and in config.txt"
