"""``boardfw calibrate``: a person, a board and the course of a calibration, put together."""

from __future__ import annotations

import queue
import sys
import threading
import time
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import msgspec

from boardfw.errors import BoardError, WiringError
from boardfw.shell.files import place_for, write_whole
from boardfw.squares import NAMES
from hardware.bench import Bench, open_bench
from hardware.board_file import load_wiring
from hardware.board_text import format_wiring
from hardware.calibration.asking import Said, Sampled, in_words
from hardware.calibration.conclude import Findings, conclude
from hardware.calibration.discovery import find_chips
from hardware.calibration.inputs import InputReader, pins_of, places_of
from hardware.calibration.procedure import Calibration
from hardware.calibration.remarks import Fault
from hardware.clock import MonotonicClock, VirtualClock
from hardware.sim.maker import Maker
from hardware.wiring import Wiring

PERIOD_S = 0.002
"""So often the inputs are read."""
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

    def run(self) -> int:
        """Calibrate and tell; the exit status. Raises BoardError."""
        out = place_for(self.out)
        clock = VirtualClock() if self.url.startswith("sim-i2c:") else MonotonicClock()
        with closing(open_bench(self.url, clock)) as bench:
            believed = self._believed(bench)
            pins = pins_of(believed.chips)
            calibration = Calibration(
                places_of(believed.chips, pins), believed.leds.squares, quick=self.quick
            )
            reader = InputReader(believed.chips, pins, bench.bus)
            if isinstance(clock, VirtualClock):
                _follow(bench, calibration, reader, clock)
            else:
                _ask(bench, calibration, reader, clock)
        done = calibration
        findings = conclude(believed, pins, done.seen, done.lit, done.stuck, done.measures)
        if findings.wiring is not None:
            write_wiring(findings.wiring, out)
        click.echo(as_json(findings, out) if self.as_json else as_text(findings, out))
        return 0 if findings.wiring is not None else NOTHING_WRITTEN

    def _believed(self, bench: Bench) -> Wiring:
        wiring = bench.wiring
        if self.find:
            wiring = replace(wiring, chips=find_chips(bench.bus))
        if self.leds is not None and len(wiring.leds.squares) != self.leds:
            told = wiring.leds.squares[: self.leds]
            squares = told + (None,) * (self.leds - len(told))
            wiring = replace(wiring, leds=replace(wiring.leds, squares=squares))
        return wiring


def _follow(
    bench: Bench, calibration: Calibration, reader: InputReader, clock: VirtualClock
) -> None:
    """A simulated board and a simulated person, in virtual time."""
    if bench.sim is None:
        raise TypeError("virtual time on a real board")
    maker, heard, inner = Maker(bench.sim.inner, seed=1), 0, bench.sim.inner
    stale = True
    while calibration.request is not None:
        if calibration.asked != heard:
            heard = calibration.asked
            bench.light(calibration.lights)
            maker.hear(calibration.request, clock.now_us())
        if not stale:
            times = (calibration.deadline_us, maker.due_us, inner.next_change_us())
            clock.advance_to(min((t for t in times if t is not None), default=clock.now_us()))
        inner.closed()  # whatever is due has happened
        due_us = inner.next_change_us()
        closed = reader.read()
        # A switch that moved while the chips were read is read again.
        stale = due_us is not None and due_us <= clock.now_us()
        calibration.take(Sampled(clock.now_us(), closed))
        if calibration.asked == heard and (said := maker.says(clock.now_us())) is not None:
            calibration.take(Said(said))


def _ask(
    bench: Bench, calibration: Calibration, reader: InputReader, clock: MonotonicClock
) -> None:
    """A person at a terminal; requests go to the error output, results to the other."""
    typed: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(typed,), name="typed", daemon=True).start()
    asked = 0
    while calibration.request is not None:
        if calibration.asked != asked:
            asked = calibration.asked
            click.echo(in_words(calibration.request), err=True)
            bench.light(calibration.lights)
        calibration.take(Sampled(clock.now_us(), reader.read()))
        if not typed.empty():
            calibration.take(Said(typed.get()))
        time.sleep(PERIOD_S)


def _listen(typed: queue.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        typed.put(line)


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


def as_text(findings: Findings, path: Path) -> str:
    """What was found, a line each."""
    lines = [fault.text for fault in (*findings.faults, *findings.troubles)]
    if findings.wiring is not None:
        return "\n".join([*lines, f"board file: {path}"])
    undone = f"{path} was not written: not every square has an input of its own and a light"
    return "\n".join([*lines, f"{undone}; mend what is named above, then calibrate again"])


def as_json(findings: Findings, path: Path) -> str:
    """The same as one JSON object."""
    said = {
        "board_file": str(path) if findings.wiring is not None else None,
        "faults": [_told(fault) for fault in findings.faults],
        "troubles": [_told(fault) for fault in findings.troubles],
    }
    return msgspec.json.encode(said).decode()


def _told(fault: Fault) -> dict[str, object]:
    squares = [NAMES[square] for square in fault.squares]
    return {"kind": fault.kind, "squares": squares, "text": fault.text}
