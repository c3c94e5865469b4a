"""What goes wrong on a simulated bus, by script or drawn from a seeded source; all counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random

from .chip import SimChip
from .controller import TIMEOUT_US


class FaultKind(Enum):
    """One thing that can go wrong."""

    NACK = "nack"
    """No acknowledgement, though the chip keeps its registers: a loose plug, a disturbance."""
    TIMEOUT = "timeout"
    """The controller gives up waiting."""
    STUCK_SDA = "stuck-sda"
    """A chip holds SDA low until nine clock pulses, its RESET or a new supply free it."""
    STUCK_SCL = "stuck-scl"
    """A chip holds SCL low until its RESET or a new supply frees it."""
    GONE = "gone"
    """A chip without supply; it comes back with the registers of power-on."""
    BROWN_OUT = "brown-out"
    """A chip has the registers of power-on all at once, and acknowledges all the time."""
    WRONG_DATA = "wrong-data"
    """Bits that are read come in wrong."""
    LOST_EDGE = "lost-edge"
    """INT falls and the edge is missed."""


OF_TRANSFERS = {FaultKind.NACK, FaultKind.TIMEOUT, FaultKind.WRONG_DATA}
OF_LINES = {FaultKind.STUCK_SDA, FaultKind.STUCK_SCL}
OF_CHIPS = {FaultKind.GONE, FaultKind.BROWN_OUT}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. It begins where it first matters once its time and its transfer have come."""

    kind: FaultKind
    at_us: int = 0
    """Not before this time."""
    transfer: int = 0
    """Not before this transfer, counted from 1."""
    span_us: int = 0
    """How long; with 0 one transfer fails, and a chip that is GONE does not come back."""
    address: int | None = None
    """Address of the chip that fails, or that holds the line; None: any, or all."""
    bits: int = 0x01
    """Of WRONG_DATA: what is inverted in each byte."""


@dataclass(slots=True)
class Trouble:
    """The faults of one transfer."""

    nack: bool = False
    timeout_us: int = 0
    stuck_sda: bool = False
    stuck_scl: bool = False
    bits: int = 0

    def spoil(self, data: bytearray) -> None:
        """Invert what comes in wrong."""
        data[:] = bytes(value ^ self.bits for value in data)


class BusFaults:
    """The faults of one bus: those to come, those that last, and how many there were."""

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        self.pending = list(faults)
        self.counts: Counter[FaultKind] = Counter()
        """Faults that have struck."""
        self.transfers = 0
        self._lasting: list[tuple[Fault, int]] = []
        self._stuck: list[Fault] = []
        self._pulses = 0

    def add(self, *faults: Fault) -> None:
        """More faults to come."""
        self.pending.extend(faults)

    def befall(self, chips: Sequence[SimChip], t_us: int) -> None:
        """Apply the faults of chips and lines that are due by now."""
        if self._calm:
            return
        for fault in self._due(OF_CHIPS, t_us):
            self._last(fault, t_us)
            for chip in _named(chips, fault):
                if fault.kind is FaultKind.GONE:
                    chip.present = False
                else:
                    chip.power_on()
            if fault.kind is FaultKind.GONE:  # a chip without supply holds no line
                gone = _named(chips, fault)
                self._stuck = [
                    f for f in self._stuck if any(c not in gone for c in _named(chips, f))
                ]
        for fault in self._due(OF_LINES, t_us):
            self._stuck.append(fault)
        for fault in self._over(t_us):
            if fault.kind is FaultKind.GONE:
                for chip in _named(chips, fault):
                    chip.present = True
                    chip.power_on()

    def next(self, chips: Sequence[SimChip], address: int, reading: bool, t_us: int) -> Trouble:
        """The faults of the transfer that begins now, after all that are due by now."""
        self.transfers += 1
        self.befall(chips, t_us)
        if self._calm:
            return Trouble()
        kinds = OF_TRANSFERS if reading else OF_TRANSFERS - {FaultKind.WRONG_DATA}
        now = [fault for fault in self._due(kinds, t_us, address) if not self._last(fault, t_us)]
        now += [fault for fault, _ in self._lasting if _concerns(fault, address)]
        by_kind = {fault.kind: fault for fault in now}
        wrong = by_kind.get(FaultKind.WRONG_DATA)
        return Trouble(
            nack=FaultKind.NACK in by_kind,
            timeout_us=TIMEOUT_US if FaultKind.TIMEOUT in by_kind else 0,
            stuck_sda=any(fault.kind is FaultKind.STUCK_SDA for fault in self._stuck),
            stuck_scl=any(fault.kind is FaultKind.STUCK_SCL for fault in self._stuck),
            bits=wrong.bits if wrong else 0,
        )

    def loses_edge(self, t_us: int) -> bool:
        """True if the edge of INT that comes now is lost."""
        due = self._due({FaultKind.LOST_EDGE}, t_us, most=1)
        return bool(due)

    def pulse(self, pulses: int) -> None:
        """SCL was moved by hand; nine pulses in all free SDA."""
        self._pulses += pulses
        if self._pulses >= 9:
            self._pulses = 0
            self._stuck = [fault for fault in self._stuck if fault.kind is FaultKind.STUCK_SCL]

    def free(self, chips: Sequence[SimChip]) -> None:
        """Chips were reset: those that can be, let go of the lines."""
        self._stuck = [
            fault
            for fault in self._stuck
            if not all(chip.has_reset for chip in _named(chips, fault))
        ]

    @property
    def _calm(self) -> bool:
        return not (self.pending or self._lasting or self._stuck)

    def _due(
        self, kinds: set[FaultKind], t_us: int, address: int | None = None, most: int | None = None
    ) -> list[Fault]:
        """Take the faults of these kinds whose time has come, and count them."""
        due = [
            fault
            for fault in self.pending
            if fault.kind in kinds
            and fault.at_us <= t_us
            and fault.transfer <= self.transfers
            and (address is None or _concerns(fault, address))
        ][:most]
        for fault in due:
            self.pending.remove(fault)
            self.counts[fault.kind] += 1
        return due

    def _last(self, fault: Fault, t_us: int) -> bool:
        """Let it last for its span, if it has one."""
        if fault.span_us:
            self._lasting.append((fault, t_us + fault.span_us))
        return bool(fault.span_us)

    def _over(self, t_us: int) -> list[Fault]:
        """Take those whose span is over."""
        over = [fault for fault, until_us in self._lasting if until_us <= t_us]
        self._lasting = [lasting for lasting in self._lasting if lasting[1] > t_us]
        return over


def drawn(
    random: Random,
    kinds: Sequence[FaultKind],
    count: int,
    within_us: tuple[int, int],
    addresses: Sequence[int],
    longest_us: int = 2_000_000,
) -> list[Fault]:
    """Faults at random times, in order: each of a random kind, at a random chip, for a while.

    Half of those that may last strike one transfer only.
    """
    faults = []
    for at_us in sorted(random.randint(*within_us) for _ in range(count)):
        kind = random.choice(kinds)
        lasts = kind is FaultKind.GONE or (kind in OF_TRANSFERS and random.random() < 0.5)
        span_us = random.randint(1, longest_us) if lasts else 0
        address, bits = random.choice(addresses), random.randint(1, 0xFF)
        faults.append(Fault(kind, at_us=at_us, span_us=span_us, address=address, bits=bits))
    return faults


def _concerns(fault: Fault, address: int) -> bool:
    return fault.address in (None, address)


def _named(chips: Sequence[SimChip], fault: Fault) -> list[SimChip]:
    return [chip for chip in chips if _concerns(fault, chip.address)]
