"""A wiring written as a board file, for ``hardware.boards.file`` to read again."""

from __future__ import annotations

import json
from collections.abc import Iterator

from boardfw.squares import NAMES, Square
from hardware.boards.led_rule import LedRule, rule_of
from hardware.boards.tables import KINDS, LINE_KEYS
from hardware.datasheets import DATASHEETS, misused_inputs
from hardware.wiring import Chip, ChipKind, LedDriver, Leds, Lines, Wiring

NAME_OF = {kind: name for name, kind in reversed(KINDS.items())}
"""The word for a kind of chip; where there are several, the first."""


def format_wiring(wiring: Wiring) -> str:
    """The text of a board file that gives this wiring; its warnings follow from the rest."""
    lines = [
        f"name = {_text(wiring.name)}",
        f"supply_ma = {wiring.supply_ma}",
        "",
        "[bus]",
        f"device = {_text(wiring.bus.device)}",
        f"hz = {wiring.bus.hz}",
    ]
    for chip in wiring.chips:
        lines += ["", *_chip(chip)]
    lines += ["", *_leds(wiring.leds), "", *_lines(wiring.lines), "", "[buttons]"]
    lines += [f"{name} = {gpio}" for name, gpio in wiring.lines.buttons.items()]
    return "\n".join(lines) + "\n"


def _chip(chip: Chip) -> Iterator[str]:
    yield "[[chips]]"
    yield f"kind = {_text(NAME_OF[chip.kind])}"
    yield f"address = {chip.address:#04x}"
    yield f"closed = {_text('high' if chip.closed_high else 'low')}"
    if any(misused_inputs(chip)):
        yield "allow_output_only_pins = true"
    if chip.kind is ChipKind.MATRIX:
        yield from _rows("rows", [f"[{_list(row)}]" for row in _eights(chip.squares)])
    else:
        keys = DATASHEETS[chip.kind].keys
        for key, port in zip(keys, _eights(chip.squares), strict=True):
            yield f"{key} = [{_list(port)}]"


def _leds(leds: Leds) -> Iterator[str]:
    yield "[leds]"
    yield f"driver = {_text(leds.driver.value)}"
    yield f"device = {_text(leds.device)}"
    yield f"gpio = {leds.gpio}"
    yield f"colours = {_text(leds.colours)}"
    rule = None if leds.driver is LedDriver.NONE else rule_of(leds.squares)
    if rule is None:
        yield from _rows("squares", [_list(line) for line in _eights(leds.squares)])
    else:
        yield from _rule(rule)


def _rule(rule: LedRule) -> Iterator[str]:
    yield f"corner = {_text(rule.corner)}"
    yield f"along = {_text(rule.along)}"
    yield f"serpentine = {str(rule.serpentine).lower()}"
    yield f"per_square = {rule.per_square}"
    yield f"passes = {rule.passes}"


def _lines(lines: Lines) -> Iterator[str]:
    yield "[lines]"
    for key in LINE_KEYS:
        if (gpio := getattr(lines, key)) is not None:
            yield f"{key} = {gpio}"
    yield f"pin_factory = {_text(lines.pin_factory)}"


def _rows(key: str, rows: list[str]) -> list[str]:
    """An array of many lines; on one where it is empty."""
    return [f"{key} = [", *(f"    {row}," for row in rows), "]"] if rows else [f"{key} = []"]


def _eights(squares: tuple[Square | None, ...]) -> list[tuple[Square | None, ...]]:
    return [squares[first : first + 8] for first in range(0, len(squares), 8)]


def _list(squares: tuple[Square | None, ...]) -> str:
    return ", ".join(_text("" if square is None else NAMES[square]) for square in squares)


def _text(value: str) -> str:
    """A TOML string: JSON's escapes are among TOML's."""
    return json.dumps(value, ensure_ascii=False)
