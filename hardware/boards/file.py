"""Board files: a TOML file becomes a ``Wiring``, or one line that says what to mend.

``docs/boards.md`` explains the format. Nothing is touched that is not a file.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from importlib import resources
from pathlib import Path

from boardfw.document import read_document
from boardfw.errors import WiringError
from boardfw.squares import BY_NAME
from hardware.boards.chip_checks import troubles_of_chips
from hardware.boards.line_checks import troubles_of_lines
from hardware.boards.tables import BoardTable, ChipTable, LedTable, LineTable
from hardware.datasheets import DATASHEETS, warnings_about
from hardware.wiring import Bus, Chip, LedDriver, Leds, Lines, Wiring


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
    return Wiring(
        name=board.name or name,
        chips=chips,
        bus=Bus(board.bus.device, board.bus.hz),
        leds=_leds_of(board.leds),
        lines=_lines_of(board.lines, board.buttons),
        supply_ma=board.supply_ma,
        warnings=warnings_about(chips),
    )


def _chip_of(table: ChipTable) -> Chip:
    inputs = DATASHEETS[table.chip_kind].inputs
    squares = tuple(table.square_at(each.place) for each in inputs)
    return Chip(table.chip_kind, table.address, squares, closed_high=table.closed == "high")


def _leds_of(table: LedTable) -> Leds:
    listed = tuple(BY_NAME.get(text) for text in table.squares)
    by_rule = () if table.driver is LedDriver.NONE else table.rule.squares()
    return Leds(
        driver=table.driver,
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
        buttons=dict(buttons),
        pin_factory=table.pin_factory,
    )
