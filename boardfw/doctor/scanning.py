"""Check: the switches read for a while, as a game reads them, and everything that went wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from boardfw.doctor.diagnosis import Diagnosis, failed, not_applicable, parted, passed, warned
from boardfw.doctor.examined_board import Patient
from boardfw.errors import BusError
from boardfw.ports import SquareSensor

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
    closed: int = 0
    """Switches, in the last scan that did not fail."""
    scanning_us: int = 0
    took_us: int = 0
    is_blind: bool = False
    """Whether the last scan failed."""

    @property
    def scan_us(self) -> int:
        """How long a scan takes that does not fail."""
        good = self.scans - self.failed.total()
        return self.scanning_us // good if good else 0


def switches(patient: Patient, period_us: int) -> Diagnosis:
    """Read them for a while, ``period_us`` apart on a real board, and tell all errors."""
    if patient.sensor is None:
        return not_applicable(NAME, _why_not(patient))
    before = _counts(patient)
    watch = watched(patient, patient.sensor, period_us)
    return _judged(watch, _counts(patient) - before, period_us)


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
    watch.scanning_us = 0  # the first scan configures the chips, and would count for hundreds
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
        watch.closed = sensor.read().bit_count()
    except BusError as error:
        watch.failed[str(error)] += 1
        watch.is_blind = True
    else:
        watch.scanning_us += patient.clock.now_us() - start_us
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


def _judged(watch: Watch, counts: Counter[str], period_us: int) -> Diagnosis:
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
    if watch.scan_us > period_us:
        remedy = f"set scan.period_us to {watch.scan_us} or more, or make the bus faster"
        return warned(NAME, f"{found}; slower than scan.period_us {period_us}", remedy)
    return passed(NAME, found)
