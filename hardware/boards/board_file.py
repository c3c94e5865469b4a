"""Board files: a TOML file becomes a ``Wiring``, or one line that says what to mend, and back.

``docs/boards.md`` explains the format. Nothing is touched that is not a file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from difflib import get_close_matches
from importlib import resources
from pathlib import Path

from boardfw.document import read_document
from boardfw.errors import WiringError
from boardfw.ports import button_named
from boardfw.squares import NAMES, SWITCH_BY_NAME, Switch, names_of, occupancy_of
from hardware.boards.chip_checks import troubles_of_chips
from hardware.boards.led_rule import LedRule, rule_of
from hardware.boards.line_checks import troubles_of_lines
from hardware.boards.tables import KINDS, LINE_KEYS, BoardTable, ChipTable, LedTable, LineTable
from hardware.datasheets import DATASHEETS, misused_inputs, warnings_about
from hardware.wiring import Bus, Chip, ChipKind, LedDriver, Leds, Lines, Wiring, unread_by


def find_wiring(name_or_path: str) -> Wiring:
    """The wiring of a shipped board by its bare name, such as ``reference``; or of a file.

    What holds a slash or a full stop is a file. Raises WiringError, one line.
    """
    if not re.fullmatch(r"[\w-]+", name_or_path):
        return load_wiring(Path(name_or_path))
    known = shipped_boards()
    if name_or_path not in known:
        near = get_close_matches(name_or_path, known, n=1)
        hint = f"did you mean {near[0]!r}" if near else f"there are {', '.join(known)}"
        what = f"no board {name_or_path!r} is shipped; {hint}"
        raise WiringError(f"{what}, or a file of your own (./{name_or_path}.toml)?")
    with resources.as_file(resources.files("hardware.boards") / f"{name_or_path}.toml") as path:
        return load_wiring(path)


def shipped_boards() -> list[str]:
    """Names of the boards that come with the firmware, in alphabetical order."""
    files = resources.files("hardware.boards").iterdir()
    return sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


def load_wiring(path: Path) -> Wiring:
    """The wiring that a board file describes, checked as far as a file can be.

    Raises WiringError, one line that begins with ``FILE:LINE:``, for the first thing that is
    wrong in it.
    """
    document = read_document(path, WiringError)
    board = document.fit(BoardTable)
    document.check(troubles_of_chips(board))
    document.check(troubles_of_lines(board))
    return _wiring_of(board, path.stem)


def _wiring_of(board: BoardTable, name: str) -> Wiring:
    chips = tuple(_chip_of(chip) for chip in board.chips)
    leds = _leds_of(board.leds)
    dead = unread_by(chips) | occupancy_of(SWITCH_BY_NAME[text] for text in board.dead)
    return Wiring(
        name=board.name or name,
        chips=chips,
        bus=Bus(board.bus.device, board.bus.hz),
        leds=leds,
        lines=_lines_of(board.lines, board.buttons),
        supply_ma=board.supply_ma,
        dead=dead,
        warnings=warnings_about(chips, leds, dead),
    )


def _chip_of(table: ChipTable) -> Chip:
    inputs = DATASHEETS[table.chip_kind].inputs
    squares = tuple(table.switch_at(each.place) for each in inputs)
    return Chip(table.chip_kind, table.address, squares, closed_high=table.closed == "high")


def _leds_of(table: LedTable) -> Leds:
    listed = tuple(SWITCH_BY_NAME.get(text) for text in table.squares)
    by_rule = () if table.driver is LedDriver.NONE else table.rule.squares()
    return Leds(
        driver=table.driver,
        kind=table.kind,
        device=table.device,
        gpio=table.gpio,
        colours=table.colours,
        squares=listed or by_rule,
    )


def _lines_of(table: LineTable, buttons: dict[str, int]) -> Lines:
    return Lines(
        interrupt=table.interrupt,
        reset=table.reset,
        buzzer=table.buzzer,
        buttons={button: gpio for name, gpio in buttons.items() if (button := button_named(name))},
        pin_factory=table.pin_factory,
    )


NAME_OF = {kind: name for name, kind in reversed(KINDS.items())}
"""The word for a kind of chip; where there are several, the first."""


def format_wiring(wiring: Wiring) -> str:
    """The text of a board file that gives this wiring; its warnings follow from the rest."""
    lines = [
        f"name = {_text(wiring.name)}",
        f"supply_ma = {wiring.supply_ma}",
        *([f"dead = [{', '.join(map(_text, names_of(wiring.dead)))}]"] if wiring.dead else []),
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
    yield f"kind = {_text(leds.kind.value)}"
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


def _eights(squares: tuple[Switch | None, ...]) -> list[tuple[Switch | None, ...]]:
    return [squares[first : first + 8] for first in range(0, len(squares), 8)]


def _list(squares: tuple[Switch | None, ...]) -> str:
    return ", ".join(_text("" if square is None else NAMES[square]) for square in squares)


def _text(value: str) -> str:
    """A TOML string: JSON's escapes are among TOML's."""
    return json.dumps(value, ensure_ascii=False)
