"""LEDs on the SPI bus: each bit of the strip becomes four of SPI's. Every Raspberry Pi can do it.

The strip tells 0 from 1 by how long the line is high: 1000 is high for a quarter of a bit, 1110
or 1100 for longer. Every bit of the strip ends low, and two of them fill a byte. So a pause between
two bytes, which some SPI controllers make, comes where the line is low anyway, and changes no bit
(docs/decisions/0025-four-spi-bits-a-bit.md).

Only the data line (MOSI, GPIO 10) is wired; no root is needed, but nothing else can use that bus.
A strip never answers, so a dead one goes unnoticed: only the device itself can fail here.
"""

from __future__ import annotations

from boardfw.errors import BusError, WiringError, why, why_not_opened
from boardfw.frame import Frame
from hardware.spi_device import SpiDevice
from hardware.strip import LATCH_US, StripOrder
from hardware.strip_sheets import Signal
from hardware.wiring import Leds, StripKind

DEVICE = "/dev/spidev0.0"
MISSING = "no such device; switch SPI on (dtparam=spi=on in config.txt) and restart"
FORBIDDEN = "add the user to the group spi (sudo usermod -aG spi USER)"
SPI_HZ = 3_230_000
"""The clock that is asked for. The kernel takes the next slower one that its divider can make.

The divisor is even, and what it divides differs by model (``tests/hardware/test_spi_clock.py``).
The result is 3.19 to 3.23 MHz, 310 to 313 ns a bit of SPI, which all data sheets allow. If we asked
for 3.2 MHz, a Pi 5 and a core clock of 250 MHz would give 3.125 MHz, and a 1 of 960 ns: longer than
a WS2812B allows.
"""

LATCH = bytes(-(-LATCH_US * SPI_HZ // 8_000_000))
"""The line low for 280 us; what follows is a new frame.

Each frame has it before its first bit as well: where MOSI idles high (jgarff/rpi_ws281x#469), the
strip takes the end of that for a bit, and forgets it only after a whole latch.
"""
MOST_BYTES = 4096
"""Bytes in one transfer of spidev, unless ``spidev.bufsiz`` was raised; a gap would be a latch."""
BYTES_PER_COLOUR = 4
"""SPI bytes for the eight bits of one colour."""

ZERO = "1000"
ONE = {
    StripKind.WS2812B: "1110",
    StripKind.WS2812B_V5: "1100",
    StripKind.WS2812B_2020: "1110",
    StripKind.SK6812: "1100",
}
"""The SPI bits of a 1. For each kind only this one keeps to its data sheet at ``SPI_HZ``."""


def spi_signal(kind: StripKind, spi_hz: float) -> Signal:
    """Return the signal that a strip of this kind gets when SPI runs at this clock."""
    bit_ns = 1_000_000_000 / spi_hz
    times = [symbol.count(level) * bit_ns for symbol in (ZERO, ONE[kind]) for level in "10"]
    return Signal(*times)


def most_leds(colours: str) -> int:
    """Return how many LEDs of so many colours fit one transfer, between two latches."""
    return (MOST_BYTES - 2 * len(LATCH)) // (BYTES_PER_COLOUR * len(colours))


def _translations(one: str) -> tuple[bytes, ...]:
    """Return for each SPI byte of a colour the table of it by the colour's value."""
    bits = ["".join(one if digit == "1" else ZERO for digit in f"{v:08b}") for v in range(256)]
    return tuple(
        bytes(int(symbols[first : first + 8], 2) for symbols in bits) for first in (0, 8, 16, 24)
    )


_TRANSLATIONS = {kind: _translations(one) for kind, one in ONE.items()}


def encode(data: bytes, kind: StripKind) -> bytes:
    """Return the SPI bytes of a strip's bytes, four for one.

    Four translations and no loop: 64 LEDs are encoded in microseconds, even on a Pi Zero in tens.
    """
    encoded = bytearray(BYTES_PER_COLOUR * len(data))
    for position, table in enumerate(_TRANSLATIONS[kind]):
        encoded[position::BYTES_PER_COLOUR] = data.translate(table)
    return bytes(encoded)


def transfer(data: bytes, kind: StripKind) -> bytes:
    """Return all that is sent for one frame: the strip's bytes encoded, between two latches."""
    return LATCH + encode(data, kind) + LATCH


class SpiStrip:
    """A LedMatrix. Opened by the first frame; after an error, by the next one.

    Raises WiringError where the strip is too long for one transfer.
    """

    def __init__(self, leds: Leds) -> None:
        self.device = leds.device or DEVICE
        self._order = StripOrder(leds)
        self._spi: SpiDevice | None = None
        self._kind = leds.kind
        most = most_leds(leds.colours)
        if len(leds.squares) > most:
            raise WiringError(
                f"leds.squares names {len(leds.squares)} LEDs; SPI sends {most} at most in one "
                "transfer; wire fewer LEDs a square, or set leds.driver to another driver"
            )

    def close(self) -> None:
        """Let go of the device; it may be opened again. The LEDs keep their colours."""
        if self._spi is not None:
            self._spi.close()
            self._spi = None

    def show(self, frame: Frame) -> None:
        """Send a frame; returns when the strip has it. Other threads run on. Raises BusError."""
        if self._spi is None:
            self._spi = _connect(self.device)
        try:
            self._spi.write(transfer(self._order(frame), self._kind))
        except OSError as error:
            self.close()
            told = f"the lights' frame was not sent: {why(error)}"
            raise BusError(f"{self.device}: {told}; see that nothing else uses this bus") from error


def _connect(device: str) -> SpiDevice:
    try:
        return SpiDevice(device, SPI_HZ)
    except OSError as error:
        raise BusError(f"{device}: {why_not_opened(error, MISSING, FORBIDDEN)}") from error
