"""``boardfw calibrate``: a calibration of a board by a person, at a terminal or simulated."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import click
import msgspec

from boardfw.errors import BoardError, WiringError
from boardfw.ports import earliest
from boardfw.shell.files import place_of_own, write_whole
from boardfw.squares import NAMES, names_of
from hardware.board_url import parse_url
from hardware.boards.board_file import format_wiring, load_wiring
from hardware.calibration.conclusions import Findings, conclude
from hardware.calibration.inputs import InputReader, find_chips, pins_of, places_of
from hardware.calibration.procedure import Calibration, Request, Said, Sampled, TryPieces, in_words
from hardware.calibration.wire_faults import Fault
from hardware.clock import MonotonicClock, VirtualClock
from hardware.sim.board import SimBoard
from hardware.sim.calibrating_person import Maker
from hardware.wiring import MOST_DEAD, Wiring
from hardware.wiring_probe import WiringProbe, open_probe

PERIOD_S = 0.002
"""Time between two readings of the inputs, in seconds."""


class AtTerminal:
    """Requests go to the error output, results to the other; ``typed`` ends with None."""

    def __init__(
        self, typed: queue.SimpleQueue[str | None], pause: Callable[[float], None] = time.sleep
    ) -> None:
        self._typed = typed
        self._pause = pause
        self._request: Request | None = None

    def hear(self, request: Request) -> None:
        """Say it in a line."""
        self._request = request
        click.echo(in_words(request), err=True)

    def wait(self, _: int | None, /) -> None:
        """A moment: the board is read over and over."""
        self._pause(PERIOD_S)

    def says(self) -> str | None:
        """A line, without waiting for one. Raises BoardError at the end of the input."""
        if self._typed.empty():
            return None
        line = self._typed.get()
        if line is not None:
            return line
        self._typed.put(None)  # it stays the end
        if isinstance(self._request, TryPieces):
            return ""  # all else is known
        raise BoardError(
            "the input has ended before all was known; nothing is written; calibrate from a "
            "terminal, where Enter can be pressed"
        )


def at_terminal() -> AtTerminal:
    """A person at the standard input."""
    typed: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin, typed), name="typed", daemon=True).start()
    return AtTerminal(typed)


def _listen(lines: Iterable[str], typed: queue.SimpleQueue[str | None]) -> None:
    for line in lines:
        typed.put(line)
    typed.put(None)


class Simulated:
    """A simulated person; time jumps from one thing that happens to the next."""

    def __init__(self, board: SimBoard, clock: VirtualClock) -> None:
        self._board = board
        self._clock = clock
        self._maker = Maker(board, seed=1)
        self._moves_us: int | None = clock.now_us()
        """When a switch next moves, as it was before the inputs were read."""

    def hear(self, request: Request) -> None:
        """Begin to do it."""
        self._maker.hear(request, self._clock.now_us())

    def wait(self, deadline_us: int | None, /) -> None:
        """Jump; not where a switch moved while the inputs were read: they are read again."""
        now_us = self._clock.now_us()
        if self._moves_us is None or self._moves_us > now_us:
            due_us = earliest(deadline_us, self._maker.due_us, self._board.next_change_us())
            self._clock.advance_to(now_us if due_us is None else due_us)
        self._board.closed()  # whatever is due has happened
        self._moves_us = self._board.next_change_us()

    def says(self) -> str | None:
        """What the simulated person types now; None: nothing."""
        return self._maker.says(self._clock.now_us())


Person: TypeAlias = AtTerminal | Simulated
"""Does what is asked, lets time pass until something may have happened, and types answers."""

NOTHING_WRITTEN = 1
"""Exit status when no board file could be made."""


@dataclass(frozen=True, slots=True)
class Calibrating:
    """The options of ``boardfw calibrate``, and what comes of them."""

    url: str
    out: Path
    quick: bool
    find: bool
    leds: int | None
    as_json: bool
    force: bool

    def run(self) -> int:
        """Calibrate and tell; the exit status. Raises BoardError."""
        out = place_of_own(self.out, is_board_file, force=self.force)
        simulated = VirtualClock() if parse_url(self.url).is_simulated else None
        with closing(open_probe(self.url, simulated or MonotonicClock())) as probe:
            believed = self._believed(probe)
            pins = pins_of(believed.chips)
            calibration = Calibration(
                places_of(believed.chips, pins), believed.leds.squares, quick=self.quick
            )
            reader = InputReader(believed.chips, pins, probe.bus)
            talk(probe, calibration, reader, _person(probe, simulated))
        findings = conclude(believed, pins, calibration)
        if findings.wiring is not None:
            write_wiring(findings.wiring, out)
        click.echo(as_json(findings, out) if self.as_json else as_text(findings, out))
        return 0 if findings.wiring is not None else NOTHING_WRITTEN

    def _believed(self, probe: WiringProbe) -> Wiring:
        wiring = probe.wiring
        if self.find:
            wiring = replace(wiring, chips=find_chips(probe.bus))
        if self.leds is not None and len(wiring.leds.squares) != self.leds:
            told = wiring.leds.squares[: self.leds]
            squares = told + (None,) * (self.leds - len(told))
            wiring = replace(wiring, leds=replace(wiring.leds, squares=squares))
        return wiring


def _person(probe: WiringProbe, simulated: VirtualClock | None) -> Person:
    if probe.sim is None or simulated is None:
        return at_terminal()
    return Simulated(probe.sim.inner, simulated)


def talk(probe: WiringProbe, calibration: Calibration, reader: InputReader, person: Person) -> None:
    """Ask and read until all is known. Raises BoardError."""
    asked = 0
    while calibration.request is not None:
        if calibration.asked != asked:
            asked = calibration.asked
            probe.light(calibration.lights)
            person.hear(calibration.request)
        person.wait(calibration.deadline_us)
        closed = reader.read()
        calibration.take(Sampled(probe.clock.now_us(), closed))
        # What is typed answers what was asked, and that a piece may have answered just now.
        if calibration.asked == asked and (said := person.says()) is not None:
            calibration.take(Said(said))


def write_wiring(wiring: Wiring, path: Path) -> None:
    """Write a board file that reads as this wiring, or leave what is there. Raises BoardError."""
    text = format_wiring(wiring)
    with TemporaryDirectory() as directory:
        trial = Path(directory) / path.name
        try:
            trial.write_text(text, encoding="utf-8")
        except OSError as error:
            raise BoardError(f"{trial}: cannot be written: {error.strerror}") from error
        if load_wiring(trial) != wiring:
            raise WiringError(f"{path}: not written: the file would not say what was learnt")
    write_whole(path, text)


def is_board_file(text: str) -> bool:
    """Whether it is a board file to the letter as this command writes one."""
    with TemporaryDirectory() as directory, suppress(WiringError, OSError):
        trial = Path(directory) / "trial.toml"
        trial.write_text(text, encoding="utf-8")
        return format_wiring(load_wiring(trial)) == text
    return False


def as_text(findings: Findings, path: Path) -> str:
    """What was found, a line each."""
    lines = [fault.text for fault in (*findings.faults, *findings.troubles)]
    if findings.wiring is not None:
        dead = names_of(findings.wiring.dead)
        if dead:
            lines.append(f"{', '.join(dead)}: dead in the board file; the board plays without")
        return "\n".join([*lines, f"board file: {path}"])
    undone = (
        f"{path} was not written: every square needs a light, and all but {MOST_DEAD} an input of "
        "their own"
    )
    return "\n".join([*lines, f"{undone}; fix what is named above, then calibrate again"])


def as_json(findings: Findings, path: Path) -> str:
    """The same as one JSON object."""
    said = {
        "board_file": str(path) if findings.wiring is not None else None,
        "dead": [] if findings.wiring is None else names_of(findings.wiring.dead),
        "faults": [_told(fault) for fault in findings.faults],
        "troubles": [_told(fault) for fault in findings.troubles],
    }
    return msgspec.json.encode(said).decode()


def _told(fault: Fault) -> dict[str, object]:
    squares = [NAMES[square] for square in fault.squares]
    return {"kind": fault.kind, "squares": squares, "text": fault.text}
