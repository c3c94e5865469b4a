"""Check: the switches read for a while, as a game reads them, and everything that went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from statistics import median

from boardfw.doctor.diagnosis import Diagnosis, failed, not_applicable, parted, passed, warned
from boardfw.doctor.examined_board import Patient
from boardfw.errors import BusError
from boardfw.ports import SquareSensor
from boardfw.squares import NAMES, names_of
from hardware.boards.chip_checks import some
from hardware.wiring import ChipKind

NAME = "switches"
REAL_US = 1_000_000
"""A real board is scanned for so long, at the pace of a game."""
SIMULATED_US, SIMULATED_PAUSE_US = 20_000_000, 20_000
"""A simulated one for longer, because its time costs nothing and its troubles come every ten
seconds; and more slowly, because its scans do cost something."""
FAILED_PAUSE_US, LAST_TRIES = 100_000, 20
"""A bus in trouble is asked less often, and has two seconds at the end to come back."""


@dataclass
class Watch:
    """What was seen while the switches were read."""

    scans: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    """Scans that failed, by what was said."""
    last: int | None = None
    """The switches in the last scan that did not fail, as an occupancy; None: all have failed."""
    changes: Counter[int] = field(default_factory=Counter)
    """How often each switch was read otherwise than before."""
    times_us: list[int] = field(default_factory=list)
    """How long each scan took that did not fail."""
    took_us: int = 0
    is_blind: bool = False
    """True if the last scan failed."""

    @property
    def scan_us(self) -> int:
        """How long a scan takes that does not fail."""
        return sum(self.times_us) // len(self.times_us) if self.times_us else 0

    @property
    def closed(self) -> int:
        """Switches, in the last scan that did not fail."""
        return (self.last or 0).bit_count()

    @property
    def restless(self) -> int:
        """Switches that changed and came back, as an occupancy."""
        return sum(1 << switch for switch, times in self.changes.items() if times > 1)

    def saw(self, occupancy: int, took_us: int) -> None:
        """Keep what a scan has read."""
        changed = occupancy ^ (occupancy if self.last is None else self.last)
        self.changes.update(number for number in range(len(NAMES)) if changed >> number & 1)
        self.last = occupancy
        self.times_us.append(took_us)


def switches(patient: Patient, period_us: int) -> Diagnosis:
    """Read them for a while, ``period_us`` apart on a real board, and tell all errors."""
    if patient.sensor is None:
        return not_applicable(NAME, _why_not(patient))
    before = _counts(patient)
    watch = watched(patient, patient.sensor, period_us)
    judged = _judged(patient, watch, _counts(patient) - before, period_us)
    return replace(judged, sample=tuple(_sample(watch)))


def _why_not(patient: Patient) -> str:
    if patient.players:
        return "not examined: a game is running"
    return "not examined: the bus cannot be opened" if patient.no_bus else "recorded ones"


def watched(patient: Patient, sensor: SquareSensor, period_us: int) -> Watch:
    """Read the switches for a while."""
    clock, watch = patient.clock, Watch()
    pause_us = period_us if patient.is_real else SIMULATED_PAUSE_US
    start_us = clock.now_us()
    end_us = start_us + (REAL_US if patient.is_real else SIMULATED_US)
    _scan(patient, sensor, watch)
    watch.times_us.clear()  # the first scan configures the chips, and would count for hundreds
    while clock.now_us() < end_us:
        patient.wait_us(FAILED_PAUSE_US if watch.is_blind else pause_us)
        _scan(patient, sensor, watch)
    for _ in range(LAST_TRIES):
        if watch.is_blind:
            patient.wait_us(FAILED_PAUSE_US)
            _scan(patient, sensor, watch)
    watch.took_us = clock.now_us() - start_us
    return watch


def _scan(patient: Patient, sensor: SquareSensor, watch: Watch) -> None:
    start_us = patient.clock.now_us()
    watch.scans += 1
    try:
        occupancy = sensor.read()
    except BusError as error:
        watch.failed[str(error)] += 1
        watch.is_blind = True
    else:
        watch.saw(int(occupancy), patient.clock.now_us() - start_us)
        watch.is_blind = False


def _counts(patient: Patient) -> Counter[str]:
    """All counters of errors that a board keeps, by what they count."""
    counts: Counter[str] = Counter()
    if patient.bus is not None:
        for (address, why), count in patient.bus.failures.items():
            counts[f"{why} of {address:#04x}"] += count
    if patient.reeds is not None:
        counts.update(patient.reeds.counts)
        for chip, count in patient.reeds.recovered.items():
            counts[f"registers lost by {chip}"] += count
    return counts


def _calm(patient: Patient) -> str:
    """Return what to do where switches change by themselves."""
    chips = patient.wiring.chips if patient.wiring else ()
    remedy = "examine again with nobody at the board; if they still change, readings are falsified"
    remedy += (
        " or contacts are poor: shorten the cables, put 100 nF at each chip, slow the bus down"
    )
    if any(chip.kind is ChipKind.PCF8575 for chip in chips):
        remedy += "; a PCF8575 has no registers by which a game could notice a false reading"
    return remedy


def _judged(patient: Patient, watch: Watch, counts: Counter[str], period_us: int) -> Diagnosis:
    found = f"{watch.scans} scans in {watch.took_us / 1_000_000:.1f} s"
    if watch.scan_us:
        found += f", {watch.scan_us / 1000:.2f} ms each"
    found += f"; {watch.closed} switches closed"
    counts += Counter({"failed scans": watch.failed.total()})
    if counts:
        found += f"; {', '.join(f'{what}: {count}' for what, count in counts.items())}"
    why, remedy = parted(watch.failed.most_common(1)[0][0]) if watch.failed else ("", "")
    if watch.is_blind:
        return failed(NAME, f"{found}; at the end {why}", remedy or "look at the cable")
    if counts:
        remedy = remedy or "look at plugs and cables, and at the supply of the chips"
        return warned(NAME, found, remedy)
    if watch.restless:
        names = some(names_of(watch.restless))
        return warned(NAME, f"{found}; changed and came back: {names}", _calm(patient))
    if watch.scan_us > period_us:
        remedy = f"set scan.period_us to {watch.scan_us} or more, or make the bus faster"
        return warned(NAME, f"{found}; slower than scan.period_us {period_us}", remedy)
    return passed(NAME, found)


def _sample(watch: Watch) -> Iterator[str]:
    """The last scan as a board, how long scans took, and which switches moved by themselves."""
    if watch.last is None:
        yield "no scan succeeded"
        return
    yield "closed (x) in the last scan:"
    for rank in reversed(range(8)):
        signs = ("x" if watch.last >> (8 * rank + file) & 1 else "." for file in range(8))
        yield f"{rank + 1} {' '.join(signs)}"
    yield "  a b c d e f g h"
    if watch.times_us:
        times = (min(watch.times_us), median(watch.times_us), max(watch.times_us))
        shortest, middle, longest = (f"{us / 1000:.2f}" for us in times)
        yield f"a scan took {shortest} ms at least, {middle} in the middle, {longest} at most"
    moved = ", ".join(f"{NAMES[switch]} {times}" for switch, times in sorted(watch.changes.items()))
    yield f"times that a switch moved meanwhile: {moved or 'none did'}"
